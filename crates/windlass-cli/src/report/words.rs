//! What people read of each event: the lines that the plain and the live screen share. Nothing
//! here prints, and every word of an agent comes out sanitised.

mod changes;
mod claims;
pub(crate) mod now;
pub(crate) mod proof;
pub(crate) mod proven;
mod review;
mod steps;

pub(crate) use changes::changed;
pub(crate) use claims::{doubted, is_in_proof, rejected};
pub(crate) use review::{finding, quoted};
pub(crate) use steps::{tail, wait};
use windlass_core::{
    claim::Why,
    ending::ClaimedBy,
    event::{
        AgentConfigFound, ClaimFate, Event, EventKind, IterationSummary, LeftBehind,
        LeftBehindFound, TasksMoved,
    },
    rules::is_opening,
    said::Said,
    text::sanitise,
    view::{Fate, LoopView},
};

use super::{paint::Paint, start, summary};
use crate::text;

/// How many tasks that had the same happen to them are named.
const TASK_LINES: usize = 10;

/// How many things that were left behind are named.
const LEFT_LINES: usize = 20;

/// How many things that a repository's files have agents do are named.
const CONFIG_LINES: usize = 20;

/// Lines of a step and of what became of a claim; empty for events that are not shown. `view` has
/// the event in it already.
pub(crate) fn of(event: &Event, view: &LoopView, paint: Paint) -> Vec<String> {
    match &event.kind {
        // No agent works in a merge, unless something does not fit.
        EventKind::LoopStarted { .. } if view.kind == "merge" => {
            vec![format!("Loop {}: merge in {}", paint.strong(&view.name), view.directory)]
        }
        EventKind::LoopStarted { .. } => vec![format!(
            "Loop {}: {} with {} in {}",
            paint.strong(&view.name),
            view.kind,
            view.agent,
            view.directory
        )]
        .into_iter()
        .chain(start::lines(event, paint))
        .collect(),
        EventKind::LoopResumed { accepting: true, .. } => {
            vec![format!("{} was reopened by `windlass accept`", named(view, paint))]
        }
        EventKind::LoopResumed { .. } => {
            std::iter::once(resumed(view, paint)).chain(start::lines(event, paint)).collect()
        }
        EventKind::OptionChanged(change) => changed(change, paint).into_iter().collect(),
        EventKind::IterationStarted { iteration } => {
            vec![paint.strong(&heading(*iteration, view.max_iterations))]
        }
        EventKind::Phase(entered) => review::entered(entered, view, paint),
        EventKind::StepStarted { step, .. } => steps::started(step, event.at),
        // The baseline tells of its checks.
        EventKind::StepFinished { place, .. } if steps::is_baseline(place) => Vec::new(),
        EventKind::StepFinished { place, result } => {
            steps::finished(&steps::role(place.as_str()), result, paint)
        }
        EventKind::ClaimRejected { reasons, .. } => rejected("claim rejected:", reasons, paint),
        EventKind::ClaimAccepted { by, checks, tree, doubts, waived, .. } => {
            let label = if *by == ClaimedBy::Verdict { "accepted:" } else { "claim accepted:" };
            let proof = view.proof.as_ref();
            let mut lines = vec![match waived {
                true => claims::waived(label, proof, paint),
                false => claims::accepted(label, *checks, tree.as_deref(), paint),
            }];
            let doubts = doubts.iter().filter(|doubt| !is_in_proof(doubt, proof));
            lines.extend(doubts.map(|doubt| doubted(doubt, paint)));
            lines
        }
        EventKind::IterationFinished(summary) => {
            // The line of the session has said why.
            let failed = if summary.failure.is_some() { ", failed" } else { "" };
            vec![paint.faint(&format!("{}{failed}", iteration(summary)))]
        }
        EventKind::TasksMoved(moved) => tasks(moved, paint),
        EventKind::FindingsSeen(seen) => review::seen(seen, paint),
        EventKind::AuditLogged(logged) => review::logged(logged, paint),
        EventKind::PullRead(pull) => review::pull(pull, paint),
        EventKind::FixTried(tried) => review::tried(tried, view, paint),
        // A session's own claim is told with the session.
        EventKind::Claimed { by: ClaimedBy::Tasks, .. } => {
            vec!["claim: no task is open".to_owned()]
        }
        EventKind::Claimed { by: ClaimedBy::Merge, .. } => {
            vec!["claim: git finds no conflict".to_owned()]
        }
        // The phase tells of a verdict.
        EventKind::Claimed { by: ClaimedBy::Verdict, .. } => Vec::new(),
        EventKind::AgentConfigFound(_) | EventKind::LeftBehind(_) => {
            let notice = notice(event, paint).unwrap_or_default();
            notice.lines().map(str::to_owned).collect()
        }
        EventKind::Claimed { .. }
        | EventKind::RuleWarned { .. }
        | EventKind::RuleTripped { .. }
        | EventKind::StopRequested { .. }
        | EventKind::CircuitReset
        | EventKind::RolledBack { .. }
        | EventKind::NearMiss { .. }
        | EventKind::Noted { .. } => notice(event, paint).into_iter().collect(),
        EventKind::Baseline(taken) => {
            let mut lines = proof::baseline_block(taken);
            lines.extend(notice(event, paint));
            lines
        }
        EventKind::Guarded(report) => proof::guarded(report),
        // The baseline has told of what was counted before the first iteration.
        EventKind::Tests(counted) if counted.iteration == 0 => Vec::new(),
        EventKind::Tests(counted) => vec![proof::counted(counted)],
        EventKind::Originals(ran) => proof::originals(ran, paint),
        EventKind::Proof(taken) => claims::of_proof(&taken.proof, paint),
        EventKind::AgentSaid { .. }
        | EventKind::Ticked { .. }
        | EventKind::LoopFinished { .. }
        | EventKind::Unknown => Vec::new(),
    }
}

