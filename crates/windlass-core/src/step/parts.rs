//! What sessions, checks and programs of the user's own are asked to do.

use serde::{Deserialize, Serialize};

use crate::options::{CheckCommand, Moment};

/// One call of an agent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SessionStep {
    /// Whose part the agent plays: `agent`, `developer`, `reviewer`, …
    pub role: String,
    /// The agent's name.
    pub agent: String,
    /// The prompt, whole.
    pub prompt: String,
    /// What windlass adds to the agent's system prompt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lesson: Option<String>,
    /// The task that it works on, in loops that give out one at a time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task: Option<String>,
}

impl SessionStep {
    /// A call with nothing but a prompt.
    pub fn new(role: &str, agent: &str, prompt: String) -> Self {
        Self { role: role.to_owned(), agent: agent.to_owned(), prompt, lesson: None, task: None }
    }
}

/// One run of a check.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CheckStep {
    /// The command, for `sh -c`.
    pub command: String,
    /// The tree that it runs on, where there is one.
    pub tree: Option<String>,
    /// Where it runs, if windlass found it: a directory below the loop's root. Such a check runs with
    /// `CI=1`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub found_in: Option<String>,
    /// The most time that it may take, where that is less than `--check-timeout`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_most_ms: Option<u64>,
    /// Whether it runs before the first session, and should leave nothing that later runs would take for
    /// compiled sources.
    #[serde(default, skip_serializing_if = "is_false")]
    pub is_baseline: bool,
}

fn is_false(value: &bool) -> bool {
    !value
}

impl CheckStep {
    /// A check on a tree.
    pub fn new(check: &CheckCommand, tree: Option<String>) -> Self {
        let CheckCommand { command, found_in } = check.clone();
        Self { command, tree, found_in, at_most_ms: None, is_baseline: false }
    }
}

/// A program of the user's own, run at a moment of the loop.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HookStep {
    /// The moment.
    pub on: Moment,
    /// The program and its arguments.
    pub command: Vec<String>,
    /// What it reads.
    pub input: serde_json::Value,
}
