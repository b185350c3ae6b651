//! The checks of a proof: on exactly the tree that the claim is about, once more where they change it,
//! and several times where they are flaky.

use windlass_core::{
    context::Rejection,
    ids::Place,
    options::KnownFailures,
    step::{CheckReport, CheckStep},
    text::count::count,
};
use windlass_proof::baseline::{has_new_failure, known_failures, ran_no_test};
use windlass_repo::tree::listed;

use super::{Case, Places};
use crate::{halt::Halt, run::Seen};

/// A check that takes longer is not run again because it might be flaky.
const QUICK_MS: u64 = 5 * 60 * 1000;

/// What the checks came to.
#[derive(Debug, Default)]
pub(super) struct Checked {
    /// As they ran last.
    pub(super) reports: Vec<CheckReport>,
    /// Those that passed and failed on one tree.
    pub(super) flaky: Vec<String>,
    /// The tree that they ran on last.
    pub(super) tree: Option<String>,
    /// Why they prove nothing.
    pub(super) rejection: Option<Rejection>,
}

/// Runs the checks, and once more where the tree is another after them: the proof is bound to a tree
/// that they really ran on. What the checks themselves add is not held against them when they leave
/// all that was there before as it is.
pub(super) async fn run(case: &Case<'_>, places: &Places, seen: &Seen) -> Result<Checked, Halt> {
    let start = seen.tree();
    let mut checked = Checked { tree: start.clone(), ..Checked::default() };
    let mut changed = Vec::new();
    for round in ["check", "recheck"] {
        let place = |number: usize| match round {
            "check" => places.first(number),
            round => places.of(format_args!("{round}/{number}")),
        };
        run_round(case, place, &mut checked).await?;
        checked.rejection = rejection(case, &checked.reports);
        if checked.rejection.is_some() {
            return Ok(checked);
        }
        let place = places.of(format_args!("{round}/tree"));
        let after = case.run.look_at_existing(place, checked.tree.clone(), start.clone()).await?;
        // Nothing is different; or they ran twice, and what they add is all that is.
        if after.tree() == checked.tree || (round == "recheck" && after.changed == 0) {
            return Ok(checked);
        }
        (checked.tree, changed) = (after.tree(), after.paths);
    }
    let reason = format!(
        "files change every time the checks run, so what they prove is gone when they end: {}; make \
         the checks leave the tree alone",
        listed(&changed)
    );
    checked.rejection = Some(Rejection { reasons: vec![reason], ..Rejection::default() });
    Ok(checked)
}

/// Runs each check once, to see how it stands.
pub(super) async fn plain_round(
    case: &Case<'_>,
    places: &Places,
    tree: &Option<String>,
) -> Result<Vec<CheckReport>, Halt> {
    let place = |number: usize| places.first(number);
    let mut reports = Vec::new();
    let checks = case.run.checks_of(places.iteration, place, &case.proof.commands());
    for (number, check) in (1..).zip(checks) {
        reports.push(case.run.check(place(number), CheckStep::new(&check, tree.clone())).await?);
    }
    Ok(reports)
}

async fn run_round(
    case: &Case<'_>,
    place: impl Fn(usize) -> Place,
    checked: &mut Checked,
) -> Result<(), Halt> {
    checked.reports.clear();
    for (number, check) in (1..).zip(case.proof.commands()) {
        let step = CheckStep::new(&check, checked.tree.clone());
        let report = case.run.check(place(number), step.clone()).await?;
        let report = match may_be_flaky(case, &report) {
            true => run_again(case, &place(number), &step, report, &mut checked.flaky).await?,
            false => report,
        };
        checked.reports.push(report);
    }
    Ok(())
}

fn may_be_flaky(case: &Case<'_>, report: &CheckReport) -> bool {
    let before = case.start.baseline.of(&report.command);
    let is_quick = !report.timed_out && report.duration_ms < QUICK_MS;
    !report.passed && is_quick && has_new_failure(before, report)
}

/// Runs a failed check again. If it passes then, it is flaky, and has to pass several times in a row.
async fn run_again(
    case: &Case<'_>,
    place: &Place,
    step: &CheckStep,
    mut failed: CheckReport,
    flaky: &mut Vec<String>,
) -> Result<CheckReport, Halt> {
    let wanted = case.proof.flaky_runs.max(1);
    let mut passed = 0;
    for number in 2..=2 + wanted {
        let place = place.inner(format_args!("again/{number}"));
        let report = case.run.check(place, step.clone()).await?;
        if report.passed {
            if !flaky.contains(&report.command) {
                flaky.push(report.command.clone());
            }
            passed += 1;
            if passed >= wanted {
                return Ok(report);
            }
            continue;
        }
        failed = report;
        passed = 0;
        if number == 2 {
            break;
        }
    }
    Ok(failed)
}

/// Whether a check that failed may go on failing: all its failing tests did before the loop, and the
/// user allows that.
pub(super) fn is_waived(case: &Case<'_>, report: &CheckReport) -> bool {
    let before = case.start.baseline.of(&report.command);
    case.proof.known_failures == KnownFailures::Allow && known_failures(before, report).is_some()
}

/// Why a check does not speak for the work; `None` where it does.
pub(super) fn objection(case: &Case<'_>, report: &CheckReport) -> Option<String> {
    let before = case.start.baseline.of(&report.command);
    if let Some(ran) = ran_no_test(before, report) {
        let (command, tests) = (&report.command, count(ran, "test"));
        return Some(format!("the check `{command}` ran no test, and {tests} ran before the loop"));
    }
    (!report.passed && !is_waived(case, report)).then(|| report.failure())
}

fn rejection(case: &Case<'_>, reports: &[CheckReport]) -> Option<Rejection> {
    let told = reports.iter().filter_map(|report| Some((objection(case, report)?, report.clone())));
    let (reasons, failed): (Vec<_>, Vec<_>) = told.unzip();
    (!reasons.is_empty()).then_some(Rejection { reasons, failed, by_originals: false })
}
