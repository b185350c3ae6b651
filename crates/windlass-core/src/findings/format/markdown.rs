//! A ledger as a check list in Markdown, which `windlass tasks` can work off. What a reviewer said
//! stays inside its item: nothing of it becomes a task, a heading, a code block or HTML.

use std::fmt::Write as _;

use super::super::{Entry, Status, text::after_bullet};
use crate::text::sanitise;

/// Writes a heading, a line of sums, and an item for each finding.
pub(crate) fn write<'a>(entries: impl IntoIterator<Item = &'a Entry>) -> String {
    let entries: Vec<&Entry> = entries.into_iter().collect();
    let of = |status| entries.iter().filter(|entry| entry.status == status).count();
    let mut out = String::from("# Findings\n\n");
    if entries.is_empty() {
        out.push_str("There are none.\n");
        return out;
    }
    let sums = [("open", Status::Open), ("fixed", Status::Fixed), ("skipped", Status::Skipped)];
    let sums = sums.map(|(word, status)| format!("{} {word}", of(status)));
    put(&mut out, format_args!("{}\n\n", sums.join(", ")));
    for entry in entries {
        item(&mut out, entry);
    }
    out
}

fn item(out: &mut String, entry: &Entry) {
    let finding = &entry.finding;
    let mark = if entry.status == Status::Fixed { 'x' } else { ' ' };
    let place = finding.place().map(|place| format!("{}: ", one_line(&place))).unwrap_or_default();
    let title = one_line(&finding.title);
    put(out, format_args!("- [{mark}] **{}** {place}{title}\n", finding.severity));
    if finding.description != finding.title {
        paragraph(out, "", &finding.description);
    }
    if let Some(suggestion) = &finding.suggestion {
        paragraph(out, "Suggestion: ", suggestion);
    }
    if let Some(reason) = &entry.reason {
        paragraph(out, "Skipped: ", reason);
    }
}

/// Writes lines below an item, each so that it is text and nothing else.
fn paragraph(out: &mut String, label: &str, text: &str) {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    for (at, line) in lines.enumerate() {
        let label = if at == 0 { label } else { "" };
        put(out, format_args!("  {}\n", harmless(&format!("{label}{line}"))));
    }
}

/// A text in one line.
fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    without_html(&sanitise::line(&words.join(" ")))
}

/// A line that means nothing in Markdown by the way it begins.
fn harmless(line: &str) -> String {
    let line = without_html(&sanitise::line(line));
    let line = line.trim();
    let digits = line.len() - line.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    if digits > 0 && line[digits..].starts_with(['.', ')']) {
        return format!("{}\\{}", &line[..digits], &line[digits..]);
    }
    let means_something = line.starts_with(['#', '-', '*', '+', '>', '`', '~', '=', '|', '[', '_'])
        || after_bullet(line).is_some();
    if means_something { format!("\\{line}") } else { line.to_owned() }
}

fn without_html(text: &str) -> String {
    text.replace('<', "&lt;").replace("![", "!\\[")
}

fn put(out: &mut String, text: std::fmt::Arguments<'_>) {
    out.write_fmt(text).expect("writing to a string cannot fail");
}
