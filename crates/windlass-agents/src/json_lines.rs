//! Tells whose JSON lines a command prints, where they are read as plain text.

use serde_json::Value;

use super::called::called_by;

/// Lines that are looked at before it is taken for text.
const LINES: u32 = 20;

/// Looks at the first lines of an output.
#[derive(Debug, Default)]
pub(super) struct JsonLines {
    seen: u32,
    found: Option<&'static str>,
}

impl JsonLines {
    /// Whether it wants to see more.
    pub(super) fn looks(&self) -> bool {
        self.found.is_none() && self.seen < LINES
    }

    /// Takes a line.
    pub(super) fn line(&mut self, line: &[u8]) {
        let line = line.trim_ascii();
        if !self.looks() || line.is_empty() {
            return;
        }
        self.seen += 1;
        if line.starts_with(b"{")
            && let Ok(value) = serde_json::from_slice(line)
        {
            self.found = decoder_of(&value);
        }
    }

    /// The decoder that reads such lines.
    pub(super) fn found(&self) -> Option<&'static str> {
        self.found
    }
}

/// The decoder of the agent that prints such a line.
fn decoder_of(line: &Value) -> Option<&'static str> {
    let kind = line["type"].as_str()?;
    let has = |field: &str| line.get(field).is_some();
    match kind {
        "system" if has("subtype") => Some("claude"),
        "assistant" | "user" if has("message") => Some("claude"),
        "result" if has("subtype") => Some("claude"),
        "init" if has("session_id") => Some("gemini"),
        _ if has("sessionID") => Some("opencode"),
        _ if ["thread.", "turn.", "item."].iter().any(|start| kind.starts_with(start)) => {
            Some("codex")
        }
        _ => None,
    }
}

/// The decoder of the agent that a command calls with a flag that has it print JSON lines.
pub fn decoder_for(command: &str) -> Option<&'static str> {
    let agent = called_by([command]).first()?.agent;
    let asks = command.split_whitespace().any(|word| {
        let word = word.trim_matches(['"', '\'']);
        word == "--json"
            || word == "json"
            || word.ends_with("stream-json")
            || word.ends_with("=json")
    });
    ["claude", "codex", "gemini", "opencode"].into_iter().find(|name| asks && *name == agent)
}

/// What people are told.
pub fn told(decoder: &str) -> String {
    format!(
        "the agent prints JSON lines as `{decoder}` does, and they are read as plain text: \
         `--decoder {decoder}` reads its last message, its usage and its limits"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Option<&'static str> {
        let mut lines = JsonLines::default();
        text.lines().for_each(|line| lines.line(line.as_bytes()));
        lines.found()
    }

    #[test]
    fn the_lines_of_each_agent_are_known_and_other_json_is_not() {
        let claude = r#"{"type":"system","subtype":"init","session_id":"x"}"#;
        assert_eq!(found(claude), Some("claude"));
        assert_eq!(found(&format!("starting\n\n{claude}")), Some("claude"));
        assert_eq!(found(r#"{"type":"thread.started","thread_id":"x"}"#), Some("codex"));
        let gemini = r#"{"type":"init","timestamp":"t","session_id":"x","model":"m"}"#;
        assert_eq!(found(gemini), Some("gemini"));
        assert_eq!(found(r#"{"type":"step_start","sessionID":"x"}"#), Some("opencode"));
        for other in ["", "text", "{", r#"{"type":"log"}"#, r#"{"a":1}"#, "[1]", r#"{"type":1}"#] {
            assert_eq!(found(other), None, "{other}");
        }
        assert_eq!(found(&format!("{}{claude}", "text\n".repeat(30))), None);
    }

    #[test]
    fn a_command_that_asks_an_agent_for_json_is_known() {
        for (command, expected) in [
            ("claude -p --output-format stream-json --verbose", Some("claude")),
            ("sh -c 'claude -p --output-format=stream-json'", Some("claude")),
            ("codex exec --json", Some("codex")),
            ("opencode run --format json", Some("opencode")),
            ("gemini --output-format stream-json", Some("gemini")),
            ("claude -p", None),
            ("my-agent --json", None),
        ] {
            assert_eq!(decoder_for(command), expected, "{command}");
        }
    }
}
