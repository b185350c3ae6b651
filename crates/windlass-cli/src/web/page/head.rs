//! The part of a loop's page that moves: how it stands, how far it came, its numbers, its charts, the
//! evidence and what to do. It is requested again whenever something happened.

use std::borrow::Cow;

use maud::{Markup, html};
use windlass_core::{
    ending::Ending,
    text::sanitise,
    time::Timestamp,
    view::{LoopView, Trail},
};
use windlass_store::store::{LoopRecord, Waiting};

use super::{
    actions::actions,
    charts::charts,
    progress::progress,
    sign::{ending, sign},
};
use crate::{
    commands::{
        status,
        why::{Advice, Judgement, judgement, untold},
    },
    report::{
        ending::{Standing, State},
        paint::Paint,
        summary, words,
    },
    text,
};

/// What is known of a loop at a moment.
pub(super) struct Head<'a> {
    pub(super) record: &'a LoopRecord,
    pub(super) standing: &'a Standing,
    pub(super) view: &'a LoopView,
    pub(super) trail: &'a Trail,
    pub(super) rules: &'a [Judgement],
    pub(super) advice: &'a Advice,
    /// Whether the user can accept its work.
    pub(super) can_accept: bool,
    pub(super) now: Timestamp,
}

/// The regions that the page puts in place of those it has.
pub(super) fn head(head: &Head<'_>) -> Markup {
    html! {
        (top(head))
        (why(head))
        (facts(head))
        (charts(head.record, head.trail))
    }
}

fn top(head: &Head<'_>) -> Markup {
    let Head { record, standing, .. } = head;
    let directory = record.worktree.as_ref().unwrap_or(&record.directory).display().to_string();
    let is_over = standing.state != State::Running;
    let title = title(record);
    let name = task(record).map(|_| &standing.name);
    html! {
        header #head data-region data-seq=(record.last_seq) data-over[is_over]
            data-title={ (title) @if let Some(name) = name { " · " (name) } }
            data-announce={ (standing.name) ": " (standing.sentence()) }
        {
            p.crumbs { a href="/" { "All loops" } }
            h1 { (title) }
            p.subtitle {
                @if let Some(name) = name { strong { (name) } " · " }
                (sanitise::line(&record.kind)) " with "
                (sanitise::line(&record.agent)) " in " span.path { (sanitise::line(&directory)) }
            }
            p.status { (ending(record, standing)) }
            div.meter { (progress(head.view)) @if let Some(doing) = doing(head) { p.phase { (doing) } } }
            (actions(record, standing, head.can_accept))
        }
    }
}

/// What a loop is for, in a line; its name where it has no task.
pub(super) fn title(record: &LoopRecord) -> String {
    text::truncate(
        &task(record).unwrap_or_else(|| sanitise::line(&record.name)),
        status::LONGEST_TASK,
    )
}

/// What a loop is for, where that is known.
pub(super) fn task(record: &LoopRecord) -> Option<Cow<'_, str>> {
    record.task.as_deref().map(sanitise::line).filter(|task| !task.trim().is_empty())
}

/// What a loop does now, and since when nothing came.
fn doing(head: &Head<'_>) -> Option<String> {
    let Head { record, standing, view, now, .. } = head;
    if standing.state != State::Running {
        return None;
    }
    let phase = match &record.waiting {
        Some(Waiting { until, what, reason }) => words::wait(*until, *what, reason, *now),
        None => sanitise::line(&record.phase).into_owned(),
    };
    let stage = view.stage.as_ref().map(|stage| format!("{} · ", stage.phase.word()));
    let since = text::duration(now.since(record.updated_at));
    Some(format!("{}{phase}, last output {since} ago", stage.unwrap_or_default()))
}

/// The evidence, and what to do, in the words of `windlass why`.
fn why(head: &Head<'_>) -> Markup {
    let Head { record, standing, rules, advice, .. } = head;
    let rules = untold(rules, record.ending.as_ref());
    let proof = proof_lines(head);
    let has_evidence = !rules.is_empty() || !proof.is_empty();
    // What belongs to windlass has a button here; what else helps is typed.
    let (own, others): (Vec<_>, Vec<_>) =
        advice.commands.iter().partition(|command| command.starts_with("windlass "));
    html! {
        section #why data-region class={ "panel " (sign(standing).tone) } aria-labelledby="why-title" {
            h2 #why-title {
                @if standing.state == State::Running { "Status" }
                @else if has_evidence { "Evidence and next steps" }
                @else { "Next steps" }
            }
            @if !rules.is_empty() {
                ul.rules { @for rule in &rules { li { (judgement(rule, Paint::default()).trim()) } } }
            }
            @if !proof.is_empty() {
                ul.proof { @for line in &proof { li { (line) } } }
            }
            p { (advice.words.trim_end_matches(':')) "." }
            @if !others.is_empty() { (commands(&others)) }
            @if !own.is_empty() {
                details #terminal { summary { "At a terminal" } (commands(&own)) }
            }
        }
    }
}

