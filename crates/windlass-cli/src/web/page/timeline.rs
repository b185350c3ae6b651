//! The iterations of a loop, newest first: what each claimed, what the checks said to it, and what
//! it changed.

use maud::{Markup, html};
use windlass_core::{text::sanitise, view::Point};
use windlass_store::store::{CheckRecord, IterationRecord, LoopRecord};

use crate::{
    report::{summary, words},
    text,
};

/// How many iterations are shown at once.
pub(super) const PAGE: usize = 20;

/// One page of the timeline, and the way to the one before.
pub(super) fn timeline(
    record: &LoopRecord,
    iterations: &[IterationRecord],
    points: &[Point],
) -> Markup {
    let id = &record.id;
    html! {
        section #timeline.panel data-region aria-labelledby="timeline-title" {
            h2 #timeline-title { "Timeline" }
            @if iterations.is_empty() { p.faint { "No iterations yet." } }
            ol.timeline #timeline-list { (entries(id.as_str(), iterations, points)) }
        }
    }
}

/// The entries of one page, and the button for the one before; what comes into the list.
pub(super) fn entries(id: &str, iterations: &[IterationRecord], points: &[Point]) -> Markup {
    html! {
        @for one in iterations.iter().rev() {
            (entry(id, one, points.iter().find(|point| point.iteration == one.number)))
        }
        @if let Some(first) = iterations.first().filter(|first| first.number > 1) {
            li.more {
                button type="button" data-more={ "/ui/loops/" (id) "/iterations?before=" (first.number) } {
                    "Show earlier iterations"
                }
            }
        }
    }
}

fn entry(id: &str, one: &IterationRecord, point: Option<&Point>) -> Markup {
    html! {
        li id={ "iteration-" (one.number) } {
            div.title-row {
                h3 { "Iteration " (one.number) }
                (claim(one))
                @if point.is_some_and(|point| point.failed) { span.tag.bad { "! session failed" } }
                @if one.tree.is_some() && one.duration_ms.is_some() {
                    a.button.quiet href={ "/loops/" (id) "#diff-" (one.number) } data-diff={ "/ui/loops/" (id) "/diff/" (one.number) } {
                        "Diff" span.unseen { " of iteration " (one.number) }
                    }
                }
            }
            p.faint { (figures(one, point)) }
            @for reason in &one.rejected_because { p.reason { (sanitise::line(reason)) } }
            @for (n, check) in one.checks.iter().chain(&one.originals).enumerate() { (of_check(one.number, n, check)) }
            @if !one.preview.trim().is_empty() {
                blockquote { (text::truncate(&sanitise::line(&one.preview), 240)) }
            }
        }
    }
}

fn claim(one: &IterationRecord) -> Markup {
    let (class, words) = match one.claim.as_deref() {
        None => ("tag", "● running"),
        Some("cut_off") => ("tag", "○ cut off"),
        Some("accepted") => ("tag good", "✓ claim accepted"),
        Some("accepted_in_part") => ("tag good", "✓ accepted in part"),
        Some("rejected") => ("tag bad", "✗ claim rejected"),
        Some(_) => ("tag", "no claim"),
    };
    html! { span class=(class) { (words) } }
}

fn figures(one: &IterationRecord, point: Option<&Point>) -> String {
    let mut figures: Vec<String> = one.duration_ms.map(text::millis).into_iter().collect();
    if one.tree.is_some() {
        figures.push(format!("{} changed", text::count(one.files_changed, "file")));
    }
    if let Some(point) = point {
        if point.lines_changed > 0 {
            figures.push(text::count(point.lines_changed, "line"));
        }
        if let Some(findings) = point.findings {
            figures.push(text::count(findings, "finding"));
        }
        figures.extend(summary::spend(point.usage));
    }
    figures.push(format!("began {}", text::local_time(one.started_at)));
    figures.join(" · ")
}

fn of_check(iteration: u32, n: usize, check: &CheckRecord) -> Markup {
    let (class, sign, word) = match check.passed {
        Some(true) => ("check good", "✓", "passed"),
        Some(false) => ("check bad", "✗", "failed"),
        None if check.cut_off => ("check", "○", "cut off"),
        None => ("check", "●", "running"),
    };
    let mut facts = vec![word.to_owned()];
    facts.extend(check.tests.as_ref().map(words::proof::tests));
    facts.extend(check.exit_code.filter(|code| *code != 0).map(|code| format!("exit {code}")));
    facts.extend(check.duration_ms.map(text::millis));
    let tail = sanitise::text(check.tail.trim_end());
    html! {
        details class=(class) id={ "check-" (iteration) "-" (n) } {
            summary {
                span.icon aria-hidden="true" { (sign) } " "
                code { (sanitise::line(&check.command)) }
                @if check.part.is_some() { " on the original tests" }
                " " span.faint { (facts.join(", ")) }
            }
            @if tail.is_empty() { p.faint { "No output." } }
            @else { pre tabindex="0" aria-label="Output of the check" { (tail) } }
        }
    }
}
