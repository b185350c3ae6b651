//! What proofs ask of a run: the guarded files, the originals, and how many tests failed when.

use std::{collections::BTreeMap, sync::PoisonError};

use windlass_core::{
    event::{EventKind, ProofTaken, TestsCounted},
    ids::Place,
    step::guarded::{
        GuardChanges, GuardReport, GuardStep, LaterOriginals, OriginalsReport, OriginalsStep,
    },
    step::{CheckReport, RestoreReport, Step, StepResult},
};

use super::{Run, misfit};
use crate::halt::Halt;

/// How many tests of a check failed: before the first session, and when they were counted last.
#[derive(Clone, Debug, Default)]
pub(super) struct FailingCounts {
    at_baseline: BTreeMap<String, u32>,
    last: BTreeMap<String, u32>,
}

impl FailingCounts {
    /// Takes in what an earlier owner counted.
    pub(super) fn count(&mut self, counted: &TestsCounted) {
        self.last.insert(counted.command.clone(), counted.tests.failed);
    }
}

impl Run<'_> {
    /// Records what is guarded, and keeps the originals that no snapshot has.
    pub(crate) async fn guard(&self, place: Place, step: GuardStep) -> Result<GuardReport, Halt> {
        match self.step(place, Step::Guard(step)).await? {
            StepResult::Guard(report) => Ok(report),
            other => Err(misfit(&other)),
        }
    }

    /// Compares the guarded files with their originals.
    pub(crate) async fn compare_guarded(
        &self,
        place: Place,
        guard: GuardStep,
        tree: Option<String>,
        later: Vec<LaterOriginals>,
    ) -> Result<GuardChanges, Halt> {
        match self.step(place, Step::Guarded { guard, tree, later }).await? {
            StepResult::Guarded(changes) => Ok(changes),
            other => Err(misfit(&other)),
        }
    }

    /// Runs the checks on the originals, and puts the agent's files back.
    pub(crate) async fn originals(
        &self,
        place: Place,
        step: OriginalsStep,
    ) -> Result<OriginalsReport, Halt> {
        let iteration = place.iteration();
        match self.step(place, Step::Originals(Box::new(step))).await? {
            StepResult::Originals(report) => {
                self.programs().checked(iteration);
                Ok(*report)
            }
            other => Err(misfit(&other)),
        }
    }

    /// Puts the files back that a recorded tree has; what was added since stays.
    pub(crate) async fn restore_existing(
        &self,
        place: Place,
        tree: String,
    ) -> Result<RestoreReport, Halt> {
        match self.step(place, Step::Restore { tree, head: None, existing_only: true }).await? {
            StepResult::Restored(report) => Ok(report),
            other => Err(misfit(&other)),
        }
    }

    /// What the user changed between sessions, since that iteration.
    pub(crate) fn changed_by_user(&self, since: u32) -> Vec<LaterOriginals> {
        self.user_changes.lock().unwrap_or_else(PoisonError::into_inner).since(since)
    }

    /// Where the checks run, below the top of the tree; empty for the top itself.
    pub(crate) fn directory_in_tree(&self) -> String {
        self.worker.files.directory_in_root()
    }

    /// Whether the loop works in a worktree that was made for it.
    pub(crate) fn is_in_worktree(&self) -> bool {
        self.worker.is_in_worktree()
    }

    /// Begins to count failing tests: these are those of the baseline.
    pub(crate) fn count_from(&self, reports: &[CheckReport]) {
        let mut counts = self.failing.lock().unwrap_or_else(PoisonError::into_inner);
        for (report, tests) in reports.iter().filter_map(|it| Some((it, it.tests.as_ref()?))) {
            counts.at_baseline.insert(report.command.clone(), tests.failed);
            counts.last.entry(report.command.clone()).or_insert(tests.failed);
        }
    }

    /// Tells how many tests ran and failed, in checks whose output can be read.
    pub(crate) fn tell_counts(&self, iteration: u32, reports: &[CheckReport]) {
        for report in reports {
            let Some(tests) = report.tests.clone() else { continue };
            let mut counts = self.failing.lock().unwrap_or_else(PoisonError::into_inner);
            let command = report.command.clone();
            let failed_at_baseline = counts.at_baseline.get(&command).copied();
            let failed_before = counts.last.insert(command.clone(), tests.failed);
            drop(counts);
            let counted =
                TestsCounted { iteration, command, tests, failed_at_baseline, failed_before };
            self.note(iteration, EventKind::Tests(counted));
        }
    }

    /// The proof that an earlier owner took.
    pub(crate) fn recorded_proof(&self, iteration: u32, round: u32) -> Option<&ProofTaken> {
        self.past.proofs.get(&(iteration, round))
    }

    /// The checks that an earlier owner ran at these places, as many as there are.
    pub(crate) fn checks_at(&self, place: impl Fn(usize) -> Place) -> Vec<CheckReport> {
        (1..).map_while(|number| self.recorded_check(&place(number))).collect()
    }
}
