//! A loop's story as a block of a few lines, for those who come back in the morning.

use windlass_core::time::Timestamp;

use super::{Story, paint::Paint};
use crate::text;

/// How many lines of a kind are shown.
const MOST: usize = 3;

/// The block, a line each.
pub(crate) fn block(story: &Story, now: Timestamp, paint: Paint) -> Vec<String> {
    let mut rows: Vec<(&str, String)> = Vec::new();
    rows.extend(story.task.iter().map(|task| ("asked", text::truncate(task, 100))));
    rows.extend(some("changed", &story.changed));
    rows.extend(some("remains", &story.remains));
    rows.push(("cost", story.cost()));
    let (word, when) = story.ended(now);
    rows.push((word, when));
    rows.extend(some("next", &story.next.commands));
    if let Some(undo) = &story.next.undo {
        rows.push(("undo", undo.command.clone()));
        rows.push(("", format!("({})", undo.stays)));
    }
    // The label stands once.
    let mut last = "";
    let rows: Vec<Vec<String>> = rows
        .into_iter()
        .map(|(label, words)| {
            let shown = if label == last { String::new() } else { paint.faint(label) };
            last = label;
            vec![shown, words]
        })
        .collect();
    let mut lines = vec![headline(story, paint), outcome(story, paint)];
    lines.extend(text::table(&rows).iter().map(|row| format!("  {row}")));
    lines
}

/// One line for a loop that has no room for more.
pub(crate) fn line(story: &Story, now: Timestamp, paint: Paint) -> String {
    let name = paint.strong(&story.name);
    let (sign, when) = (story.tone.painted(paint), text::ago(story.ended_at, now));
    format!("{sign} {name}  {} ({when})", text::truncate(&story.sentence, 80))
}

/// Which loop it is.
pub(super) fn headline(story: &Story, paint: Paint) -> String {
    format!("{}  {}", paint.strong(&story.name), story.about)
}

/// How it ended.
pub(super) fn outcome(story: &Story, paint: Paint) -> String {
    format!("{} {}", story.tone.painted(paint), story.sentence)
}

/// The first of these lines, and how many there are besides.
fn some<'a>(label: &'a str, lines: &[String]) -> Vec<(&'a str, String)> {
    let mut rows: Vec<_> = lines.iter().take(MOST).map(|line| (label, line.clone())).collect();
    if lines.len() > MOST {
        rows.push((label, format!("and {} more", lines.len() - MOST)));
    }
    rows
}