fn commands(commands: &[&String]) -> Markup {
    html! { ul.commands { @for command in commands { li { (copyable(command)) } } } }
}

/// The evidence for and against the last claim, and the result of the checks on the original tests.
fn proof_lines(head: &Head<'_>) -> Vec<String> {
    let Head { record, view, .. } = head;
    let paint = Paint::default();
    let success = record.ending.as_ref().is_some_and(Ending::is_success);
    let fate = (success, record.verified);
    let mut lines: Vec<String> =
        view.proof.iter().flat_map(|proof| words::proven::lines(proof, fate, paint)).collect();
    lines.extend(view.originals.iter().flat_map(|ran| words::proof::originals(ran, paint)));
    lines.iter().map(|line| line.trim().to_owned()).collect()
}

/// The checks before the first session, how the tests moved since, and what is guarded.
fn proof_facts(view: &LoopView) -> Vec<(&'static str, String)> {
    let after = |line: String| match line.split_once(": ") {
        Some(("baseline" | "guarded", rest)) => rest.to_owned(),
        _ => line,
    };
    let mut facts = Vec::new();
    let baseline = view.baseline.iter().flat_map(words::proof::baseline);
    facts.extend(baseline.map(|line| ("Baseline", after(line))));
    facts.extend(view.tests.iter().map(|one| ("Tests", words::proof::counted_in_all(one))));
    let guarded = view.guarded.iter().flat_map(words::proof::guarded);
    let what = |line: String| {
        let line = after(line);
        line.trim().trim_start_matches("guarded ").to_owned()
    };
    facts.extend(guarded.map(|line| ("Guarded", what(line))));
    facts
}

/// A command to type, and a button that copies it.
pub(super) fn copyable(command: &str) -> Markup {
    html! {
        span.copyable {
            code { (command) }
            button.quiet type="button" data-copy=(command) aria-label={ "Copy " (command) } { "Copy" }
        }
    }
}

/// The word for the moment that counts most, and that moment: when it ended, was last seen or began.
pub(super) fn moment(record: &LoopRecord, standing: &Standing) -> (&'static str, Timestamp) {
    match standing.state {
        State::Running => ("started", record.started_at),
        State::Interrupted => ("last seen", record.updated_at),
        State::Ended(_) | State::Other(_) => {
            ("ended", record.ended_at.unwrap_or(record.updated_at))
        }
    }
}

fn facts(head: &Head<'_>) -> Markup {
    let Head { record, standing, now, .. } = head;
    let mut facts: Vec<(&str, String)> = vec![("Iteration", status::iteration(record))];
    if let Some(tasks) = record.tasks {
        facts.push(("Tasks", summary::tasks(tasks.open, tasks.done)));
    }
    let counts = head.view.ledger.counts();
    if counts.total > 0 {
        let (open, fixed, skipped) = (counts.open, counts.fixed, counts.skipped);
        facts.push(("Findings", format!("{open} open, {fixed} fixed, {skipped} skipped")));
    }
    facts.extend(proof_facts(head.view));
    facts.push(("Circuit", status::circuit(record, Paint::default())));
    facts.push(("Files", format!("{} modified", text::count(record.files_modified, "file"))));
    facts.push(("Cost", summary::spend_told(record)));
    for budget in status::budgets(record) {
        facts.push(("Budget", budget.figures()));
    }
    let sessions = text::count(record.sessions, "session");
    let runs_at = (standing.state == State::Running).then_some(*now);
    facts.push(("Time", format!("{sessions} in {}", text::millis(record.ran_ms(runs_at)))));
    let at = |at| format!("{} ({})", text::ago(at, *now), text::local_time(at));
    facts.push(("Started", at(record.started_at)));
    match moment(record, standing) {
        ("ended", ended) => facts.push(("Ended", at(ended))),
        ("last seen", seen) => facts.push(("Last seen", at(seen))),
        _ => (),
    }
    html! {
        section #facts.panel data-region aria-labelledby="facts-title" {
            h2 #facts-title { "At a glance" }
            dl.facts {
                @for (name, value) in &facts { div { dt { (name) } dd { (value) } } }
            }
        }
    }
}
