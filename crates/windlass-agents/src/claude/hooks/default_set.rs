//! The hooks that Claude Code gets where the user gives none. Each is a few lines of `sh` that use
//! nothing but what every shell has built in, so that they work in any sandbox and any image; what
//! they cannot tell they let pass. Does no I/O.

use serde_json::{Map, Value, json};
use windlass_core::{context, options::Protocol, role, status};

use crate::Ask;

/// What looks for the status block. `{answer}` is what it prints when there is none.
const STOP: &str = include_str!("stop.sh");

/// How long a hook may take, in seconds; Claude Code then goes on without it.
const PATIENCE: u32 = 10;

/// How much of the prompt is told again, in bytes: Claude Code cuts what is longer than 10 KB.
const TOLD: usize = 4096;

/// The hooks for a session, by their events.
pub(super) fn of(ask: &Ask<'_>) -> Map<String, Value> {
    let mut hooks = Map::new();
    if ask.role == role::AGENT && ask.claiming.protocol == Protocol::Status {
        hooks.insert("Stop".to_owned(), json!([{"hooks": [command(&stop(ask))]}]));
    }
    let reminder = command(&format!("printf '%s\\n' {}", quoted(&reminder(ask))));
    let reminder = json!([{"matcher": "compact", "hooks": [reminder]}]);
    hooks.insert("SessionStart".to_owned(), reminder);
    hooks
}

fn command(script: &str) -> Value {
    json!({"type": "command", "command": script, "timeout": PATIENCE})
}

/// Holds the agent back once when its last message has no status block.
fn stop(ask: &Ask<'_>) -> String {
    let reason = format!(
        "Your last message has no status block that can be read: there is none, it is not whole, or \
         it stands in a code block. Nothing else is asked of you. Say in a line or two how the work \
         stands, and close with the block.\n\n{}",
        status::lesson(ask.claiming)
    );
    let answer = json!({"decision": "block", "reason": reason});
    STOP.replace("{answer}", &quoted(&answer.to_string()))
}

/// What an agent must not have lost with the rest of its context.
fn reminder(ask: &Ask<'_>) -> String {
    let file = ask.prompt_file.display();
    let mut text = format!(
        "Your context was compacted. This still holds:\n\
         You work on iteration {} of a loop that windlass runs. Nobody reads along or answers \
         questions. What is done stands in the files and in the git history.\n",
        ask.iteration
    );
    if ask.role == role::AGENT {
        text.push_str(&context::how_to_claim(ask.claiming));
    }
    let beginning = &ask.prompt[..ask.prompt.floor_char_boundary(TOLD)];
    let is_cut = beginning.len() < ask.prompt.len();
    let which = if is_cut { "The beginning of your prompt" } else { "Your prompt" };
    text.push_str(&format!(
        "{which} follows, word for word; all of it stands in the file {file}, which you can read. It \
         says what to do and how to answer.\n\n{beginning}"
    ));
    if is_cut {
        text.push_str(&format!("\n\n(cut here; the rest is in {file})"));
    }
    text
}

/// A text as one word of a shell.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}
