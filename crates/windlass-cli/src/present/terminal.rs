//! A report for a terminal.

use windlass_core::time::Timestamp;

use super::{
    Story,
    block::{headline, outcome},
    document::{Body, sections},
    paint::Paint,
};
use crate::text;

/// The report.
pub(crate) fn report(stories: &[Story], now: Timestamp, paint: Paint) -> String {
    let pages: Vec<String> = stories.iter().map(|story| page(story, now, paint)).collect();
    format!("{}\n", pages.join("\n\n"))
}

fn page(story: &Story, now: Timestamp, paint: Paint) -> String {
    let mut lines = vec![headline(story, paint), outcome(story, paint)];
    for section in sections(story, now) {
        lines.extend([String::new(), paint.strong(section.title)]);
        let inner = match section.body {
            Body::Text(text) => text.lines().map(str::to_owned).collect(),
            Body::Lines(lines) => lines,
            Body::Rows(rows) => {
                let row = |(at, words): (String, String)| vec![paint.faint(&at), words];
                text::table(&rows.into_iter().map(row).collect::<Vec<_>>())
            }
            Body::Commands(commands) => commands.into_iter().flat_map(command).collect(),
        };
        lines.extend(inner.iter().map(|line| format!("  {line}")));
    }
    if let Some(diff) = story.diff.as_ref().filter(|diff| !diff.files.is_empty()) {
        lines.extend([String::new(), paint.strong("Diff")]);
        lines.extend(diff.text.lines().map(|line| coloured(line, paint)));
        lines.extend(diff.note.iter().map(|note| paint.faint(note)));
    }
    lines.join("\n")
}

fn command((command, about): (&str, Option<&str>)) -> Vec<String> {
    let about = about.map(|about| format!("  ({about})"));
    [command.to_owned()].into_iter().chain(about).collect()
}

fn coloured(line: &str, paint: Paint) -> String {
    match line.as_bytes() {
        [b'+', b'+', ..] | [b'-', b'-', ..] | [b'd', b'i', b'f', b'f', ..] => paint.strong(line),
        [b'+', ..] => paint.good(line),
        [b'-', ..] => paint.bad(line),
        [b'@', ..] => paint.faint(line),
        _ => line.to_owned(),
    }
}
