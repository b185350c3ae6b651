//! A report in Markdown. Words of agents and of repositories notify nobody and link nowhere.

use windlass_core::{forge::neutral, text::fence::fenced, time::Timestamp};

use super::{
    Story,
    document::{Body, sections},
};

/// The report.
pub(crate) fn report(stories: &[Story], now: Timestamp) -> String {
    let pages: Vec<String> = stories.iter().map(|story| page(story, now)).collect();
    format!("{}\n", pages.join("\n\n"))
}

fn page(story: &Story, now: Timestamp) -> String {
    let about = neutral::line(&story.about);
    let mut parts = vec![
        format!("# {} {}", story.tone.sign(), neutral::line(&story.name)),
        format!("{about}\n\n**{}**", neutral::line(&story.sentence)),
    ];
    for section in sections(story, now) {
        parts.push(format!("## {}", section.title));
        parts.push(match section.body {
            Body::Text(text) => fenced("text", text),
            Body::Lines(lines) => list(lines.iter().map(|line| neutral::line(line))),
            Body::Rows(rows) => {
                list(rows.iter().map(|(at, words)| format!("{at}: {}", neutral::line(words))))
            }
            Body::Commands(commands) => {
                let lines: Vec<String> = commands.iter().flat_map(command).collect();
                fenced("sh", &lines.join("\n"))
            }
        });
    }
    if let Some(diff) = story.diff.as_ref().filter(|diff| !diff.files.is_empty()) {
        parts.push("## Diff".to_owned());
        parts.push(fenced("diff", &diff.text));
        parts.extend(diff.note.as_deref().map(neutral::line));
    }
    parts.join("\n\n")
}

fn list(lines: impl Iterator<Item = String>) -> String {
    lines.map(|line| format!("- {line}")).collect::<Vec<_>>().join("\n")
}

fn command((command, about): &(&str, Option<&str>)) -> Vec<String> {
    let about = about.map(|about| format!("# {about}"));
    about.into_iter().chain([(*command).to_owned()]).collect()
}
