//! Snapshots, with what they say about the work.

use windlass_core::{
    ids::Place,
    step::{RestoreReport, Step, StepResult},
    tree::Snapshot,
};

use super::{Run, misfit};
use crate::halt::Halt;

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

impl Run<'_> {
    /// Records the work tree, and counts what changed since `previous` and since `start`.
    pub(crate) async fn look(
        &self,
        place: Place,
        previous: Option<String>,
        start: Option<String>,
    ) -> Result<Seen, Halt> {
        self.snapshot(place, Step::Snapshot { previous, start, tracked_only: false }).await
    }

    /// Records the work tree, and counts the files that changed since `previous`, of those that were
    /// there already at `start`.
    pub(crate) async fn look_at_existing(
        &self,
        place: Place,
        previous: Option<String>,
        start: Option<String>,
    ) -> Result<Seen, Halt> {
        self.snapshot(place, Step::Snapshot { previous, start, tracked_only: true }).await
    }

    /// Puts the work tree back to a tree that was recorded, and HEAD to where it was.
    pub(crate) async fn restore(
        &self,
        place: Place,
        tree: String,
        head: Option<String>,
    ) -> Result<RestoreReport, Halt> {
        match self.step(place, Step::Restore { tree, head }).await? {
            StepResult::Restored(report) => Ok(report),
            other => Err(misfit(&other)),
        }
    }

    async fn snapshot(&self, place: Place, step: Step) -> Result<Seen, Halt> {
        match self.step(place, step).await? {
            StepResult::Snapshot {
                snapshot,
                changed,
                modified,
                paths,
                lines,
                only_numbers,
                programs,
                ..
            } => {
                self.programs().seen(programs);
                Ok(Seen { snapshot, changed, modified, paths, lines, only_numbers })
            }
            other => Err(misfit(&other)),
        }
    }
}
