//! Proofs of iterations that are past, as they were recorded: a loop that goes on may have other checks,
//! and what is past stays what it was.

use windlass_core::{context::Rejection, proof_record::OriginalsState, step::CheckReport};

use super::{Case, Places, Proven, protected};
use crate::halt::Halt;

/// The proof that an earlier owner of the loop took there.
pub(super) async fn proven(case: &Case<'_>, places: &Places) -> Result<Proven, Halt> {
    let run = case.run;
    let checks = run.checks_at(|number| places.first(number));
    if let Some(taken) = run.recorded_proof(places.iteration, places.round) {
        let failed = checks.iter().filter(|report| !report.passed).cloned().collect();
        let reasons = taken.rejected.clone();
        let by_originals = taken.proof.originals == OriginalsState::Failed;
        let rejection =
            (!reasons.is_empty()).then_some(Rejection { reasons, failed, by_originals });
        return Ok(Proven { record: taken.proof.clone(), rejection, only_for: None, checks });
    }
    // Earlier versions recorded no proof: what they looked at says it.
    let rejection = match protected::changed(case, places.of("protected")).await? {
        Some(rejection) => Some(rejection),
        None => of_checks(&checks),
    };
    Ok(Proven { rejection, checks, ..Proven::default() })
}

fn of_checks(checks: &[CheckReport]) -> Option<Rejection> {
    let failed: Vec<CheckReport> = checks.iter().filter(|it| !it.passed).cloned().collect();
    let reasons = failed.iter().map(CheckReport::failure).collect();
    (!failed.is_empty()).then_some(Rejection { reasons, failed, by_originals: false })
}
