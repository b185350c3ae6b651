//! Words about what an agent with structured output does, for the decoders: lines cut to size,
//! one line for each tool, and what the final message claims. It knows no agent's format.

use std::borrow::Cow;

use serde_json::Value;

use super::Ask;
use crate::{
    claim::{self, ClaimReading},
    options::Proof,
    outcome::Outcome,
    said::Said,
};

/// How much of a line that is not known is passed on; the raw file has it whole.
const LONGEST_RAW: usize = 4 * 1024;

/// How much of a message is kept to be read for a claim.
const LONGEST_MESSAGE: usize = 1024 * 1024;

/// How long a line for people may be.
const LONGEST_SUMMARY: usize = 200;

/// A line that the decoder does not know.
pub(super) fn raw(line: &[u8]) -> Said {
    let end = line.len().min(LONGEST_RAW);
    let mut text = String::from_utf8_lossy(&line[..end]).into_owned();
    if end < line.len() {
        text.push('…');
    }
    Said::Raw { text }
}

/// Text on one line, cut.
pub(super) fn one_line(text: &str) -> String {
    let mut line = String::new();
    for word in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
        if let Some((end, _)) = line.char_indices().nth(LONGEST_SUMMARY) {
            line.truncate(end);
            line.push('…');
            break;
        }
    }
    line
}

/// Adds to a message. Of one that grows too long the end is kept, for there the claim stands.
pub(super) fn extend(message: &mut String, text: &str) {
    message.push_str(text);
    if message.len() > 2 * LONGEST_MESSAGE {
        let mut start = message.len() - LONGEST_MESSAGE;
        while !message.is_char_boundary(start) {
            start += 1;
        }
        message.drain(..start);
    }
}

/// The prompt, after the words that the user wants in the system prompt: for agents that have no
/// flag for these.
pub(super) fn with_system_words<'a>(ask: &Ask<'a>) -> Cow<'a, str> {
    match &ask.wishes.append_system_prompt {
        Some(words) => Cow::Owned(format!("{}\n\n{}", words.trim_end(), ask.prompt)),
        None => Cow::Borrowed(ask.prompt),
    }
}

/// What the final message of a session claims.
pub(super) fn claim_of(proof: &Proof, outcome: &Outcome, message: &str) -> ClaimReading {
    claim::of_session(proof, outcome, message)
}

/// One line for people about the use of a tool: "edits src/a.rs", "runs cargo test".
pub(super) fn summary(tool: &str, input: &Value, directory: &str) -> String {
    let verb = match tool {
        "write" | "write_file" => "writes",
        "edit" | "replace" | "multiedit" | "patch" | "apply_patch" => "edits",
        "read" | "read_file" | "read_many_files" => "reads",
        "bash" | "run_shell_command" => "runs",
        "list" | "ls" | "list_directory" => "lists",
        "glob" | "grep" | "grep_search" | "search_file_content" => "searches for",
        "webfetch" | "web_fetch" => "fetches",
        "websearch" | "google_web_search" => "searches the web for",
        "task" => "hands on",
        "todowrite" | "write_todos" => return "plans".to_owned(),
        _ => "",
    };
    let about = [
        "command",
        "filePath",
        "file_path",
        "dir_path",
        "pattern",
        "query",
        "url",
        "path",
        "description",
        "prompt",
    ];
    let about = about.iter().find_map(|name| input.get(name).and_then(Value::as_str));
    let about = about.map(|text| one_line(relative(text, directory)));
    match (verb, about) {
        ("", Some(about)) => format!("uses {tool}: {about}"),
        ("", None) | (_, None) => format!("uses {tool}"),
        (verb, Some(about)) => format!("{verb} {about}"),
    }
}

/// A path below the work tree, as people write it.
fn relative<'a>(path: &'a str, directory: &str) -> &'a str {
    match path.strip_prefix(directory).and_then(|rest| rest.strip_prefix('/')) {
        Some(inner) if !inner.is_empty() && !directory.is_empty() => inner,
        _ => path,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_tool_is_summed_up_in_one_line() {
        let of = |tool, input: Value| summary(tool, &input, "/w");
        assert_eq!(of("edit", json!({"filePath": "/w/src/a.rs"})), "edits src/a.rs");
        assert_eq!(of("read_file", json!({"file_path": "/etc/x"})), "reads /etc/x");
        assert_eq!(of("bash", json!({"command": "cargo\n  test"})), "runs cargo test");
        assert_eq!(of("mcp_x", json!({"query": "y"})), "uses mcp_x: y");
        assert_eq!(of("mcp_x", json!([1])), "uses mcp_x");
    }

    #[test]
    fn long_words_are_cut_between_characters() {
        assert_eq!(one_line(&"ä".repeat(300)), "ä".repeat(200) + "…");
        let Said::Raw { text } = raw("ä".repeat(4000).as_bytes()) else { panic!("not raw") };
        assert_eq!(text, "ä".repeat(2048) + "…");
    }

    #[test]
    fn of_a_message_that_grows_too_long_the_end_is_kept() {
        let mut message = String::new();
        for _ in 0..30 {
            extend(&mut message, &"ä".repeat(50_000));
        }
        extend(&mut message, "end");
        assert!(message.len() <= 2 * LONGEST_MESSAGE && message.ends_with("end"));
    }
}
