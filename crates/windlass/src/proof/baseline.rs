//! The baseline: what the checks say before the first session. What they change is put back, and what
//! they add is nobody's work.

use std::time::Duration;

use windlass_core::{
    event::{BaselineCheck, BaselineTaken, EventKind},
    ids::Place,
    options::{CheckCommand, Proof},
    proof_record::BaselineState,
    step::{CheckReport, CheckStep, RestoreReport},
    time::millis,
};

use super::LoopStart;
use crate::{halt::Halt, run::Run};

/// What the checks said before the first session.
#[derive(Clone, Debug, Default)]
pub(super) struct Baseline {
    pub(super) state: BaselineState,
    reports: Vec<CheckReport>,
    /// Why they did not run, or not to their end.
    reason: Option<String>,
}

impl Baseline {
    /// What a check said then.
    pub(super) fn of(&self, command: &str) -> Option<&CheckReport> {
        self.reports.iter().find(|report| report.command == command)
    }

    pub(super) fn something_fails(&self) -> Result<(), String> {
        match (self.state, &self.reason) {
            (BaselineState::Failed, _) => Ok(()),
            (BaselineState::Passed, _) => Err("every check passes already".to_owned()),
            (BaselineState::NotRun, Some(reason)) => Err(reason.clone()),
            (BaselineState::NotRun, None) => Err("no check ran before the loop".to_owned()),
        }
    }

    fn taken(&self) -> BaselineTaken {
        let checks = self.reports.iter().map(|report| BaselineCheck {
            command: report.command.clone(),
            passed: report.passed,
            tests: report.tests.clone(),
        });
        BaselineTaken { state: self.state, checks: checks.collect(), reason: self.reason.clone() }
    }
}

/// Runs the checks before the first session, and takes down what they say.
pub(super) async fn take(
    run: &Run<'_>,
    proof: &Proof,
    start: &mut LoopStart,
) -> Result<Baseline, Halt> {
    if proof.edition < 2 || !proof.has_checks() {
        return Ok(Baseline::default());
    }
    if !proof.has_baseline() {
        // The user knows.
        let reason = Some("`--no-baseline` leaves it out".to_owned());
        return Ok(Baseline { reason, ..Baseline::default() });
    }
    let baseline = run_checks(run, proof, start).await?;
    run.count_from(&baseline.reports);
    LoopStart::note(run, EventKind::Baseline(baseline.taken()));
    Ok(baseline)
}

async fn run_checks(run: &Run<'_>, proof: &Proof, start: &mut LoopStart) -> Result<Baseline, Halt> {
    let place = |number: usize| Place::new(0, format_args!("baseline/{number}"));
    let mut left = proof.baseline_timeout.0;
    let mut baseline = Baseline { state: BaselineState::Passed, ..Baseline::default() };
    for (number, check) in (1..).zip(run.checks_of(0, place, &proof.commands())) {
        let report = run_one(run, place(number), &check, start, left).await?;
        left = left.saturating_sub(Duration::from_millis(report.duration_ms));
        if report.timed_out && left < Duration::from_millis(1) {
            baseline.state = BaselineState::NotRun;
            let limit = proof.baseline_timeout;
            baseline.reason = Some(format!(
                "`{}` took longer than {limit} (`--baseline-timeout`)",
                report.command
            ));
            break;
        }
        if !report.passed {
            baseline.state = BaselineState::Failed;
        }
        baseline.reports.push(report);
    }
    if baseline.reports.is_empty() && baseline.reason.is_none() {
        // The checks came with a later owner of the loop.
        baseline.state = BaselineState::NotRun;
    }
    put_back(run, start).await?;
    Ok(baseline)
}

async fn run_one(
    run: &Run<'_>,
    place: Place,
    check: &CheckCommand,
    start: &LoopStart,
    left: Duration,
) -> Result<CheckReport, Halt> {
    let mut step = CheckStep::new(check, start.seen.tree());
    step.at_most_ms = Some(millis(left));
    step.is_baseline = true;
    run.check(place, step).await
}

/// Puts files back that the checks changed. Those that they added stay, and count as if the user had them
/// before the loop.
async fn put_back(run: &Run<'_>, start: &mut LoopStart) -> Result<(), Halt> {
    let place = |what: &str| Place::new(0, format_args!("baseline/{what}"));
    let Some(tree) = start.seen.tree() else { return put_back_outside(run, start).await };
    if !run.belongs(&place("tree"), true) {
        return Ok(());
    }
    let after = run.look(place("tree"), Some(tree.clone()), None).await?;
    if after.tree().as_ref() == Some(&tree) {
        return Ok(());
    }
    let restored = run.restore_existing(place("restored"), tree).await?;
    tell(run, &restored);
    start.written_by_checks = restored.changed;
    start.seen = run.look(place("left"), None, None).await?;
    start.dirty = run.dirty(place("dirty")).await?;
    Ok(())
}

/// The same outside git, where the files of the start were kept.
async fn put_back_outside(run: &Run<'_>, start: &mut LoopStart) -> Result<(), Halt> {
    let place = Place::new(0, "baseline/restored");
    if run.belongs(&place, true) {
        let restored = run.restore_existing(place, String::new()).await?;
        tell(run, &restored);
        start.written_by_checks = restored.changed;
    }
    Ok(())
}

fn tell(run: &Run<'_>, restored: &RestoreReport) {
    let told = [
        ("which are back as they were", &restored.changed),
        ("which could not be put back", &restored.left),
    ];
    for (how, files) in told.into_iter().filter(|(_, files)| !files.is_empty()) {
        let files = super::guarded::listed(files);
        let text = format!("the checks changed files before the first session, {how}: {files}");
        LoopStart::note(run, EventKind::Noted { text });
    }
}
