//! The checks on the tests as they were: where the agent changed guarded files, the work must pass with
//! the originals, too.

use windlass_core::{
    context::Rejection,
    event::{EventKind, OriginalsRan},
    evidence::OnlyFor,
    proof_record::OriginalsState,
    step::guarded::{GuardedChange, OriginalsReport, OriginalsStep},
    step::{CheckReport, CheckStep},
};
use windlass_proof::baseline::{all_tests_pass, has_new_failure};

use super::{
    Case, Places,
    checks::{is_waived, objection},
    guarded::{self, Compared},
    taking::Taking,
};
use crate::halt::Halt;

/// An originals run that takes longer is not repeated because a test might be flaky.
const QUICK_MS: u64 = 5 * 60 * 1000;

/// Runs the checks on the originals, where there are any; gives why the work is not proven by them.
pub(super) async fn run(
    case: &Case<'_>,
    places: &Places,
    compared: Compared,
    taking: &mut Taking,
) -> Result<Option<Rejection>, Halt> {
    let Compared { guard: Some(guard), changes } = compared else { return Ok(None) };
    if changes.changes.is_empty() {
        taking.record.originals = OriginalsState::Same;
        return Ok(None);
    }
    let checks = case.proof.commands();
    let step = OriginalsStep {
        guard,
        checks: checks.iter().map(|check| CheckStep::new(check, None)).collect(),
        changes: changes.changes,
        new_tests: changes.new_tests,
        later: case.start.later(case.run),
    };
    let mut report = case.run.originals(places.of("originals"), step.clone()).await?;
    // Without new tests a check may find too little covered, which says nothing about those that were there.
    let spared: Vec<String> = match step.changes.iter().all(GuardedChange::is_joined_test) {
        true => spared(case, &report),
        false => Vec::new(),
    };
    let counts = |check: &CheckReport| !spared.contains(&check.command);
    report.checks.retain(counts);
    report.without_new_tests.retain(counts);
    taking.doubt_without_new_tests(&spared);
    if may_be_flaky(case, &report) {
        report = case.run.originals(places.of("originals/again"), step.clone()).await?;
        taking.note_flaky(report.decisive().iter().filter(|check| check.passed));
    }
    for left in &report.left_alone {
        let text = OriginalsReport::left_alone_note(left);
        case.run.note(places.iteration, EventKind::Noted { text });
    }
    let failed = failed(case, &report);
    let rejection = rejection(case, &report, &failed, &step);
    taking.record.originals = match rejection {
        Some(_) => OriginalsState::Failed,
        None => OriginalsState::Passed,
    };
    taking.record.waived |= report.decisive().iter().any(|check| is_waived(case, check));
    let failing = failing(&failed);
    if report.problem.is_none() && report.disturbed.is_empty() && rejection.is_some() {
        taking.only_for = Some(OnlyFor::Originals { failing: failing.clone() });
    }
    let ran = OriginalsRan {
        iteration: places.iteration,
        state: taking.record.originals,
        changes: step.changes,
        failing,
        first_error: failed.iter().find_map(|check| check.first_error.clone()),
    };
    case.run.note(places.iteration, EventKind::Originals(ran));
    Ok(rejection)
}

/// The checks that fail although all tests pass that were there.
fn spared(case: &Case<'_>, report: &OriginalsReport) -> Vec<String> {
    let failed = report.decisive().iter().filter(|check| objection(case, check).is_some());
    let passes =
        |check: &&CheckReport| all_tests_pass(case.start.baseline.of(&check.command), check);
    failed.filter(passes).map(|check| check.command.clone()).collect()
}

fn may_be_flaky(case: &Case<'_>, report: &OriginalsReport) -> bool {
    let took: u64 = report.checks.iter().map(|check| check.duration_ms).sum();
    let failed = failed(case, report);
    let is_new =
        |check: &CheckReport| has_new_failure(case.start.baseline.of(&check.command), check);
    report.problem.is_none()
        && !failed.is_empty()
        && took < QUICK_MS
        && failed.iter().all(|check| !check.timed_out && is_new(check))
}

/// The checks of the run that decides which speak against the work.
fn failed(case: &Case<'_>, report: &OriginalsReport) -> Vec<CheckReport> {
    let decisive = report.decisive().iter();
    decisive.filter(|check| objection(case, check).is_some()).cloned().collect()
}

/// The names of what fails; a check that names no test counts as one.
fn failing(failed: &[CheckReport]) -> Vec<String> {
    let names = failed.iter().flat_map(|check| match &check.tests {
        Some(tests) if !tests.failing.is_empty() => tests.failing.clone(),
        _ => vec![check.command.clone()],
    });
    names.collect()
}

fn rejection(
    case: &Case<'_>,
    report: &OriginalsReport,
    failed: &[CheckReport],
    step: &OriginalsStep,
) -> Option<Rejection> {
    let mut reasons = Vec::new();
    if let Some(problem) = &report.problem {
        reasons.push(format!("the original tests could not be put in place: {problem}"));
    }
    if !report.disturbed.is_empty() {
        let files = guarded::listed(&report.disturbed);
        reasons.push(format!(
            "files changed while the checks ran on the original tests, so that they prove nothing: \
             {files}"
        ));
    }
    let compile_error = failed.iter().find_map(|check| check.first_error.as_ref());
    match (compile_error, failed.is_empty()) {
        (_, true) => (),
        (Some(error), _) => {
            reasons.push(format!("the original tests do not compile with this work: {error}"));
        }
        (None, _) => reasons.push(told(case, failed)),
    }
    if reasons.is_empty() {
        return None;
    }
    reasons.push(guarded::told(&step.changes));
    Some(Rejection { reasons, failed: failed.to_vec(), by_originals: true })
}

/// Which tests fail on the originals, in a clause.
fn told(case: &Case<'_>, failed: &[CheckReport]) -> String {
    let names = failing(failed);
    let has_names = failed
        .iter()
        .any(|check| check.tests.as_ref().is_some_and(|tests| !tests.failing.is_empty()));
    if has_names {
        let fail = if names.len() == 1 { "fails" } else { "fail" };
        return format!("existing tests no longer pass: {} {fail}", guarded::listed(&names));
    }
    let objections: Vec<String> =
        failed.iter().filter_map(|check| objection(case, check)).collect();
    format!("on the original tests, {}", objections.join("; "))
}
