//! How a prompt reaches a program.

use std::fmt;

use serde::{Deserialize, Serialize};

/// How a prompt goes in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "snake_case")]
pub enum PromptMode {
    /// As the last argument
    #[default]
    Arg,
    /// On standard input
    Stdin,
    /// In the environment variable `PROMPT`
    Env,
    /// In a file; its path replaces `{prompt_file}` in the command
    File,
}

impl fmt::Display for PromptMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Arg => "arg",
            Self::Stdin => "stdin",
            Self::Env => "env",
            Self::File => "file",
        })
    }
}
