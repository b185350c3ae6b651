//! Guarded files: what is guarded, what the agent did to it, and the checks on the originals.

use windlass_core::{
    guarded::{GuardStep, LaterOriginals, OriginalsStep},
    ids::Place,
    step::StepResult,
};
use windlass_system::stop::Stop;

use super::Worker;
use crate::halt::Halt;

impl Worker {
    /// Records what is guarded, and keeps the originals that no snapshot has.
    pub(super) async fn guard(&self, _step: &GuardStep) -> Result<StepResult, Halt> {
        Ok(StepResult::Guard(Default::default()))
    }

    /// Compares the guarded files with their originals.
    pub(super) async fn compare_guarded(
        &self,
        _guard: &GuardStep,
        _tree: Option<&str>,
        _later: &[LaterOriginals],
    ) -> Result<StepResult, Halt> {
        Ok(StepResult::Guarded(Default::default()))
    }

    /// Runs the checks on the originals, and puts the agent's files back.
    pub(super) async fn originals(
        &self,
        _place: &Place,
        _step: &OriginalsStep,
        _stop: &Stop,
    ) -> Result<StepResult, Halt> {
        Err(self.could_not("run the original tests", "not built yet"))
    }
}
