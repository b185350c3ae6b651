//! What people read of steps: sessions, checks, commits and waits.

use windlass_core::{
    ids::Place,
    outcome::Outcome,
    step::{CheckReport, SessionReport, Step, StepResult, WaitFor},
    text::sanitise,
    time::Timestamp,
};

use super::{proof, short_id};
use crate::{
    report::{asker, paint::Paint},
    text,
};

/// How many of the last lines of a failed check are shown.
const CHECK_LINES: usize = 10;

/// The part of a place that says whose step it is: `agent` of `2/agent`, `fixer 1` of `2/fixer/1`.
pub(super) fn role(place: &str) -> String {
    let what = place.split_once('/').map_or(place, |(_, what)| what);
    // A session that met a limit has another try, and is still the same part.
    what.split_once("/again/").map_or(what, |(role, _)| role).replace('/', " ")
}

/// Whether a step belongs to the checks before the first session.
pub(super) fn is_baseline(place: &Place) -> bool {
    place.as_str().split('/').nth(1) == Some("baseline")
}

/// That a loop waits, what for, and how long it still is.
pub(crate) fn wait(until: Timestamp, what: WaitFor, reason: &str, now: Timestamp) -> String {
    let left = text::duration(until.since(now));
    let (at, reason) = (text::time_of_day(until), sanitise::line(reason));
    match what {
        WaitFor::Pause => format!("Waiting {left}, until {at}: {reason}"),
        WaitFor::Reset | WaitFor::Room => format!("Waiting for {reason} at {at} ({left})"),
    }
}

pub(super) fn started(step: &Step, at: Timestamp) -> Vec<String> {
    match step {
        // In a resumed loop a wait may be over before it begins.
        Step::Wait { until, .. } if until.since(at).is_zero() => Vec::new(),
        Step::Wait { until, what, reason } => vec![wait(*until, *what, reason, at)],
        Step::Ask { question, choices } => {
            vec![format!("{} {}", sanitise::line(question), asker::offer(choices))]
        }
        Step::Session(_)
        | Step::Check(_)
        | Step::Snapshot { .. }
        | Step::Restore { .. }
        | Step::Dirty
        | Step::Read { .. }
        | Step::Fingerprint { .. }
        | Step::Guard(_)
        | Step::Guarded { .. }
        | Step::Originals(_)
        | Step::Programs
        | Step::Mark
        | Step::Diff { .. }
        | Step::Base { .. }
        | Step::Tick { .. }
        | Step::Keep { .. }
        | Step::Write { .. }
        | Step::Gather { .. }
        | Step::Head(_)
        | Step::Post(_)
        | Step::Push { .. }
        | Step::Hook(_)
        | Step::Unresolved { .. }
        | Step::Conclude { .. }
        | Step::Advance(_)
        | Step::Commit { .. } => Vec::new(),
    }
}

/// How many files of those that something is said of are named.
const NAMED: usize = 3;

