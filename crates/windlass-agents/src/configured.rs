//! An agent of the config, which needs no code: a program, how the prompt reaches it, and what
//! reads its output.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use windlass_core::{agent_files::AgentFiles, options::SandboxName};

use super::{
    Abilities, Agent, Aider, Ask, BuiltIn, Claude, Codex, Decoder, Gemini, OpenCode, Places,
    PromptMode, RepoConfig, TextDecoder,
};

/// What stands for the model in a command.
pub(super) const MODEL: &str = "{model}";

/// An agent of the config: `[agents.NAME]`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConfiguredAgent {
    /// The program and its arguments.
    pub command: Vec<String>,
    /// How the prompt goes in.
    #[serde(default)]
    pub prompt: PromptMode,
    /// What reads its output.
    #[serde(default)]
    pub decoder: DecoderName,
    /// The model, which replaces `{model}` in the command.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Variables that it gets.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub env: BTreeMap<String, String>,
    /// What confines it, unless the loop says otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sandbox: Option<SandboxName>,
}

impl ConfiguredAgent {
    /// Whether its command has a place for a model.
    pub(crate) fn takes_model(&self) -> bool {
        self.command.iter().any(|part| part.contains(MODEL))
    }

    /// What it can be asked for, and what its decoder can read.
    pub fn abilities(&self) -> Abilities {
        let read = self.decoder.built_in().map_or(Abilities::default(), |agent| agent.abilities);
        Abilities {
            model: self.takes_model(),
            append_system_prompt: false,
            skip_permissions: false,
            hooks: false,
            ..read
        }
    }
}

/// What reads an agent's output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "snake_case")]
pub enum DecoderName {
    /// Plain text
    #[default]
    Text,
    /// Claude Code JSON stream
    Claude,
    /// Codex JSON lines
    Codex,
    /// OpenCode JSON lines
    #[serde(rename = "opencode")]
    #[cfg_attr(feature = "clap", value(name = "opencode"))]
    OpenCode,
    /// Gemini JSON stream
    Gemini,
    /// Aider text output
    Aider,
}

impl DecoderName {
    /// A decoder for one session.
    pub(super) fn decoder(self, ask: &Ask<'_>) -> Box<dyn Decoder + Send> {
        match self {
            Self::Text => Box::new(TextDecoder::new(ask)),
            Self::Claude => Claude.decoder(ask),
            Self::Codex => Codex.decoder(ask),
            Self::OpenCode => OpenCode.decoder(ask),
            Self::Gemini => Gemini.decoder(ask),
            Self::Aider => Aider.decoder(ask),
        }
    }

    /// What is its own whose output it reads.
    pub(super) fn own(self, places: &Places<'_>) -> AgentFiles {
        let agent = self.built_in().and_then(BuiltIn::agent);
        agent.map(|agent| agent.own(places)).unwrap_or_default()
    }

    /// What of a repository is loaded by the agent whose output it reads.
    pub(super) fn repo_config(self) -> Vec<&'static RepoConfig> {
        let agent = self.built_in().and_then(BuiltIn::agent);
        agent.map(|agent| agent.repo_config()).unwrap_or_default()
    }

    /// The agent whose output it reads.
    fn built_in(self) -> Option<&'static BuiltIn> {
        match self {
            Self::Text => None,
            Self::Claude => BuiltIn::named("claude"),
            Self::Codex => BuiltIn::named("codex"),
            Self::OpenCode => BuiltIn::named("opencode"),
            Self::Gemini => BuiltIn::named("gemini"),
            Self::Aider => BuiltIn::named("aider"),
        }
    }
}
