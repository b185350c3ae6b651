//! Lines for people about what an agent does with a tool ("edits src/a.rs"), what the tool
//! answered, and what went wrong. Pure, and never longer than a line of a screen or two.

use std::{fmt, path::Path};

use serde::{
    Deserialize, Deserializer,
    de::{Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor},
};
use serde_json::value::RawValue;

/// How many characters a summary has at the most.
const LONGEST: usize = 100;

/// How many characters an error has at the most.
const LONGEST_ERROR: usize = 200;

/// How much of a text is kept before it becomes a summary: it may begin with an empty line.
const KEPT: usize = 1024;

/// How much of a long one, of which there are many, and which has its escapes still.
const KEPT_OF_LONG: usize = 512;

/// The beginning of the first text in a value of any shape, so that megabytes are not copied for
/// one line and no shape is an error.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Words(pub String);

impl<'de> Deserialize<'de> for Words {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(WordsVisitor)
    }
}

/// The same for a value that may be very long, where it is read from text: to pass over a long
/// string is much cheaper than to read it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct LongWords(pub String);

impl<'de> Deserialize<'de> for LongWords {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = <&RawValue>::deserialize(deserializer)?.get();
        match raw.strip_prefix('"') {
            // Its closing quote is still there.
            Some(_) if raw.len() <= KEPT_OF_LONG => serde_json::from_str(raw),
            Some(text) => {
                let text = beginning(text.as_bytes()).unwrap_or_default();
                serde_json::from_str(&format!("\"{text}\""))
            }
            None => serde_json::from_str(raw).map(|words: Words| words.0),
        }
        .map(Self)
        .map_err(D::Error::custom)
    }
}

/// The beginning of a JSON string that has lost its opening quote; no escape and no character in it
/// is cut in two. `None` where it is not UTF-8.
pub(super) fn beginning(bytes: &[u8]) -> Option<&str> {
    let most = bytes.len().min(KEPT_OF_LONG);
    let mut end = 0;
    while end < most {
        let Some(plain) = memchr::memchr2(b'\\', b'"', &bytes[end..most]) else {
            end = most;
            break;
        };
        end += plain;
        end += match &bytes[end..] {
            // A character of two halves, each with six bytes.
            [b'\\', b'u', b'd' | b'D', b'8' | b'9' | b'a' | b'b' | b'A' | b'B', ..] => 12,
            [b'\\', b'u', ..] => 6,
            [b'\\', ..] => 2,
            _ => break,
        };
    }
    let kept = &bytes[..end.min(bytes.len())];
    match std::str::from_utf8(kept) {
        Ok(text) => Some(text),
        Err(error) if error.error_len().is_some() => None,
        Err(error) => std::str::from_utf8(&kept[..error.valid_up_to()]).ok(),
    }
}

struct WordsVisitor;

