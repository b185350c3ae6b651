//! The options that say which agent a loop runs, and how. They serve argv, config files and the
//! loop itself.

use std::{collections::BTreeMap, path::PathBuf};

use serde::{Deserialize, Serialize};

use super::{ChooseError, ConfiguredAgent, DecoderName, PromptMode, SkipPermissions, Wishes};

/// Which agent to run, and how.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct AgentOptions {
    /// Agent to run: built-in or from config [default: claude]
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAME[:MODEL]"))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,

    /// Model name, as the agent knows it
    #[cfg_attr(feature = "clap", arg(long, value_name = "MODEL"))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,

    /// Append text to the agent's system prompt
    ///
    /// With `--command` it goes before the prompt.
    #[cfg_attr(feature = "clap", arg(long, value_name = "TEXT", allow_hyphen_values = true))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub append_system_prompt: Option<String>,

    /// Skip the agent's permission prompts; it can do whatever you can
    #[cfg_attr(feature = "clap", arg(
        long,
        action = clap::ArgAction::SetTrue,
        value_parser = clap::builder::TypedValueParser::map(
            clap::builder::BoolValueParser::new(),
            SkipPermissions::from,
        ),
    ))]
    #[serde(default)]
    pub skip_permissions: SkipPermissions,

    /// Run this command as the agent; the prompt becomes its last argument
    ///
    /// Parsed like a shell command, but no shell is used.
    #[cfg_attr(feature = "clap", arg(short, long, value_name = "CMD"))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,

    /// How to pass the prompt to `--command` [default: arg]
    #[cfg_attr(feature = "clap", arg(long, value_name = "MODE"))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt_mode: Option<PromptMode>,

    /// Output format of `--command`, if it prints like another agent [default: text]
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAME"))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decoder: Option<DecoderName>,

    /// Script for the agent `scripted`
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE"))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub script: Option<PathBuf>,

    /// Give the agent the hooks in this file instead of windlass's
    ///
    /// The file has the format of the agent; `claude` has hooks. It is read once, when the loop
    /// starts.
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE"))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hooks_file: Option<PathBuf>,

    /// What that file said when the loop started.
    #[cfg_attr(feature = "clap", arg(skip))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hooks_text: Option<String>,

    /// Set an environment variable for the agent and checks; repeatable
    #[cfg_attr(feature = "clap", arg(long = "env", value_name = "NAME=VALUE"))]
    #[serde(default)]
    pub env: Vec<String>,

    /// Pass one of your environment variables to the agent and checks; repeatable
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAME"))]
    #[serde(default)]
    pub pass_env: Vec<String>,

    /// Extra arguments passed to the agent
    #[cfg_attr(feature = "clap", arg(last = true, value_name = "AGENT_ARGS"))]
    #[serde(default)]
    pub agent_args: Vec<String>,

    /// Where programs of agents were found on `PATH` when the loop started.
    #[cfg_attr(feature = "clap", arg(skip))]
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub programs: BTreeMap<String, String>,

    /// Agents of the config.
    #[cfg_attr(feature = "clap", arg(skip))]
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub agents: BTreeMap<String, ConfiguredAgent>,
}

impl AgentOptions {
    /// The loop's agent as it was asked for; `None` where that is left to windlass.
    pub fn asked(&self) -> Result<Option<&str>, ChooseError> {
        match (&self.agent, &self.command) {
            (Some(name), Some(_)) if name.split(':').next() != Some("command") => {
                Err(ChooseError::Both { name: name.clone() })
            }
            (Some(name), _) => Ok(Some(name)),
            (None, Some(_)) => Ok(Some("command")),
            (None, None) => Ok(None),
        }
    }

    /// What is wished of the loop's own agent, whoever brings it.
    pub fn own_wishes(&self) -> Wishes {
        Wishes {
            model: self.model.clone(),
            append_system_prompt: self.append_system_prompt.clone(),
            skip_permissions: self.skip_permissions,
            extra_args: self.agent_args.clone(),
        }
    }

    /// What is wished of the agent that was asked for by that name. The model and the arguments
    /// are meant for the loop's own agent: those of another would not understand them.
    pub(super) fn wishes(&self, asked: &str) -> Wishes {
        let is_own = matches!(self.asked(), Ok(Some(own)) if own == asked);
        let mut wishes = self.own_wishes();
        if !is_own {
            wishes.model = None;
            wishes.extra_args.clear();
        }
        if let Some((_, model)) = asked.split_once(':') {
            wishes.model = Some(model.to_owned());
        }
        wishes
    }
}
