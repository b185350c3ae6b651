//! Plain text: every line is a task, but for headings, comments and lines without a word.
//!
//! A task is done where its line begins with `[x]`, `x `, `DONE`, `✓`, `✔`, `✅` or `☑`, or ends
//! with `[x]`, `DONE`, `(done)` or one of those marks. A bullet before it is no part of it.

use super::{
    CHECKS, Task,
    heading::Outline,
    list::{is_done, visible},
};
use crate::text::prose::after_list_mark;

/// A heading without `#` is below all that have one.
const LOWEST: usize = 7;

/// The tasks of a text, in their order.
pub(super) fn tasks(text: &str) -> Vec<Task> {
    let mut tasks = Vec::new();
    let mut outline = Outline::default();
    for line in visible(text).into_iter().map(str::trim) {
        let without_bullet = after_list_mark(line).map_or(line, str::trim);
        if let Some((level, title)) = heading(line) {
            outline.enter(level, title);
        } else if !is_comment(line) && without_bullet.contains(char::is_alphanumeric) {
            let (text, done) = unmarked(without_bullet);
            if !text.is_empty() {
                tasks.push(Task::new(text, done, outline.is_optional()));
            }
        }
    }
    tasks
}

/// `# Title`, or `Title:`.
fn heading(line: &str) -> Option<(usize, &str)> {
    let title = line.trim_start_matches('#');
    let level = line.len() - title.len();
    if level > 0 {
        // `#12 is broken` is a task, and `#` alone is nothing.
        return title.starts_with([' ', '\t']).then(|| (level, title.trim()));
    }
    let title = line.strip_suffix(':')?;
    after_list_mark(line).is_none().then_some((LOWEST, title))
}

fn is_comment(line: &str) -> bool {
    line.starts_with("//") || line.starts_with(';') || line.starts_with("<!--")
}

/// The text without the mark that says how it stands, and whether that says that it is done.
fn unmarked(line: &str) -> (&str, bool) {
    if let Some((mark, text)) = line.strip_prefix('[').and_then(|rest| rest.split_once(']'))
        && let Some(done) = is_done(mark)
    {
        let text = text.trim();
        return (after_list_mark(text).unwrap_or(text), done);
    }
    if let Some(text) = line.strip_prefix("x ").or_else(|| line.strip_prefix(CHECKS)) {
        return (text.trim(), true);
    }
    let is_apart = |text: &&str| text.starts_with([' ', ':', '\t']);
    if let Some(text) = line.strip_prefix("DONE").filter(is_apart) {
        return (text.trim_start_matches([':', ' ', '\t']), true);
    }
    for end in ["[x]", "[X]", " DONE", "(done)", "(DONE)"] {
        if let Some(text) = line.strip_suffix(end) {
            return (text.trim(), true);
        }
    }
    match line.strip_suffix(CHECKS) {
        Some(text) => (text.trim(), true),
        None => (line.strip_suffix("[ ]").unwrap_or(line).trim(), false),
    }
}
