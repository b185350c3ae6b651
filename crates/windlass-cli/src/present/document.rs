//! What a report says, part by part: the same for every form that it is written in.

use windlass_core::{text::sanitise, time::Timestamp};

use super::{Story, Tone, patch::FilePatch};
use crate::text;

/// How many files are listed.
const MOST_FILES: usize = 100;

/// A part of a report.
pub(super) struct Section<'a> {
    /// Its heading.
    pub(super) title: &'static str,
    /// What stands below it.
    pub(super) body: Body<'a>,
}

/// What stands below a heading.
pub(super) enum Body<'a> {
    /// A text of several lines, as it was written.
    Text(&'a str),
    /// Lines.
    Lines(Vec<String>),
    /// Rows of two columns.
    Rows(Vec<(String, String)>),
    /// Commands, each with words about it.
    Commands(Vec<(&'a str, Option<&'a str>)>),
}

/// The parts, in order; the diff comes after them.
pub(super) fn sections<'a>(story: &'a Story, now: Timestamp) -> Vec<Section<'a>> {
    let mut sections = Vec::new();
    let mut add = |title, body| sections.push(Section { title, body });
    match (&story.prompt, &story.task) {
        (Some(prompt), _) => add("Asked", Body::Text(prompt)),
        (None, Some(task)) => add("Asked", Body::Lines(vec![task.clone()])),
        (None, None) => {}
    }
    add("Done", Body::Lines(done(story)));
    if !story.proof.is_empty() {
        add("Proof and doubts", Body::Lines(story.proof.clone()));
    }
    if !story.remains.is_empty() {
        add("What remains", Body::Lines(story.remains.clone()));
    }
    let moments = story.timeline.iter();
    let moments = moments.map(|moment| (text::local_time(moment.at), moment.words.clone()));
    add("Timeline", Body::Rows(moments.collect()));
    let (word, when) = story.ended(now);
    let times = match story.tone {
        Tone::Running => format!("{word} {when}"),
        _ => format!("started {}; {word} {when}", text::local_time(story.started_at)),
    };
    add("Cost", Body::Lines(vec![story.cost(), times]));
    let mut commands: Vec<_> =
        story.next.commands.iter().map(|command| (command.as_str(), None)).collect();
    commands.extend(story.next.undo.iter().map(|undo| (undo.command.as_str(), Some(&*undo.stays))));
    if !commands.is_empty() {
        add("Next", Body::Commands(commands));
    }
    sections
}

/// What was done: files with their lines, then branch, commits and pushes.
fn done(story: &Story) -> Vec<String> {
    let Some(diff) = story.diff.as_ref().filter(|diff| !diff.files.is_empty()) else {
        return story.changed.clone();
    };
    let sum = |count: fn(&FilePatch) -> usize| -> usize { diff.files.iter().map(count).sum() };
    let (added, removed) = (sum(|file| file.added), sum(|file| file.removed));
    let files = text::count(diff.files.len(), "file");
    let mut lines = vec![format!("{files} changed, +{added} −{removed}")];
    lines.extend(diff.files.iter().take(MOST_FILES).map(stat));
    let more = diff.files.len().saturating_sub(MOST_FILES);
    lines.extend((more > 0).then(|| format!("and {}", text::count(more, "more file"))));
    // The first line of what changed names the files.
    lines.extend(story.changed.iter().skip(1).cloned());
    lines
}

fn stat(file: &FilePatch) -> String {
    let how = if file.how.is_empty() { String::new() } else { format!(" ({})", file.how) };
    format!("{} +{} −{}{how}", sanitise::line(&file.path), file.added, file.removed)
}
