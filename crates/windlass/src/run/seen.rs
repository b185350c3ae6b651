//! Snapshots, with what they say about the work.

use std::sync::{Mutex, OnceLock, PoisonError, atomic::Ordering};

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

/// The trees that others are compared with.
#[derive(Debug, Default)]
pub(super) struct KnownTrees {
    start: OnceLock<String>,
    latest: Mutex<Option<String>>,
}

impl KnownTrees {
    /// The tree at the loop's start, once it was recorded.
    pub(super) fn start(&self) -> Option<&String> {
        self.start.get()
    }

    /// An iteration that is over left this tree.
    pub(super) fn left(&self, tree: Option<&String>) {
        *self.latest.lock().unwrap_or_else(PoisonError::into_inner) = tree.cloned();
    }

    /// What the last iteration that is over left, or the loop's start.
    fn latest(&self) -> Option<String> {
        let latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        latest.clone().or_else(|| self.start.get().cloned())
    }
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

    /// Records the work tree of a loop that is over, where something ran since the last look: what
    /// changes from now on is the user's work. A loop that is killed does not wait for it, nor one whose
    /// work tree did not answer before.
    pub(crate) async fn look_last(&self, epoch: u64) {
        if self.is_unseen.load(Ordering::Relaxed) && !self.worker.files.is_silent() {
            // An iteration that is over has its tree.
            let iteration = self.under_way.load(Ordering::Relaxed);
            let place = Place::new(iteration, format_args!("ended/{epoch}"));
            let (previous, start) = (self.trees.latest(), self.trees.start().cloned());
            let step = Step::Snapshot { previous, start, tracked_only: false };
            let fingerprint = step.fingerprint();
            // Without it all that differs counts as the loop's, as after a kill.
            drop(self.do_step(place, step, fingerprint).await);
        }
    }

    /// Puts the work tree back to a tree that was recorded, and HEAD to where it was.
    pub(crate) async fn restore(
        &self,
        place: Place,
        tree: String,
        head: Option<String>,
    ) -> Result<RestoreReport, Halt> {
        match self.step(place, Step::Restore { tree, head, existing_only: false }).await? {
            StepResult::Restored(report) => Ok(report),
            other => Err(misfit(&other)),
        }
    }

    async fn snapshot(&self, place: Place, step: Step) -> Result<Seen, Halt> {
        let is_start = place == Place::new(0, "tree");
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
                if let Some(snapshot) = snapshot.as_ref().filter(|_| is_start) {
                    // What was the start stays so.
                    drop(self.trees.start.set(snapshot.tree.clone()));
                }
                Ok(Seen { snapshot, changed, modified, paths, lines, only_numbers })
            }
            other => Err(misfit(&other)),
        }
    }
}
