//! Which agent a loop runs: one that is built in, one of the config, or any command.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::Arc,
};

use serde::{Deserialize, Serialize};

use super::{Agent, Plain, PromptMode, plain::PROMPT_FILE};

/// The agents that are built in, each with a sentence.
pub const BUILT_IN: &[(&str, &str)] = &[
    ("command", "any program, given with `--command`"),
    ("scripted", "plays a script, given with `--script`; for demos and tests"),
];

/// Which agent to run, and how.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct AgentOptions {
    /// The agent: one that is built in, or one of the config
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAME"))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,

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

    /// The script that the agent `scripted` plays
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE"))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub script: Option<PathBuf>,

    /// Set a variable in the environment of the agent and the checks
    #[cfg_attr(feature = "clap", arg(long = "env", value_name = "NAME=VALUE"))]
    #[serde(default)]
    pub env: Vec<String>,

    /// Pass a variable of your environment on to the agent and the checks
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAME"))]
    #[serde(default)]
    pub pass_env: Vec<String>,

    /// Agents of the config.
    #[cfg_attr(feature = "clap", arg(skip))]
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub agents: BTreeMap<String, ConfiguredAgent>,
}

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
}

/// What reads an agent's output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DecoderName {
    /// Plain text.
    #[default]
    Text,
}

/// No agent could be chosen.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChooseError {
    /// None was named, and none is there by itself.
    #[error("no agent was chosen")]
    None,
    /// There is no agent of that name.
    #[error("there is no agent `{name}`")]
    Unknown {
        /// What was asked for.
        name: String,
        /// All that there are.
        known: Vec<String>,
    },
    /// A command that cannot be split into words.
    #[error("the command `{command}` has a quote that is not closed")]
    UnclosedQuote {
        /// The command.
        command: String,
    },
    /// Nothing to run.
    #[error("the command of the agent `{name}` is empty")]
    Empty {
        /// The agent.
        name: String,
    },
    /// `--agent command` without a command, or `--agent scripted` without a script.
    #[error("the agent `{name}` needs `{flag}`")]
    Needs {
        /// The agent.
        name: String,
        /// The flag.
        flag: &'static str,
    },
    /// Both a command and another agent.
    #[error("`--command` and the agent `{name}` exclude one another")]
    Both {
        /// The agent.
        name: String,
    },
    /// The file mode without a place for the path.
    #[error("with the prompt mode `file` the command needs `{{prompt_file}}` where the path goes")]
    NoPlaceForFile,
}

/// Chooses the agent. `this_program` is what plays scripts.
pub fn choose(options: &AgentOptions, this_program: &Path) -> Result<Arc<dyn Agent>, ChooseError> {
    let name = match (&options.agent, &options.command) {
        (None, None) => return Err(ChooseError::None),
        (None, Some(_)) => "command",
        (Some(name), Some(_)) if name != "command" => {
            return Err(ChooseError::Both { name: name.clone() });
        }
        (Some(name), _) => name.as_str(),
    };
    let agent = match (name, options.agents.get(name)) {
        (_, Some(configured)) => configured.plain(name),
        ("command", None) => command(options)?,
        ("scripted", None) => scripted(options, this_program)?,
        (_, None) => {
            let mut known: Vec<String> = options.agents.keys().cloned().collect();
            known.extend(BUILT_IN.iter().map(|(name, _)| (*name).to_owned()));
            return Err(ChooseError::Unknown { name: name.to_owned(), known });
        }
    };
    if agent.argv.first().is_none_or(String::is_empty) {
        return Err(ChooseError::Empty { name: agent.name });
    }
    let has_place = agent.argv.iter().skip(1).any(|arg| arg.contains(PROMPT_FILE));
    if agent.mode == PromptMode::File && !has_place {
        return Err(ChooseError::NoPlaceForFile);
    }
    Ok(Arc::new(agent))
}

fn command(options: &AgentOptions) -> Result<Plain, ChooseError> {
    let needs = ChooseError::Needs { name: "command".to_owned(), flag: "--command" };
    let command = options.command.as_ref().ok_or(needs)?;
    let argv = shell_words::split(command)
        .map_err(|_| ChooseError::UnclosedQuote { command: command.clone() })?;
    Ok(Plain {
        name: "command".to_owned(),
        argv,
        mode: options.prompt_mode.unwrap_or_default(),
        env: Vec::new(),
        counts_sessions: false,
    })
}

fn scripted(options: &AgentOptions, this_program: &Path) -> Result<Plain, ChooseError> {
    let needs = ChooseError::Needs { name: "scripted".to_owned(), flag: "--script" };
    let script = options.script.as_ref().ok_or(needs)?;
    let program = this_program.to_string_lossy().into_owned();
    let role = crate::process::SCRIPTED.to_owned();
    Ok(Plain {
        name: "scripted".to_owned(),
        argv: vec![program, role, script.to_string_lossy().into_owned()],
        mode: PromptMode::Stdin,
        env: Vec::new(),
        counts_sessions: true,
    })
}

impl ConfiguredAgent {
    fn plain(&self, name: &str) -> Plain {
        let argv = self.command.iter().map(|part| match &self.model {
            Some(model) => part.replace("{model}", model),
            None => part.clone(),
        });
        Plain {
            name: name.to_owned(),
            argv: argv.collect(),
            mode: self.prompt,
            env: self.env.iter().map(|(name, value)| (name.clone(), value.clone())).collect(),
            counts_sessions: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn error(options: AgentOptions, expected: &str) {
        let error = choose(&options, Path::new("/bin/windlass")).map(|_| ()).unwrap_err();
        assert_eq!(error.to_string(), expected);
    }

    #[test]
    fn a_command_is_split_like_a_shell_would() {
        let options =
            AgentOptions { command: Some("prog 'a b' c".to_owned()), ..AgentOptions::default() };
        let agent = choose(&options, Path::new("/bin/windlass")).unwrap();
        assert_eq!(agent.name(), "command");
        assert_eq!(agent.program(), Some("prog".into()));
    }

    #[test]
    fn what_cannot_be_chosen_is_told() {
        let with = |agent: Option<&str>, command: Option<&str>| AgentOptions {
            agent: agent.map(str::to_owned),
            command: command.map(str::to_owned),
            ..AgentOptions::default()
        };
        error(with(None, None), "no agent was chosen");
        error(with(Some("clod"), None), "there is no agent `clod`");
        error(with(Some("command"), None), "the agent `command` needs `--command`");
        error(with(Some("scripted"), None), "the agent `scripted` needs `--script`");
        error(with(None, Some("a 'b")), "the command `a 'b` has a quote that is not closed");
        error(with(None, Some(" ")), "the command of the agent `command` is empty");
        error(
            with(Some("scripted"), Some("x")),
            "`--command` and the agent `scripted` exclude one another",
        );
        let file = AgentOptions { prompt_mode: Some(PromptMode::File), ..with(None, Some("x")) };
        error(
            file,
            "with the prompt mode `file` the command needs `{prompt_file}` where the path goes",
        );
    }
}
