//! What people read of each event: the lines that the plain and the live screen share. Nothing
//! here prints, and every word of an agent comes out sanitised.

use windlass::{
    ending::ClaimedBy,
    event::{ClaimFate, Event, EventKind, IterationSummary, TasksMoved},
    outcome::Outcome,
    rules::opens_circuit,
    said::Said,
    sanitise,
    step::{CheckReport, SessionReport, Step, StepResult, WaitFor},
    time::Timestamp,
    view::{Fate, LoopView},
};

use super::{paint::Paint, summary};
use crate::text;

/// How many of the last lines of a failed check are shown.
const CHECK_LINES: usize = 10;
/// How many tasks that had the same happen to them are named.
const TASK_LINES: usize = 10;

/// Lines of a step and of what became of a claim; empty for events that are not shown. `view` has
/// the event in it already.
pub(crate) fn of(event: &Event, view: &LoopView, paint: Paint) -> Vec<String> {
    match &event.kind {
        EventKind::LoopStarted { .. } => vec![format!(
            "Loop {}: {} with {} in {}",
            paint.strong(&view.name),
            view.kind,
            view.agent,
            view.directory
        )],
        EventKind::LoopResumed { .. } => vec![resumed(view, paint)],
        EventKind::IterationStarted { iteration } => {
            vec![paint.strong(&heading(*iteration, view.max_iterations))]
        }
        EventKind::StepStarted { step, .. } => started(step, event.at),
        EventKind::StepFinished { place, result } => finished(role(place.as_str()), result, paint),
        EventKind::ClaimRejected { reasons, .. } => rejected(reasons, paint),
        EventKind::ClaimAccepted { checks, tree, .. } => {
            vec![accepted(*checks, tree.as_deref(), paint)]
        }
        EventKind::IterationFinished(summary) => {
            // The line of the session has said why.
            let failed = if summary.failure.is_some() { ", failed" } else { "" };
            vec![paint.faint(&format!("{}{failed}", iteration(summary)))]
        }
        EventKind::TasksMoved(moved) => tasks(moved, paint),
        // A session's own claim is told with the session.
        EventKind::Claimed { by: ClaimedBy::Tasks, .. } => {
            vec!["claim: no task is open".to_owned()]
        }
        EventKind::Claimed { .. }
        | EventKind::RuleWarned { .. }
        | EventKind::RuleTripped { .. }
        | EventKind::StopRequested { .. }
        | EventKind::CircuitReset
        | EventKind::RolledBack { .. }
        | EventKind::Noted { .. } => notice(event, paint).into_iter().collect(),
        EventKind::AgentSaid { .. }
        | EventKind::Ticked { .. }
        | EventKind::LoopFinished { .. }
        | EventKind::Unknown => Vec::new(),
    }
}

/// Whether the loop's last line says the same again.
pub(crate) fn is_told_by_the_ending(event: &Event) -> bool {
    matches!(&event.kind, EventKind::RuleTripped { rule, .. } if !opens_circuit(rule))
}

/// The line of an event that people should see on any screen.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "few events are for every screen, and new ones need not"
)]
pub(crate) fn notice(event: &Event, paint: Paint) -> Option<String> {
    let line = match &event.kind {
        EventKind::RuleTripped { .. } if is_told_by_the_ending(event) => return None,
        EventKind::RuleWarned { .. } | EventKind::RuleTripped { .. } | EventKind::Noted { .. } => {
            let (label, words) = warning(event)?;
            format!("{} {words}", paint.warn(label))
        }
        EventKind::StopRequested { level, by } => {
            let what = match level.as_str() {
                "after_iteration" => "stops after this iteration".to_owned(),
                "end" => "ends what runs, and stops".to_owned(),
                "kill" => "kills what runs, and stops".to_owned(),
                other => format!("stops ({})", sanitise::line(other)),
            };
            format!("{} {what}, as {} asked", paint.warn("stopping:"), asker(by))
        }
        EventKind::CircuitReset => "the circuit is closed again".to_owned(),
        EventKind::RolledBack { iteration: 0, .. } => {
            "the tree is back to how it was at the start".to_owned()
        }
        EventKind::RolledBack { iteration, .. } => {
            format!("the tree is back to how iteration {iteration} left it")
        }
        _ => return None,
    };
    Some(line)
}