/// Whether the loop's last line says the same again.
pub(crate) fn is_told_by_the_ending(event: &Event) -> bool {
    matches!(event.kind, EventKind::RuleTripped { .. }) && !is_opening(&event.kind)
}

/// The line of an event that people should see on any screen.
pub(crate) fn notice(event: &Event, paint: Paint) -> Option<String> {
    let line = match &event.kind {
        EventKind::RuleTripped { .. } if is_told_by_the_ending(event) => return None,
        EventKind::RuleWarned { .. }
        | EventKind::RuleTripped { .. }
        | EventKind::AgentConfigFound(_)
        | EventKind::LeftBehind(_)
        | EventKind::NearMiss { .. }
        | EventKind::Baseline(_)
        | EventKind::Noted { .. } => {
            let (label, words) = warning(event)?;
            format!("{} {words}", paint.warn(label))
        }
        EventKind::StopRequested { level, by } => {
            let what = match level.as_str() {
                "after_iteration" => "stopping after this iteration".to_owned(),
                "end" => "stopping…".to_owned(),
                "kill" => "stopping now, without waiting for what runs".to_owned(),
                other => format!("stopping ({})", sanitise::line(other)),
            };
            let more = match (level.as_str(), by.as_str()) {
                ("end", "sigint") => "; press it again to stop without waiting",
                _ => "",
            };
            format!("{} (requested by {}{more})", paint.warn(&what), asker(by))
        }
        EventKind::OptionChanged(change) => return changed(change, paint),
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
        "sighup" => "SIGHUP".to_owned(),
        "request" => "`windlass cancel`".to_owned(),
        other => sanitise::line(other).into_owned(),
    }
}

/// What follows if a rule that warns sees the same once more.
const ONE_MORE: &str = "one more stops the loop";

/// A warning or note, as its label and its words: what goes to stderr where stdout has data.
pub(crate) fn warning(event: &Event) -> Option<(&'static str, String)> {
    match &event.kind {
        EventKind::RuleWarned { rule, reason } => Some((
            "warning:",
            format!(
                "{}; {} (rule {})",
                sanitise::line(reason),
                if rule == "budgets" { "the next iteration may be the last" } else { ONE_MORE },
                sanitise::line(rule)
            ),
        )),
        EventKind::RuleTripped { rule, reason, .. } => Some((
            "warning:",
            format!("the rule {} tripped: {}", sanitise::line(rule), sanitise::line(reason)),
        )),
        EventKind::AgentConfigFound(found) => Some(("note:", agent_config(found))),
        EventKind::LeftBehind(found) => Some(("warning:", left_behind(found)?)),
        EventKind::NearMiss { why, text, .. } => Some(("note:", near_miss(*why, text))),
        EventKind::Baseline(taken) => Some(("warning:", proof::baseline_warning(taken)?)),
        EventKind::Noted { text } => Some(("note:", sanitise::line(text).into_owned())),
        _ => None,
    }
}

