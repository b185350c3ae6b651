//! The options that say which agent a loop runs, and how. They serve argv, config files and the
//! loop itself.

use std::{collections::BTreeMap, path::PathBuf};

use serde::{Deserialize, Serialize};

use super::{ChooseError, ConfiguredAgent, DecoderName, PromptMode, SkipPermissions, Wishes};

/// Which agent to run, and how.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct AgentOptions {
    /// The agent: one that is built in, or one of the config; `claude` if it is installed
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAME[:MODEL]"))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,

    /// The model, by the name that the agent has for it
    #[cfg_attr(feature = "clap", arg(long, value_name = "MODEL"))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,

    /// Add this to the agent's system prompt; a command gets it before the prompt
    #[cfg_attr(feature = "clap", arg(long, value_name = "TEXT", allow_hyphen_values = true))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub append_system_prompt: Option<String>,

    /// Let the agent use all its tools without asking: it can do whatever you can
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

    /// Run this program as the agent; the prompt becomes its last argument
    ///
    /// Split like a shell would, and run without one.
    #[cfg_attr(feature = "clap", arg(short, long, value_name = "CMD"))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,

    /// How the prompt goes to a command
    #[cfg_attr(feature = "clap", arg(long, value_name = "MODE"))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt_mode: Option<PromptMode>,

    /// What reads the output of a command, where it prints as another agent does
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAME"))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decoder: Option<DecoderName>,

    /// The script that the agent `scripted` plays
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE"))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub script: Option<PathBuf>,

    /// A file with hooks for the agent, in the agent's own form, in place of windlass's
    ///
    /// For agents that have hooks: `claude`. The file is read once, when the loop starts.
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE"))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hooks_file: Option<PathBuf>,

    /// What that file said when the loop started.
    #[cfg_attr(feature = "clap", arg(skip))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hooks_text: Option<String>,

    /// Set a variable in the environment of the agent and the checks
    #[cfg_attr(feature = "clap", arg(long = "env", value_name = "NAME=VALUE"))]
    #[serde(default)]
    pub env: Vec<String>,

    /// Pass a variable of your environment on to the agent and the checks
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAME"))]
    #[serde(default)]
    pub pass_env: Vec<String>,

    /// Arguments for the agent's program, as they are
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
