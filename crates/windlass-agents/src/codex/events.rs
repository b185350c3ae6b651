//! The lines that `codex exec --json` prints, as far as windlass reads them.

use serde::Deserialize;

use crate::summary::{LongWords, Words};

/// One line. Fields are those of all kinds: only some are set in each.
#[derive(Debug, Deserialize)]
pub(super) struct Event {
    #[serde(rename = "type")]
    pub kind: String,
    /// What `thread.started` calls the session.
    pub thread_id: Option<String>,
    pub item: Option<Item>,
    pub usage: Option<Tokens>,
    /// What `error` says.
    pub message: Option<String>,
    /// What `turn.failed` says.
    pub error: Option<Failure>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Failure {
    pub message: Option<String>,
}

/// Tokens, cumulative over the thread; those from the cache are part of `input_tokens`.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Tokens {
    pub input_tokens: u64,
    pub output_tokens: u64,
}

/// Something that the agent says or does.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Item {
    pub id: String,
    #[serde(rename = "type")]
    pub kind: String,
    pub status: Option<String>,
    pub text: Option<String>,
    pub message: Option<String>,
    pub command: Words,
    pub aggregated_output: LongWords,
    pub exit_code: Option<i32>,
    pub changes: Vec<Change>,
    pub tool: Words,
    pub server: Words,
    pub query: Words,
    pub prompt: Words,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Change {
    pub path: String,
    pub kind: Words,
}