/// What looked like a claim, and why it did not count.
pub(crate) fn near_miss(why: Why, text: &str) -> String {
    format!("no claim, though it looks like one: {} ({why})", sanitise::line(text))
}

/// What the work tree's own files have agents run or obey, a line each.
fn agent_config(found: &AgentConfigFound) -> String {
    let mut words = "this repository's own files have agents run or obey:".to_owned();
    for entry in found.entries.iter().take(CONFIG_LINES) {
        words.push_str("\n  ");
        words.push_str(&sanitise::line(&entry.line()));
    }
    let more = found.entries.len().saturating_sub(CONFIG_LINES);
    let more = more.saturating_add(usize::try_from(found.left_out).unwrap_or(usize::MAX));
    if more > 0 {
        words.push_str(&format!("\n  and {more} more; `windlass log --json` has them"));
    }
    words
}

/// What was left behind in the repository, the first of it; the summary lists all.
fn left_behind(found: &LeftBehindFound) -> Option<String> {
    let first = found.entries.first()?;
    let more = found.entries.len().saturating_sub(1);
    let more = more.saturating_add(usize::try_from(found.left_out).unwrap_or(usize::MAX));
    let more = if more > 0 { format!(", and {more} more") } else { String::new() };
    let first = sanitise::line(&first.line()).into_owned();
    Some(format!("left behind in the repository: {first}{more}"))
}

/// What was left behind in the repository, a line each.
pub(crate) fn all_left_behind(left: &[LeftBehind], paint: Paint) -> Vec<String> {
    if left.is_empty() {
        return Vec::new();
    }
    let heading = "left behind in the repository, and could run code or hide work:";
    let mut lines = vec![format!("  {}", paint.warn(heading))];
    let shown = left.iter().take(LEFT_LINES);
    lines.extend(shown.map(|entry| format!("    {}", sanitise::line(&entry.line()))));
    let more = left.len().saturating_sub(LEFT_LINES);
    if more > 0 {
        lines.push(format!("    and {more} more; `windlass show --json` has them"));
    }
    lines
}

/// The heading of an iteration.
pub(crate) fn heading(iteration: u32, max_iterations: u32) -> String {
    match max_iterations {
        0 => format!("━━━ Iteration {iteration} ━━━"),
        max => format!("━━━ Iteration {iteration} of at most {max} ━━━"),
    }
}

/// A finished iteration in one line, for the live screen.
pub(crate) fn iteration_line(summary: &IterationSummary, view: &LoopView, paint: Paint) -> String {
    let (icon, claim) = match summary.claim {
        ClaimFate::Accepted | ClaimFate::AcceptedInPart => {
            (paint.good("✓"), ", claim accepted".to_owned())
        }
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
        Said::Hook { summary, failed: true } => {
            vec![paint.bad(&format!("  ◇ hook failed: {}", sanitise::line(summary)))]
        }
        Said::Hook { summary, .. } => {
            vec![paint.faint(&format!("  ◇ hook {}", sanitise::line(summary)))]
        }
        Said::Limit { .. } => vec![paint.warn(&format!("  {}", said.content()))],
        Said::Usage(_) => Vec::new(),
    }
}

/// The first digits of a tree's or commit's id.
pub(crate) fn short_id(id: &str) -> String {
    sanitise::line(id).chars().take(7).collect()
}

fn named(view: &LoopView, paint: Paint) -> String {
    if view.name.is_empty() {
        "The loop".to_owned()
    } else {
        format!("Loop {}", paint.strong(&view.name))
    }
}

fn resumed(view: &LoopView, paint: Paint) -> String {
    let name = named(view, paint);
    match view.max_iterations {
        0 => format!("{name} goes on"),
        max => format!("{name} goes on, up to {}", text::count(max, "iteration")),
    }
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
        Some(Fate::Rejected { reasons }) => match reasons.as_slice() {
            [] => ", claim rejected".to_owned(),
            [reason] => format!(", claim rejected: {reason}"),
            [reason, more @ ..] => {
                format!(
                    ", claim rejected: {reason} (and {})",
                    text::count(more.len(), "more reason")
                )
            }
        },
        _ => ", claim rejected".to_owned(),
    }
}
