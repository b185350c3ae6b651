//! Where work can go other than into the files of the work tree.

use serde::{Deserialize, Serialize};

/// One such place, and what it holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlaceMark {
    /// What it is.
    pub kind: PlaceKind,
    /// What people call it: a branch's name, or a path. Empty for HEAD.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// Identifies what it holds: files, not the commit that holds them, so that another message is not
    /// another content.
    pub holds: String,
}

/// What kind of place it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PlaceKind {
    /// The commit that HEAD is at.
    Head,
    /// Another branch.
    Branch,
    /// The stash.
    Stash,
    /// Another work tree of the repository.
    Worktree,
    /// A submodule.
    Submodule,
    /// A repository inside the work tree.
    Nested,
    /// A file that git ignores and a check names.
    Ignored,
    /// A kind of a newer windlass.
    #[serde(other)]
    Unknown,
}