/// Who asked a loop to stop.
fn asker(by: &str) -> String {
    match by {
        "sigint" => "Ctrl-C".to_owned(),
        "sigterm" => "SIGTERM".to_owned(),
        "request" => "`windlass cancel`".to_owned(),
        other => sanitise::line(other).into_owned(),
    }
}

/// A warning or note, as its label and its words: what goes to stderr where stdout has data.
#[expect(clippy::wildcard_enum_match_arm, reason = "few events warn, and new ones need not")]
pub(crate) fn warning(event: &Event) -> Option<(&'static str, String)> {
    match &event.kind {
        EventKind::RuleWarned { rule, reason } => Some((
            "warning:",
            format!(
                "the rule {} is one short of tripping: {}",
                sanitise::line(rule),
                sanitise::line(reason)
            ),
        )),
        EventKind::RuleTripped { rule, reason } => Some((
            "warning:",
            format!("the rule {} tripped: {}", sanitise::line(rule), sanitise::line(reason)),
        )),
        EventKind::Noted { text } => Some(("note:", sanitise::line(text).into_owned())),
        _ => None,
    }
}

/// The heading of an iteration.
pub(crate) fn heading(iteration: u32, max_iterations: u32) -> String {
    match max_iterations {
        0 => format!("━━━ Iteration {iteration} ━━━"),
        max => format!("━━━ Iteration {iteration} of {max} ━━━"),
    }
}

/// A finished iteration in one line, for the live screen.
pub(crate) fn iteration_line(summary: &IterationSummary, view: &LoopView, paint: Paint) -> String {
    let (icon, claim) = match summary.claim {
        ClaimFate::Accepted => (paint.good("✓"), ", claim accepted".to_owned()),
        ClaimFate::Rejected => (paint.bad("✗"), rejection(view)),
        ClaimFate::None if summary.failure.is_some() => (paint.bad("✗"), String::new()),
        ClaimFate::None => ("•".to_owned(), String::new()),
    };
    let failure = summary.failure.as_deref().map(sanitise::line);
    let failure = failure.map(|failure| format!(", failed: {failure}")).unwrap_or_default();
    format!("{icon} {}{failure}{claim}", iteration(summary))
}

/// What an agent said, a line each, and as it is shown: indented, and with what it is.
pub(crate) fn said(said: &Said, paint: Paint) -> Vec<String> {
    let lines = |text: &str| -> Vec<String> {
        sanitise::text(text)
            .trim_end_matches('\n')
            .lines()
            .map(|line| format!("  │ {line}"))
            .collect()
    };
    match said {
        Said::Text { text } => lines(text),
        Said::Raw { text } | Said::Stderr { text } => {
            lines(text).iter().map(|line| paint.faint(line)).collect()
        }
        Said::Problem { text } => lines(text).iter().map(|line| paint.bad(line)).collect(),
        Said::ToolUse { name, summary } => {
            // The summary says what the tool does; its name would say it twice.
            let what = if summary.is_empty() { format!("uses {name}") } else { summary.clone() };
            vec![paint.faint(&format!("  ▸ {}", sanitise::line(&what)))]
        }
        Said::ToolResult { summary, failed: true } => {
            vec![paint.bad(&format!("  ◂ failed: {}", sanitise::line(summary)))]
        }
        Said::ToolResult { summary, .. } => {
            let answer = if summary.is_empty() { "done" } else { summary };
            vec![paint.faint(&format!("  ◂ {}", sanitise::line(answer)))]
        }
        Said::Limit { .. } => vec![paint.warn(&format!("  {}", said.content()))],
        Said::Usage(_) => Vec::new(),
    }
}

/// The first digits of a tree's or commit's id.
pub(crate) fn short_id(id: &str) -> String {
    sanitise::line(id).chars().take(7).collect()
}

fn resumed(view: &LoopView, paint: Paint) -> String {
    let name = if view.name.is_empty() {
        "The loop".to_owned()
    } else {
        format!("Loop {}", paint.strong(&view.name))
    };
    match view.max_iterations {
        0 => format!("{name} goes on"),
        max => format!("{name} goes on, up to {}", text::count(max, "iteration")),
    }
}