impl<'de> Visitor<'de> for WordsVisitor {
    type Value = Words;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("anything")
    }

    fn visit_str<E>(self, text: &str) -> Result<Words, E> {
        Ok(Words(text[..text.floor_char_boundary(KEPT)].to_owned()))
    }

    fn visit_bool<E>(self, _: bool) -> Result<Words, E> {
        Ok(Words::default())
    }

    fn visit_i64<E>(self, number: i64) -> Result<Words, E> {
        Ok(Words(number.to_string()))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Words, E> {
        Ok(Words(number.to_string()))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Words, E> {
        Ok(Words(number.to_string()))
    }

    fn visit_unit<E>(self) -> Result<Words, E> {
        Ok(Words::default())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Words, A::Error> {
        let mut first = Words::default();
        while let Some(words) = list.next_element::<Words>()? {
            if first.0.is_empty() {
                first = words;
            }
        }
        Ok(first)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Words, A::Error> {
        let mut text = Words::default();
        while let Some(key) = map.next_key::<Words>()? {
            if key.0 == "text" {
                text = map.next_value()?;
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(text)
    }
}

/// What a tool was given, as far as it tells what the tool does, by the names that agents use.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub(super) struct ToolInput {
    #[serde(alias = "filePath", alias = "notebook_path", alias = "absolute_path")]
    pub file_path: Words,
    pub path: Words,
    #[serde(alias = "dir_path")]
    pub directory: Words,
    #[serde(alias = "cmd")]
    pub command: Words,
    pub pattern: Words,
    pub query: Words,
    pub url: Words,
    pub description: Words,
    pub prompt: Words,
}

/// What the tool does, in one line. Paths below `directory` are shown relative to it.
pub(super) fn tool_use(name: &str, input: &ToolInput, directory: &Path) -> String {
    let ToolInput { file_path, path, directory: folder, command, pattern, query, url, .. } = input;
    let (command, url) = (command.0.as_str(), url.0.as_str());
    let path = relative(first(&[&file_path.0, &path.0, &folder.0]), directory);
    let about = first(&[&input.description.0, &input.prompt.0]);
    let looked_for = first(&[&pattern.0, &query.0]);
    let (verb, what) = match name.to_ascii_lowercase().as_str() {
        "edit" | "multiedit" | "notebookedit" | "replace" | "apply_patch" | "patch" => {
            ("edits", path)
        }
        "write" | "write_file" | "create" => ("writes", path),
        "read" | "read_file" | "read_many_files" | "view" => ("reads", path),
        "ls" | "list" | "list_directory" => ("lists", path),
        "bash" | "shell" | "run_shell_command" | "exec_command" => ("runs", command),
        "grep" | "glob" | "search" | "grep_search" | "search_file_content" => {
            ("searches for", looked_for)
        }
        "websearch" | "web_search" | "google_web_search" => ("searches the web for", looked_for),
        "webfetch" | "web_fetch" => ("fetches", first(&[url, about])),
        "task" | "agent" | "spawn_agent" => ("starts subagent:", about),
        "todowrite" | "write_todos" => return "updates its to-do list".to_owned(),
        _ => ("", first(&[command, path, looked_for, url, about])),
    };
    match (verb, one_line(what)) {
        (_, what) if what.is_empty() => one_line(&format!("uses {name}")),
        ("", what) => one_line(&format!("uses {name}: {what}")),
        (verb, what) => one_line(&format!("{verb} {what}")),
    }
}

/// A path as people would write it from within `directory`.
pub(super) fn relative<'a>(path: &'a str, directory: &Path) -> &'a str {
    let Some(directory) = directory.to_str() else { return path };
    match path.strip_prefix(directory.trim_end_matches('/')) {
        Some(rest) => rest.strip_prefix('/').filter(|rest| !rest.is_empty()).unwrap_or(path),
        None => path,
    }
}

/// The first line of a text that is not blank, with single spaces, cut.
pub(super) fn one_line(text: &str) -> String {
    let line = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    joined(line.split_whitespace(), LONGEST)
}

/// All words of a text on one line, cut: for errors, which may go on over several lines.
pub(super) fn sentence(text: &str) -> String {
    joined(text.split_whitespace(), LONGEST_ERROR)
}

/// Words with single spaces between, cut where they have more than so many characters.
fn joined<'a>(words: impl Iterator<Item = &'a str>, most: usize) -> String {
    let mut line = String::with_capacity(most);
    for word in words {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
        // Fewer bytes than that are no more characters.
        if line.len() > most && line.char_indices().nth(most).is_some() {
            let end = line.char_indices().nth(most - 1).map_or(0, |(end, _)| end);
            line.truncate(end);
            line.push('…');
            break;
        }
    }
    line
}

/// The first that says something.
fn first<'a>(texts: &[&'a str]) -> &'a str {
    texts.iter().copied().find(|text| !text.is_empty()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn summary(name: &str, input: &str) -> String {
        let input: ToolInput = serde_json::from_str(input).unwrap();
        tool_use(name, &input, Path::new("/work tree"))
    }

    #[test]
    fn tools_are_told_in_plain_words_with_relative_paths() {
        assert_eq!(summary("Edit", r#"{"file_path":"/work tree/src/a.rs"}"#), "edits src/a.rs");
        assert_eq!(summary("Write", r#"{"file_path":"/work trees/a"}"#), "writes /work trees/a");
        assert_eq!(summary("Bash", r#"{"command":"\ncargo  test\nls"}"#), "runs cargo test");
        assert_eq!(summary("Grep", r#"{"pattern":"fn main"}"#), "searches for fn main");
        assert_eq!(summary("mcp_x", r#"{"path":{"b":1},"query":"y"}"#), "uses mcp_x: y");
        assert_eq!(summary("mcp__x__y", r#"{"path":{"b":1}}"#), "uses mcp__x__y");
        assert_eq!(summary("Bash", r#"{"command":null}"#), "uses Bash");
    }

    #[test]
    fn a_long_line_is_cut_between_characters() {
        let line = one_line(&"ä".repeat(500));
        assert_eq!(line.chars().count(), LONGEST);
        assert!(line.ends_with("ä…"));
    }

    #[test]
    fn an_error_that_goes_on_over_lines_is_told_whole() {
        assert_eq!(sentence("it\n  broke "), "it broke");
        assert_eq!(sentence(&"ä".repeat(300)), "ä".repeat(199) + "…");
    }

    #[test]
    fn the_first_text_is_found_in_any_shape() {
        let words = |json: &str| serde_json::from_str::<Words>(json).unwrap().0;
        assert_eq!(words(r#"[{"type":"image","source":{"a":[1]}},{"text":"hi"}]"#), "hi");
        assert_eq!(words("[]"), "");
        assert_eq!(words("7"), "7");
    }

    #[test]
    fn of_a_long_text_the_beginning_is_read_and_no_escape_is_cut_in_two() {
        let words = |json: &str| serde_json::from_str::<LongWords>(json).unwrap().0;
        for unit in ["a", "ä", r"\n", r"\u00e4", r"\ud83d\ude00", r#"\""#] {
            let one: String = serde_json::from_str(&format!("\"{unit}\"")).unwrap();
            for lead in ["", "x", "xx", "xxx"] {
                let read = words(&format!("\"{lead}{}\"", unit.repeat(3000)));
                let rest = read.strip_prefix(lead).unwrap();
                assert!(!rest.is_empty() && rest.replace(&one, "").is_empty(), "{unit}: {read}");
            }
        }
        assert_eq!(words(r#"[{"type":"text","text":"in a list"}]"#), "in a list");
        assert_eq!(words("7"), "7");
    }
}
