//! Marks a task as done in the text of its file, and leaves every other byte as it is.

use std::{borrow::Cow, collections::BTreeMap};

use serde_json::value::RawValue;

use super::{Format, key};

impl Format {
    /// The text with the open task of that key marked as done; `None` where there is no such task.
    pub fn tick(self, text: &str, task: &str) -> Option<String> {
        let open = |text: &str| {
            let list = self.read(text).ok()?;
            list.tasks.into_iter().find(|found| found.key == task).map(|found| !found.done)
        };
        if !open(text)? {
            return None;
        }
        let candidates = match self {
            Self::Prd => stories(text, task),
            Self::CheckList | Self::Plain => lines(self, text, task),
        };
        // Tasks with the same text are told apart by their order, which only a reading knows.
        candidates.into_iter().find(|ticked| open(ticked) == Some(false))
    }
}

/// The texts in which one line that may be the task is ticked.
fn lines(format: Format, text: &str, task: &str) -> Vec<String> {
    let base = task.split('#').next().unwrap_or(task);
    let mut ticked = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if key(line).contains(base)
            && let Some(new) = tick_line(format, line)
        {
            ticked.push(format!("{}{new}{}", &text[..start], &text[start + line.len()..]));
        }
        start += line.len();
    }
    ticked
}

/// A line with its box ticked; in plain text it gets one where it has none.
fn tick_line(format: Format, line: &str) -> Option<String> {
    let boxed = line.find('[').and_then(|open| {
        let close = open + line[open..].find(']')?;
        (close - open <= 4).then(|| format!("{}[x]{}", &line[..open], &line[close + 1..]))
    });
    match (format, boxed) {
        (_, Some(ticked)) => Some(ticked),
        (Format::Plain, None) => {
            let words = line.trim_start_matches(['-', '*', '+', ' ', '\t']);
            let before = &line[..line.len() - words.len()];
            Some(format!("{before}[x] {words}"))
        }
        (Format::CheckList | Format::Prd, None) => None,
    }
}

type Object<'a> = BTreeMap<Cow<'a, str>, &'a RawValue>;

/// The texts in which one story passes that did not.
fn stories(text: &str, task: &str) -> Vec<String> {
    let object: Option<Object<'_>> = serde_json::from_str(text).ok();
    let stories = object.and_then(|object| object.get("userStories").copied());
    let stories: Vec<&RawValue> =
        stories.and_then(|raw| serde_json::from_str(raw.get()).ok()).unwrap_or_default();
    let ticked = stories.into_iter().filter(|story| may_be(story, task)).filter_map(|story| {
        let fields: Object<'_> = serde_json::from_str(story.get()).ok()?;
        Some(match fields.get("passes") {
            Some(passes) => with(text, offset(text, passes.get()), passes.get().len(), "true"),
            None => {
                let inside = offset(text, story.get()) + 1;
                let comma = if fields.is_empty() { "" } else { "," };
                with(text, inside, 0, &format!("\"passes\": true{comma}"))
            }
        })
    });
    ticked.collect()
}

fn may_be(story: &RawValue, task: &str) -> bool {
    let base = task.split('#').next().unwrap_or(task);
    base.starts_with("story ") || key(story.get()).contains(base) || !base.is_ascii()
}

/// Where a part of the text begins in it.
fn offset(text: &str, part: &str) -> usize {
    part.as_ptr().addr() - text.as_ptr().addr()
}

fn with(text: &str, at: usize, length: usize, new: &str) -> String {
    format!("{}{new}{}", &text[..at], &text[at + length..])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tick(format: Format, text: &str, name: &str) -> Option<String> {
        let list = format.read(text).unwrap();
        let task = list.tasks.iter().find(|task| task.name == name).unwrap();
        format.tick(text, &task.key)
    }

    #[test]
    fn one_box_of_a_check_list_is_ticked_and_nothing_else_changes() {
        let text = "# Tasks\r\n\r\n- [ ] Write *it*\r\n  - [ ] Test it\r\n- [ ] write it\r\n";
        let ticked = tick(Format::CheckList, text, "Test it").unwrap();
        assert_eq!(ticked, text.replace("[ ] Test", "[x] Test"));
        // The second of two tasks with the same text is the second.
        let list = Format::CheckList.read(text).unwrap();
        let second = Format::CheckList.tick(text, &list.tasks[2].key).unwrap();
        assert_eq!(second, text.replace("[ ] write", "[x] write"));
    }

    #[test]
    fn what_is_done_or_not_there_is_not_ticked() {
        let text = "- [x] Write it\n- [ ] Test it\n";
        assert_eq!(Format::CheckList.tick(text, "write it"), None);
        assert_eq!(Format::CheckList.tick(text, "sell it"), None);
    }

    #[test]
    fn a_story_passes_without_a_new_layout() {
        let text = r#"{ "userStories": [
          {"id":"US-1", "title":"a \"b\"",   "passes":false, "n": 1e2},
          {"id":"US-2", "title":"c"} ] }"#;
        let first = tick(Format::Prd, text, "US-1: a \"b\"").unwrap();
        assert_eq!(first, text.replace("\"passes\":false", "\"passes\":true"));
        let second = tick(Format::Prd, text, "US-2: c").unwrap();
        assert_eq!(second, text.replace("{\"id\":\"US-2\"", "{\"passes\": true,\"id\":\"US-2\""));
    }

    #[test]
    fn a_line_of_plain_text_gets_a_box() {
        let text = "Tasks:\n  - write it\ntest it [ ]\n";
        assert_eq!(
            tick(Format::Plain, text, "write it").unwrap(),
            "Tasks:\n  - [x] write it\ntest it [ ]\n"
        );
        assert_eq!(
            tick(Format::Plain, text, "test it").unwrap(),
            "Tasks:\n  - write it\ntest it [x]\n"
        );
    }
}