/// What stayed out of a commit, a line for each reason.
fn left_out_of_commit(left_out: &[String]) -> Vec<String> {
    let mut reasons: Vec<(&str, Vec<&str>)> = Vec::new();
    for entry in left_out {
        let (path, why) = entry.rsplit_once(": ").unwrap_or((entry, ""));
        match reasons.iter_mut().find(|(known, _)| *known == why) {
            Some((_, paths)) => paths.push(path),
            None => reasons.push((why, vec![path])),
        }
    }
    let line = |(why, paths): (&str, Vec<&str>)| match paths.as_slice() {
        [path] => sanitise::line(&format!("left out of the commit: {path}: {why}")).into_owned(),
        paths => {
            let named = paths.iter().take(NAMED).copied().collect::<Vec<_>>().join(", ");
            let more = match paths.len().saturating_sub(NAMED) {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            let files = text::number(paths.len(), "file");
            sanitise::line(&format!(
                "left out of the commit: {files}, each because {why}: {named}{more}"
            ))
            .into_owned()
        }
    };
    reasons.into_iter().map(line).collect()
}

pub(super) fn finished(role: &str, result: &StepResult, paint: Paint) -> Vec<String> {
    match result {
        StepResult::Session(report) => session(&sanitise::line(role), report, paint),
        StepResult::Check(report) => check(report, paint),
        StepResult::Commit { commit, left_out } => {
            let mut lines = Vec::new();
            if let Some(commit) = commit {
                lines.push(format!("commit: {}", short_id(commit)));
            }
            lines.extend(left_out_of_commit(left_out));
            lines
        }
        StepResult::Diff(report) => {
            let listed = u32::try_from(report.left_out.len()).unwrap_or(u32::MAX);
            let left_out = listed.saturating_add(report.unlisted);
            let (files, are) =
                (text::number(report.files, "file"), text::agree(left_out, "is", "are"));
            let line = format!("diff: {left_out} of {files} {are} named only");
            if left_out > 0 { vec![line] } else { Vec::new() }
        }
        StepResult::Written { path } => vec![format!("written: {}", sanitise::line(path))],
        StepResult::Posted { url: Some(url), .. } => {
            vec![format!("posted: {}", sanitise::line(url))]
        }
        StepResult::Pushed { commit: Some(commit), .. } => {
            vec![format!("pushed: {}", short_id(commit))]
        }
        StepResult::Advanced { branch, commit, at } => {
            let (branch, commit) = (sanitise::line(branch), short_id(commit));
            let line = format!("`{branch}` is at {commit} now");
            match at {
                Some(at) => vec![format!("{line}, and so are the files in {}", sanitise::line(at))],
                None => vec![line],
            }
        }
        StepResult::Snapshot { .. }
        | StepResult::Restored(_)
        | StepResult::Unresolved { .. }
        | StepResult::Dirty { .. }
        | StepResult::Read { .. }
        | StepResult::Fingerprint { .. }
        | StepResult::Guard(_)
        | StepResult::Guarded(_)
        | StepResult::Originals(_)
        | StepResult::Programs { .. }
        | StepResult::Mark { .. }
        | StepResult::Base { .. }
        | StepResult::Ticked { .. }
        | StepResult::Kept
        | StepResult::Gathered { .. }
        | StepResult::Arrived { .. }
        | StepResult::Posted { url: None, .. }
        | StepResult::Limited { .. }
        | StepResult::Pushed { commit: None, .. }
        | StepResult::Answered { .. }
        | StepResult::Hooked { .. }
        | StepResult::Waited => Vec::new(),
    }
}

fn session(role: &str, report: &SessionReport, paint: Paint) -> Vec<String> {
    let took = text::millis(report.duration_ms);
    let outcome = match &report.outcome {
        Outcome::Limited { until: Some(until) } => {
            format!("limited until {}", text::local_time(*until))
        }
        outcome => outcome.to_string(),
    };
    let outcome = sanitise::line(&outcome);
    let mut lines = if report.outcome.is_failure() {
        let problem =
            report.problem.as_deref().map(|problem| format!(": {}", sanitise::line(problem)));
        vec![format!("{role}: {} after {took}{}", paint.bad(&outcome), problem.unwrap_or_default())]
    } else {
        let mut line = format!("{role}: {outcome} in {took}");
        if let Some(cost) = report.usage.cost_usd {
            line.push_str(&format!(", {}", text::money(cost)));
        }
        vec![line]
    };
    if !report.leftovers.is_empty() {
        let names: Vec<_> = report.leftovers.iter().map(|name| sanitise::line(name)).collect();
        lines.push(format!("{role}: left running, and ended: {}", text::list(&names)));
    }
    let dropped = report.stdout.dropped.saturating_add(report.stderr.dropped);
    if dropped > 0 {
        lines.push(format!("{role}: {} of its output were not kept", text::bytes(dropped)));
    }
    lines.extend(denied(role, report, paint));
    if report.claim.by.is_some() {
        lines.push(claim(report));
    }
    lines
}

/// The tools that a session was denied.
pub(super) fn denied(role: &str, report: &SessionReport, paint: Paint) -> Option<String> {
    let names: Vec<_> = report.denied_tools.iter().map(|name| sanitise::line(name)).collect();
    let label = paint.warn("denied:");
    (!names.is_empty()).then(|| format!("{}: {label} {}", sanitise::line(role), text::list(&names)))
}

fn claim(report: &SessionReport) -> String {
    let words = report.claim.text.as_deref().map(sanitise::line).unwrap_or_default();
    let inside = words.trim().strip_suffix("</promise>");
    let inside = inside.and_then(|words| words.rsplit_once("<promise>"));
    let words = inside.map_or(words.as_ref(), |(_, promise)| promise).trim();
    match (words, report.claim.by) {
        ("", Some(by)) => format!("claim: by {}", by.word()),
        (words, _) => format!("claim: {}", text::truncate(words, 100)),
    }
}

fn check(report: &CheckReport, paint: Paint) -> Vec<String> {
    let took = text::millis(report.duration_ms);
    let command = sanitise::line(&report.command);
    let tests = report.tests.as_ref();
    if report.passed {
        let counted = tests.map(|tests| format!("{}, ", proof::tests(tests))).unwrap_or_default();
        return vec![format!("check `{command}`: {} ({counted}{took})", paint.good("passed"))];
    }
    let how = how(report.exit_code, report.timed_out);
    let counted = tests.filter(|tests| tests.ran() > 0).map(proof::tests);
    let counted = counted.map(|counted| format!("{counted}, ")).unwrap_or_default();
    let mut lines =
        vec![format!("check `{command}`: {} ({counted}{how}, {took})", paint.bad("failed"))];
    if let Some(names) = tests.and_then(proof::failing) {
        lines.push(format!("  failing: {names}"));
    }
    if let Some(error) = &report.first_error {
        lines.push(format!("  first error: {}", proof::name(error)));
    }
    lines.extend(tail(&report.tail, CHECK_LINES).iter().map(|line| format!("    {line}")));
    lines
}

/// How a check failed.
pub(super) fn how(exit_code: Option<i32>, timed_out: bool) -> String {
    match exit_code {
        _ if timed_out => "timed out".to_owned(),
        Some(code) => format!("exit {code}"),
        None => "killed".to_owned(),
    }
}

/// The last lines of a text, those that are empty left out.
pub(crate) fn tail(tail: &str, n: usize) -> Vec<String> {
    let clean = sanitise::text(tail);
    let mut last: Vec<String> = clean
        .lines()
        .rev()
        .filter(|line| !line.trim().is_empty())
        .take(n)
        .map(str::to_owned)
        .collect();
    last.reverse();
    last
}
