//! A snapshot with what it says about the work.

use windlass_core::tree::Snapshot;

/// A snapshot with what it says about the work.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Seen {
    /// The recorded tree; `None` outside a repository.
    pub snapshot: Option<Snapshot>,
    /// How many files differ from the tree before.
    pub changed: u32,
    /// How many files differ from the tree at the loop's start.
    pub modified: u32,
    /// The first of the files that differ from the tree before.
    pub paths: Vec<String>,
    /// How many lines differ from those of the tree before.
    pub lines: u64,
    /// Whether they differ from those before in nothing but numbers, dates and ids.
    pub only_numbers: bool,
}

impl Seen {
    /// The commit that HEAD is at.
    pub(crate) fn head(&self) -> Option<String> {
        self.snapshot.as_ref().and_then(|snapshot| snapshot.head.clone())
    }

    /// The tree's id.
    pub(crate) fn tree(&self) -> Option<String> {
        self.snapshot.as_ref().map(|snapshot| snapshot.tree.clone())
    }
}
