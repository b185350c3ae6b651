//! What a loop knows of the programs that checks find in the work tree by their names.

use std::sync::{MutexGuard, PoisonError};

use windlass_core::{
    ids::Place,
    step::{Fingerprints, Step, StepResult},
};
use windlass_proof::PathPrograms;

use super::{Run, misfit};
use crate::halt::Halt;

/// Where those of the loop's start are recorded.
fn at_start() -> Place {
    Place::new(0, "programs")
}

impl Run<'_> {
    /// Records the programs that `PATH` leads to in the work tree, before the first iteration. Where
    /// there is no such place, there is nothing to be done.
    pub(crate) async fn record_programs(&self) -> Result<(), Halt> {
        let place = at_start();
        if self.worker.has_no_programs_in_the_tree() && !self.is_done(&place) {
            return Ok(());
        }
        match self.step(place, Step::Programs).await? {
            StepResult::Programs { files } => {
                self.know_programs(files);
                Ok(())
            }
            other => Err(misfit(&other)),
        }
    }

    /// What is to be said about a proof by checks that may have run other programs than they would
    /// have when the loop began.
    pub(crate) fn doubts(&self, checks: &[String]) -> Vec<String> {
        self.programs().doubts(checks)
    }

    /// Takes up what an earlier owner recorded, so that every snapshot is held against it.
    pub(super) fn recall_programs(&self) {
        let done = self.past.steps.get(&at_start()).map(|done| &done.result);
        if let Some(StepResult::Programs { files }) = done {
            self.know_programs(files.clone());
        }
    }

    fn know_programs(&self, files: Fingerprints) {
        self.programs().begin(&files);
        // A loop that is resumed comes by here twice, with the same ones.
        self.worker.programs_at_start.get_or_init(|| files);
    }

    pub(super) fn programs(&self) -> MutexGuard<'_, PathPrograms> {
        self.programs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