/// The part of a place that says whose step it is: `agent` of `2/agent`.
fn role(place: &str) -> &str {
    let what = place.split_once('/').map_or(place, |(_, what)| what);
    // A session that met a limit has another try, and is still the same part.
    what.split_once("/again/").map_or(what, |(role, _)| role)
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

fn started(step: &Step, at: Timestamp) -> Vec<String> {
    match step {
        // In a resumed loop a wait may be over before it begins.
        Step::Wait { until, .. } if until.since(at).is_zero() => Vec::new(),
        Step::Wait { until, what, reason } => vec![wait(*until, *what, reason, at)],
        Step::Session(_)
        | Step::Check(_)
        | Step::Snapshot { .. }
        | Step::Dirty
        | Step::Read { .. }
        | Step::Fingerprint { .. }
        | Step::Mark
        | Step::Diff { .. }
        | Step::Commit { .. } => Vec::new(),
    }
}

fn finished(role: &str, result: &StepResult, paint: Paint) -> Vec<String> {
    match result {
        StepResult::Session(report) => session(&sanitise::line(role), report, paint),
        StepResult::Check(report) => check(report, paint),
        StepResult::Commit { commit, left_out } => {
            let mut lines = Vec::new();
            if let Some(commit) = commit {
                lines.push(format!("commit: {}", short_id(commit)));
            }
            lines.extend(
                left_out
                    .iter()
                    .map(|path| format!("left out of the commit: {}", sanitise::line(path))),
            );
            lines
        }
        StepResult::Diff(report) => {
            let listed = u32::try_from(report.left_out.len()).unwrap_or(u32::MAX);
            let left_out = listed.saturating_add(report.unlisted);
            let line = format!("diff: {left_out} of {} files are named only", report.files);
            if left_out > 0 { vec![line] } else { Vec::new() }
        }
        StepResult::Snapshot { .. }
        | StepResult::Dirty { .. }
        | StepResult::Read { .. }
        | StepResult::Fingerprint { .. }
        | StepResult::Mark { .. }
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
    if report.claim.by.is_some() {
        lines.push(claim(report));
    }
    lines
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
    if report.passed {
        return vec![format!("check `{command}`: {} ({took})", paint.good("passed"))];
    }
    let how = match report.exit_code {
        _ if report.timed_out => "timed out".to_owned(),
        Some(code) => format!("exit {code}"),
        None => "killed".to_owned(),
    };
    let mut lines = vec![format!("check `{command}`: {} ({how}, {took})", paint.bad("failed"))];
    lines.extend(tail(&report.tail, CHECK_LINES).iter().map(|line| format!("    {line}")));
    lines
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

/// What became of tasks, a line each, and how they stand.
fn tasks(moved: &TasksMoved, paint: Paint) -> Vec<String> {
    let groups = [
        (paint.good("task done:"), &moved.completed),
        ("task opened again:".to_owned(), &moved.reopened),
        ("task added:".to_owned(), &moved.added),
        (paint.warn("task removed:"), &moved.removed),
    ];
    let mut lines = Vec::new();
    for (label, names) in groups {
        let shown = names.iter().take(TASK_LINES);
        lines.extend(shown.map(|name| format!("{label} {}", sanitise::line(name))));
        if names.len() > TASK_LINES {
            lines.push(format!("{label} and {} more", names.len() - TASK_LINES));
        }
    }
    lines.push(summary::tasks(moved.open, moved.done));
    lines
}

fn rejected(reasons: &[String], paint: Paint) -> Vec<String> {
    let label = paint.bad("claim rejected:");
    reasons.iter().map(|reason| format!("{label} {}", sanitise::line(reason))).collect()
}

fn accepted(checks: u32, tree: Option<&str>, paint: Paint) -> String {
    let label = paint.good("claim accepted:");
    match (checks, tree) {
        (0, _) => format!("{label} unverified, no check was given"),
        (n, Some(tree)) => {
            format!("{label} {} passed on tree {}", text::count(n, "check"), short_id(tree))
        }
        (n, None) => format!("{label} {} passed", text::count(n, "check")),
    }
}

fn iteration(summary: &IterationSummary) -> String {
    let took = text::millis(summary.duration_ms);
    let mut line = format!("iteration {}: {took}", summary.iteration);
    // Without a tree nobody has looked, and "no files" would be a claim.
    if summary.tree.is_some() {
        line.push_str(&format!(", {} changed", text::count(summary.files_changed, "file")));
    }
    line
}

fn rejection(view: &LoopView) -> String {
    match view.claim.as_ref().map(|claim| &claim.fate) {
        Some(Fate::Rejected { reasons }) if !reasons.is_empty() => {
            format!(", claim rejected: {}", reasons.join("; "))
        }
        _ => ", claim rejected".to_owned(),
    }
}
