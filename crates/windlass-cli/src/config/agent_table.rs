//! The table `[agents.NAME]` of a config file: an agent that needs no code.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// An agent of the config.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct AgentTable {
    /// The program and its arguments.
    pub(crate) command: Vec<String>,
    /// How the prompt reaches it.
    #[serde(default)]
    pub(crate) prompt: PromptMode,
    /// What reads its output.
    #[serde(default)]
    pub(crate) decoder: DecoderName,
    /// The model, where the agent takes one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) model: Option<String>,
    /// What is added to its environment.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) env: BTreeMap<String, String>,
}

impl AgentTable {
    /// Says why the parts do not go together, if they do not.
    pub(crate) fn refuse(&self) -> Option<&'static str> {
        let names_file = self.command.iter().any(|part| part.contains("{prompt_file}"));
        let lost = self.prompt == PromptMode::File && !names_file;
        lost.then_some("takes its prompt from a file, so its `command` must have `{prompt_file}`")
    }
}

/// How the prompt reaches a command.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "snake_case")]
pub(crate) enum PromptMode {
    /// As the last argument
    #[default]
    Arg,
    /// On standard input
    Stdin,
    /// In the variable PROMPT
    Env,
    /// In a file whose path replaces `{prompt_file}`
    File,
}

/// What reads an agent's output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum DecoderName {
    /// Plain text.
    #[default]
    Text,
}

/// What cannot be an agent's name in a config file, and why.
pub(crate) fn refuse_name(name: &str) -> Option<&'static str> {
    if ["command", "scripted"].contains(&name) {
        Some("an agent of this name is built in")
    } else if name.is_empty() || name.contains(|c: char| c == ':' || c.is_whitespace()) {
        Some("an agent's name has no space and no colon")
    } else {
        None
    }
}
