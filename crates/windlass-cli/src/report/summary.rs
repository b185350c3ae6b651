//! The end of a loop for people: how it ended, and what it took.

use windlass::agent::BuiltIn;
use windlass_core::{
    ending::Ending,
    findings::{Entry, Status},
    forge::PostedReview,
    result::LoopResult,
    said::Usage,
    text::sanitise,
    view::LoopView,
};
use windlass_store::store::LoopRecord;

use super::{
    ending::{Standing, State},
    paint::Paint,
    words,
};
use crate::text;

/// So many tasks are named.
const MOST_TASKS: usize = 10;

/// The lines of the summary.
pub(crate) fn lines(result: &LoopResult, view: &LoopView, paint: Paint) -> Vec<String> {
    let mut standing = Standing::of_result(result);
    standing.prove(view.proving(), result.proof.as_ref());
    let mut facts = vec![
        text::count(result.sessions, "session"),
        text::count(view.checks_run, "check"),
        format!("{} modified", text::count(result.files_modified, "file")),
    ];
    facts.extend(view.tasks.as_ref().map(|view| tasks(view.open, view.done)));
    let reviewed = !view.ledger.trajectory().is_empty();
    if reviewed {
        facts.push(findings(view));
    }
    facts.extend(spend(result.usage));
    facts.push(text::millis(result.duration_ms));
    let mut lines = vec![standing.words(paint), format!("  {}", facts.join(", "))];
    lines.extend(
        result.proof.iter().flat_map(|proof| {
            words::proven::lines(proof, (result.success, result.verified), paint)
        }),
    );
    lines.extend(words::all_left_behind(&result.left_behind, paint));
    if reviewed {
        let mode = if result.loop_mode { "in loop mode" } else { "in a single pass" };
        let fixes = text::number(result.fixes, "fix");
        let counts = trajectory(&view.ledger.trajectory());
        lines.push(format!("  findings: {counts}, {fixes} applied {mode}"));
        let left: Vec<String> =
            left(view).map(|entry| words::finding(&entry.finding, paint)).collect();
        lines.extend(names("left", &left, 0));
    }
    lines.extend(view.skipped_tests.iter().map(|(iteration, command)| {
        format!("  {} `{command}` failed on iteration {iteration}", paint.warn("tests skipped:"))
    }));
    if let Some(list) = result.task_list.as_ref().filter(|_| !result.success) {
        lines.push(format!("  what remains is in {}", sanitise::line(list)));
    }
    lines.extend(result.posted.as_ref().map(posted));
    let is_over = matches!(
        standing.state,
        State::Ended(Ending::Stalled { .. } | Ending::MaxIterations { left: Some(_), .. })
    );
    if let Some(number) = view.pull.filter(|_| is_over) {
        lines.push(format!(
            "  Run `windlass pr {number} --loop` to retry or `windlass pr {number}` to post the \
             current state"
        ));
    }
    if let State::Ended(Ending::Escalated { feedback, .. }) = &standing.state {
        lines.extend(words::quoted("  what is open:", feedback));
    }
    if let Some(view) = &view.tasks {
        let unnamed = |all: u32, named: &[String]| {
            usize::try_from(all).map_or(0, |all| all.saturating_sub(named.len()))
        };
        lines.extend(names(
            "done",
            &view.last_completed,
            unnamed(view.completed, &view.last_completed),
        ));
        let escalated = escalated(&standing.state);
        lines.extend(names("escalated", &escalated, 0));
        let left: Vec<String> =
            view.left.iter().filter(|name| !escalated.contains(name)).cloned().collect();
        let named = [left.clone(), escalated].concat();
        lines.extend(names("open", &left, unnamed(view.open, &named)));
    }
    lines
}

/// The tasks that were not approved in time.
fn escalated(state: &State) -> Vec<String> {
    match state {
        State::Ended(Ending::Escalated { tasks, .. }) => {
            tasks.iter().map(|task| sanitise::line(task).into_owned()).collect()
        }
        State::Ended(_) | State::Running | State::Interrupted | State::Other(_) => Vec::new(),
    }
}

/// What GitHub was told.
fn posted(posted: &PostedReview) -> String {
    let commit = words::short_id(&posted.commit);
    let told = match posted.event.as_str() {
        "APPROVE" => format!("approved on GitHub: {commit}"),
        "REQUEST_CHANGES" => format!("requested changes on GitHub: {commit}"),
        _ => format!("commented on GitHub: {commit}"),
    };
    match &posted.why {
        Some(why) => format!("  {told}, no approval: {}", sanitise::line(why)),
        None => format!("  {told}"),
    }
}

/// What was found, and what became of it.
fn findings(view: &LoopView) -> String {
    let counts = view.ledger.counts();
    let found = text::count(counts.total, "finding");
    let left = counts.open.saturating_add(counts.skipped);
    format!("{found}, {} fixed, {left} left", counts.fixed)
}

/// The findings that are not fixed.
fn left(view: &LoopView) -> impl Iterator<Item = &Entry> {
    view.ledger.entries().iter().filter(|entry| entry.status != Status::Fixed)
}

/// How many findings each review had: `12 → 4 → 0`.
pub(crate) fn trajectory(reports: &[u32]) -> String {
    let counts: Vec<String> = reports.iter().map(u32::to_string).collect();
    counts.join(" → ")
}

/// How many tasks are done.
pub(crate) fn tasks(open: u32, done: u32) -> String {
    format!("{done} of {} done", text::count(open.saturating_add(done), "task"))
}

/// The tasks that stand so, in a line each; of many the last ones are only counted.
fn names(how: &str, names: &[String], unnamed: usize) -> Vec<String> {
    let unnamed = unnamed + names.len().saturating_sub(MOST_TASKS);
    let shown = names.iter().take(MOST_TASKS);
    let mut lines: Vec<String> = shown.map(|name| format!("  {how}: {name}")).collect();
    if unnamed > 0 {
        lines.push(format!("  {how}: and {unnamed} more"));
    }
    lines
}

/// Tokens and money, or why there are none: an agent that reports its cost may not have come to it.
pub(crate) fn spend_told(record: &LoopRecord) -> String {
    let reports = BuiltIn::named(&record.agent).is_none_or(|agent| agent.abilities.cost);
    spend(record.usage).unwrap_or_else(|| match reports {
        true if record.ended_at.is_none() => "none reported yet".to_owned(),
        true => "none reported".to_owned(),
        false => "not reported by this agent".to_owned(),
    })
}

/// Tokens and money, where an agent reported them.
pub(crate) fn spend(usage: Usage) -> Option<String> {
    let tokens = (usage.input_tokens, usage.output_tokens);
    let tokens = (tokens != (0, 0)).then(|| {
        format!(
            "{} tokens in and {} out",
            text::short(usage.input_tokens),
            text::short(usage.output_tokens)
        )
    });
    match (usage.cost_usd.map(text::money), tokens) {
        (Some(money), Some(tokens)) => Some(format!("{money} ({tokens})")),
        (money, tokens) => money.or(tokens),
    }
}
