//! What became of iterations that are past, as it was recorded. A resumed loop may have
//! other options, such as other checks; what is past stays what it was.

use windlass_core::{
    ids::Place,
    options::CheckCommand,
    proof_record::OriginalsState,
    step::{CheckReport, Step, StepResult},
};

use super::{
    Run,
    past::{ClaimFate, Done},
};

/// What became of the claim of an iteration that is past.
#[derive(Clone, Debug)]
pub(crate) struct RecordedClaim {
    /// What became of it; `None` where there was none.
    pub(crate) fate: Option<ClaimFate>,
    /// The checks as they ran last.
    pub(crate) checks: Vec<CheckReport>,
    /// Whether it failed with the tests as they were before the loop.
    pub(crate) by_originals: bool,
}

impl Run<'_> {
    /// Whether a step belongs to the loop's course: in an iteration that is past, if it was done;
    /// otherwise `now`, as the options say.
    pub(crate) fn belongs(&self, place: &Place, now: bool) -> bool {
        if self.is_past(place.iteration()) { self.is_done(place) } else { now }
    }

    /// The commands that were run as checks in a round of an iteration that is past, or else those
    /// that are to be run.
    pub(crate) fn checks_of(
        &self,
        iteration: u32,
        place: impl Fn(usize) -> Place,
        commands: &[CheckCommand],
    ) -> Vec<CheckCommand> {
        if !self.is_past(iteration) {
            return commands.to_vec();
        }
        let recorded = (1..).map_while(|number| self.recorded_check(&place(number)));
        recorded.map(|report| CheckCommand::given(report.command)).collect()
    }

    /// The files that an earlier owner asked for by name when it took fingerprints there; `None`
    /// where that was not for other checks than the loop has now.
    pub(crate) fn fingerprinted_for_others(&self, place: &Place) -> Option<Vec<String>> {
        let asked = self.past.fingerprinted.get(place).filter(|_| self.past.has_other_checks);
        asked.cloned()
    }

    /// What became of the claim of an iteration that is past; `None` for one that is not.
    pub(crate) fn recorded_claim(&self, iteration: u32) -> Option<RecordedClaim> {
        if !self.is_past(iteration) {
            return None;
        }
        let round = |round: &str| -> Vec<CheckReport> {
            let place = |number: u32| Place::new(iteration, format_args!("{round}/{number}"));
            (1..).map_while(|number| self.recorded_check(&place(number))).collect()
        };
        let again = round("recheck");
        let checks = if again.is_empty() { round("check") } else { again };
        if !checks.is_empty() {
            self.programs().checked(iteration);
        }
        let fate = self.past.claims.get(&iteration).cloned();
        let proof = self.recorded_proof(iteration, 0).map(|taken| &taken.proof);
        let by_originals = proof.is_some_and(|proof| proof.originals == OriginalsState::Failed);
        Some(RecordedClaim { fate, checks, by_originals })
    }

    pub(super) fn recorded_check(&self, place: &Place) -> Option<CheckReport> {
        match &self.past.steps.get(place)?.result {
            StepResult::Check(report) => Some(report.clone()),
            _ => None,
        }
    }

    /// Whether a step that was done must be done again: a check, where another command is asked for in
    /// an iteration that is not over, for it would prove what it never looked at.
    pub(super) fn is_outdated(
        &self,
        place: &Place,
        step: &Step,
        done: &Done,
        fingerprint: &str,
    ) -> bool {
        let is_check = matches!(step, Step::Check(_));
        is_check && done.fingerprint != fingerprint && !self.is_past(place.iteration())
    }
}
