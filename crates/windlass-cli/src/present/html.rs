//! A report as one HTML page: no script, nothing to load, light and dark by the reader's own setting.
//! Everything goes through maud, which escapes it.

use maud::{DOCTYPE, Markup, PreEscaped, html};
use windlass_core::{time::Timestamp, view::Point};

use super::{
    Diff, Story, Tone,
    chart::{Course, converging, costs},
    document::{Body, sections},
    patch::{FilePatch, Line},
};

const CSS: &str = include_str!("report.css");

/// The report.
pub(crate) fn report(stories: &[Story], now: Timestamp) -> String {
    let title = match stories {
        [story] => format!("{}: {}", story.name, story.sentence),
        stories => format!("windlass: {} loops", stories.len()),
    };
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'";
                title { (title) }
                style { (PreEscaped(CSS)) }
            }
            body {
                main { @for (n, story) in stories.iter().enumerate() { (article(n, story, now)) } }
            }
        }
    };
    page.into_string() + "\n"
}

fn article(n: usize, story: &Story, now: Timestamp) -> Markup {
    html! {
        article {
            h1 { (story.name) }
            p.about { (story.about) }
            p class={ "outcome " (class(story.tone)) } { (story.tone.sign()) " " (story.sentence) }
            @for section in sections(story, now) {
                section {
                    h2 { (section.title) }
                    (body(&section.body))
                    @if section.title == "Timeline" { (charts(n, story)) }
                }
            }
            @if let Some(diff) = &story.diff { (changes(diff)) }
        }
    }
}

fn class(tone: Tone) -> &'static str {
    match tone {
        Tone::Good | Tone::Running => "good",
        Tone::Bad => "bad",
        Tone::Stopped | Tone::Warn => "warn",
    }
}

fn body(body: &Body<'_>) -> Markup {
    html! {
        @match body {
            Body::Text(text) => pre { (text) },
            Body::Lines(lines) => ul { @for line in lines { li { (line) } } },
            Body::Rows(rows) => {
                ol {
                    @for (at, words) in rows { li { time { (at) } " " (words) } }
                }
            },
            Body::Commands(commands) => {
                @for (command, about) in commands {
                    pre { (command) }
                    @if let Some(about) = about { p.faint { (about) } }
                }
            },
        }
    }
}

/// Failing tests, findings and cost, iteration by iteration, as far as they are known.
fn charts(n: usize, story: &Story) -> Markup {
    let points = story.trail.points();
    let values = |value: fn(&Point) -> Option<u32>| -> Vec<(u32, u64)> {
        let pair = |one: &Point| value(one).map(|count| (one.iteration, u64::from(count)));
        points.iter().filter_map(pair).collect()
    };
    let ids = ["tests", "findings", "cost"].map(|what| format!("{what}-{n}"));
    let lines = [
        (&ids[0], "Failing tests", "failing tests", values(|one| one.failing_tests)),
        (&ids[1], "Findings", "findings", values(|one| one.findings)),
    ];
    html! {
        @for (id, title, what, values) in &lines {
            @if !values.is_empty() { (converging(&Course { id, title, what }, values, points)) }
        }
        @if !points.is_empty() { (costs(&ids[2], Some(story.spend.clone()), story.active_ms, points)) }
    }
}

fn changes(diff: &Diff) -> Markup {
    html! {
        section {
            h2 { "Diff" }
            @if diff.files.is_empty() { p.faint { "Nothing was changed." } }
            @for file in super::patch::read(&diff.text) { (of_file(&file)) }
            @if let Some(note) = &diff.note { p.faint { (note) } }
        }
    }
}

fn of_file(file: &FilePatch) -> Markup {
    html! {
        details open {
            summary {
                (file.path)
                @if !file.how.is_empty() { " (" (file.how) ")" }
                " " span.good { "+" (file.added) } " " span.bad { "−" (file.removed) }
            }
            pre {
                @for (kind, line) in &file.lines { span class=(line_class(*kind)) { (line) "\n" } }
            }
        }
    }
}

fn line_class(kind: Line) -> &'static str {
    match kind {
        Line::Added => "add",
        Line::Removed => "del",
        Line::Context => "ctx",
        Line::Hunk => "hunk",
        Line::Note => "note",
    }
}
