//! The part of a loop's page that moves: how it stands, how far it came, its numbers, its charts,
//! why it stopped and what to do. It is asked for anew whenever something happened.

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
    sign::{badge, sign},
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
        (title(head))
        (why(head))
        (facts(head))
        (charts(head.record, head.trail))
    }
}

fn title(head: &Head<'_>) -> Markup {
    let Head { record, standing, .. } = head;
    let directory = record.worktree.as_ref().unwrap_or(&record.directory).display().to_string();
    let is_over = standing.state != State::Running;
    html! {
        header #head data-region data-seq=(record.last_seq) data-over[is_over] data-title=(standing.name)
            data-announce={ (standing.name) ": " (standing.sentence()) }
        {
            p.crumbs { a href="/" { "All loops" } }
            div.title-row {
                h1 { (standing.name) }
                p.status { (badge(standing)) }
            }
            p.subtitle {
                (sanitise::line(&record.kind)) " with " (sanitise::line(&record.agent)) " in "
                span.path { (sanitise::line(&directory)) }
            }
            div.meter { (progress(record, head.view)) @if let Some(doing) = doing(head) { p.phase { (doing) } } }
            (actions(record, standing, head.can_accept))
        }
    }
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

/// Why it stopped, or that it goes on, in the words of `windlass why`.
fn why(head: &Head<'_>) -> Markup {
    let Head { standing, rules, advice, .. } = head;
    html! {
        section #why data-region class={ "panel " (sign(standing).tone) } aria-labelledby="why-title" {
            h2 #why-title {
                @if standing.state == State::Running { "How it goes" } @else { "Why it stopped" }
            }
            p.sentence { (standing.sentence()) }
            @let rules = untold(rules, head.record.ending.as_ref());
            @if !rules.is_empty() {
                ul.rules { @for rule in &rules { li { (judgement(rule, Paint::default()).trim()) } } }
            }
            @let proof = proof_lines(head);
            @if !proof.is_empty() {
                ul.proof { @for line in &proof { li { (line) } } }
            }
            p { (advice.words) }
            ul.commands {
                @for command in &advice.commands { li { (copyable(command)) } }
            }
        }
    }
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
    facts.extend(guarded.map(|line| ("Guarded", after(line).trim().to_owned())));
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

fn facts(head: &Head<'_>) -> Markup {
    let Head { record, now, .. } = head;
    let mut facts: Vec<(&str, String)> = Vec::new();
    facts.extend(record.task.as_deref().map(|task| ("Task", sanitise::line(task).into_owned())));
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
    if let Some(spend) = summary::spend(record.usage) {
        facts.push(("Spend", spend));
    }
    for budget in status::budgets(record) {
        facts.push(("Budget", budget.figures()));
    }
    let sessions = text::count(record.sessions, "session");
    let runs_at = (head.standing.state == State::Running).then_some(*now);
    facts.push(("Time", format!("{sessions} in {}", text::millis(record.ran_ms(runs_at)))));
    let started = text::local_time(record.started_at);
    facts.push(("Started", format!("{} ({started})", text::ago(record.started_at, *now))));
    html! {
        section #facts.panel data-region aria-labelledby="facts-title" {
            h2 #facts-title { "At a glance" }
            dl.facts {
                @for (name, value) in &facts { div { dt { (name) } dd { (value) } } }
            }
        }
    }
}
