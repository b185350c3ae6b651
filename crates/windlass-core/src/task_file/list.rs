//! Check lists in Markdown: `- [ ] open`, `* [x] done`, `1. [ ] open`, nested by indentation.

use super::{CHECKS, Task, heading::Outline};
use crate::text::prose::after_list_mark;

/// One line of a list, before what is below it is taken into account.
struct Item {
    indent: usize,
    task: Task,
}

/// The tasks of a text, in their order.
pub(super) fn tasks(text: &str) -> Vec<Task> {
    let mut items: Vec<Item> = Vec::new();
    let mut outline = Outline::default();
    let mut before = "";
    for line in visible(text) {
        if let Some((level, heading)) = heading(line, before) {
            outline.enter(level, heading);
        } else if let Some(mut item) = item(line) {
            item.task.optional |= outline.is_optional();
            items.push(item);
        } else if let Some(item) = items.last_mut()
            && indent(line) > item.indent
        {
            item.task.text.push('\n');
            item.task.text.push_str(line.trim_end());
        }
        before = line;
    }
    open_parents(&mut items);
    items.into_iter().map(|item| item.task).collect()
}

/// A task with something open below it is open.
fn open_parents(items: &mut [Item]) {
    let mut above: Vec<usize> = Vec::new();
    let mut parents = Vec::with_capacity(items.len());
    for (at, item) in items.iter().enumerate() {
        while above.last().is_some_and(|&last| items[last].indent >= item.indent) {
            above.pop();
        }
        parents.push(above.last().copied());
        above.push(at);
    }
    for (child, parent) in parents.into_iter().enumerate().rev() {
        let task = &items[child].task;
        if let Some(parent) = parent.filter(|_| !task.done && !task.optional) {
            items[parent].task.done = false;
            items[parent].task.waits = true;
        }
    }
}

fn item(line: &str) -> Option<Item> {
    let quoted = line.trim_start_matches(['>', ' ', '\t']);
    let indent = indent(line);
    let rest = after_list_mark(quoted)?.strip_prefix('[')?;
    let (mark, text) = rest.split_once(']')?;
    let done = is_done(mark)?;
    // Some planners put a star after the box of a task that is optional.
    let (text, optional) = match text.strip_prefix('*') {
        Some(text) => (text, true),
        None => (text, false),
    };
    let is_item = text.starts_with(char::is_whitespace) && !text.trim().is_empty();
    let half = mark.trim().chars().next().filter(|_| !done);
    let task = Task { half, ..Task::new(text, done, optional) };
    is_item.then_some(Item { indent, task })
}

/// Whether a text is a check list: it has boxes, and not only ticked ones in a list whose other
/// items have none, for such a list is plain text that someone began to tick.
pub(super) fn is_check_list(text: &str) -> bool {
    let mut boxes = visible(text).into_iter().filter_map(item).peekable();
    boxes.peek().is_some() && (boxes.any(|item| !item.task.done) || !is_mixed(text))
}

/// Whether items with a box and items without one follow each other in one list.
fn is_mixed(text: &str) -> bool {
    let lines = visible(text).into_iter().filter(|line| !line.trim().is_empty());
    let mut before: Option<(usize, bool)> = None;
    for line in lines {
        let is_bullet = after_list_mark(line.trim_start()).is_some();
        let this = is_bullet.then(|| (indent(line), item(line).is_some()));
        if let (Some((place, had_box)), Some((indent, has_box))) = (before, this)
            && place == indent
            && had_box != has_box
        {
            return true;
        }
        // What is further in belongs to the item before.
        before = match (before, this) {
            (Some((place, had_box)), _) if indent(line) > place => Some((place, had_box)),
            (_, this) => this,
        };
    }
    false
}

/// How far a line is indented.
fn indent(line: &str) -> usize {
    let words = line.trim_start_matches(['>', ' ', '\t']);
    let before = &line[..line.len() - words.len()];
    // A quote's mark and the space after it are no indentation.
    let spaces = before
        .rsplit_once('>')
        .map_or(before, |(_, after)| after.strip_prefix(" ").unwrap_or(after));
    spaces.chars().map(|c| if c == '\t' { 4 } else { 1 }).sum()
}

/// Whether a box is ticked; `None` where it is no box. What is begun, dropped or put off is open.
pub(super) fn is_done(mark: &str) -> Option<bool> {
    let mut marks = mark.trim().chars();
    match (marks.next(), marks.next()) {
        (None, _) => Some(false),
        (Some('x' | 'X'), None) => Some(true),
        (Some(mark), None) if CHECKS.contains(&mark) => Some(true),
        (Some('-' | '~' | '/' | '>' | '!' | '?' | '*' | '.' | 'o' | 'O'), None) => Some(false),
        _ => None,
    }
}

/// The level and the text of a heading: `## Text`, or a line under `Text` that underlines it.
pub(super) fn heading<'a>(line: &'a str, before: &'a str) -> Option<(usize, &'a str)> {
    let text = line.trim();
    let level = text.len() - text.trim_start_matches('#').len();
    if level > 0 {
        let title = &text[level..];
        let is_heading = level <= 6 && (title.is_empty() || title.starts_with([' ', '\t']));
        return is_heading.then(|| (level, title.trim().trim_end_matches('#').trim()));
    }
    let underlines = |mark: char| text.len() >= 2 && text.chars().all(|c| c == mark);
    let level = match text.chars().next()? {
        '=' if underlines('=') => 1,
        '-' if underlines('-') => 2,
        _ => return None,
    };
    let title = before.trim();
    let is_title = !title.is_empty() && after_list_mark(title).is_none();
    is_title.then_some((level, title))
}

/// The lines that are neither in a code block nor in a comment. One that is never closed hides
/// nothing: a slip must not make open tasks vanish.
pub(super) fn visible(text: &str) -> Vec<&str> {
    let lines: Vec<&str> = text.lines().collect();
    let mut shown = Vec::new();
    // What is not closed once is not closed later either, and is not looked for again.
    let mut unclosed: Vec<&str> = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let line = lines[at];
        let opens = fence(line).or_else(|| opens_comment(line).then_some("<!--"));
        let opens = opens.filter(|opens| !unclosed.contains(opens));
        let end = opens.and_then(|opens| lines[at + 1..].iter().position(|l| closes(l, opens)));
        match end {
            Some(inside) => at += inside + 2,
            None => {
                unclosed.extend(opens);
                if !is_comment(line) {
                    shown.push(line);
                }
                at += 1;
            }
        }
    }
    shown
}

/// The marks that open a code block.
fn fence(line: &str) -> Option<&str> {
    let text = line.trim_start_matches(['>', ' ', '\t']);
    ['`', '~'].iter().find_map(|mark| {
        let length = text.len() - text.trim_start_matches(*mark).len();
        let info = &text[length..];
        // A code span in a line may have three marks too, and closes them in the same line.
        (length >= 3 && !info.contains('`')).then(|| &text[..length])
    })
}

fn closes(line: &str, open: &str) -> bool {
    if open == "<!--" {
        return line.contains("-->");
    }
    let text = line.trim_matches(['>', ' ', '\t']);
    text.starts_with(open) && text.trim_start_matches(&open[..1]).is_empty()
}

fn opens_comment(line: &str) -> bool {
    line.rsplit_once("<!--").is_some_and(|(_, after)| !after.contains("-->"))
}

fn is_comment(line: &str) -> bool {
    line.trim().starts_with("<!--") && line.trim().ends_with("-->")
}
