//! All settings as values: what every layer is checked against, one setting at a time.

use serde::{Deserialize, Serialize};
use windlass::options::{GitOptions, Pace, Proof, Rules};

use super::agent_table::PromptMode;

/// All settings.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(clap::Args))]
pub(crate) struct Settings {
    #[serde(flatten)]
    #[cfg_attr(test, command(flatten))]
    pub(crate) agent: AgentSettings,
    #[serde(flatten)]
    #[cfg_attr(test, command(flatten))]
    pub(crate) proof: Proof,
    #[serde(flatten)]
    #[cfg_attr(test, command(flatten))]
    pub(crate) rules: Rules,
    #[serde(flatten)]
    #[cfg_attr(test, command(flatten))]
    pub(crate) pace: Pace,
    #[serde(flatten)]
    #[cfg_attr(test, command(flatten))]
    pub(crate) git: GitOptions,
}

/// Which agent, and what it gets.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(clap::Args))]
pub(crate) struct AgentSettings {
    #[cfg_attr(test, arg(long))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) agent: Option<String>,
    #[cfg_attr(test, arg(long, short))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) command: Option<String>,
    #[cfg_attr(test, arg(long))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) prompt_mode: Option<PromptMode>,
    #[cfg_attr(test, arg(long))]
    pub(crate) env: Vec<String>,
    #[cfg_attr(test, arg(long))]
    pub(crate) pass_env: Vec<String>,
    #[cfg_attr(test, arg(long))]
    pub(crate) no_context: bool,
}
