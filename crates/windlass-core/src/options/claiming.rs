//! What a claim is.

use serde::{Deserialize, Serialize};

/// What a claim is, in loops where the agent that works is the one that claims.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default)]
pub struct Claiming {
    /// Text that signals completion; empty means exit code 0 counts
    ///
    /// The agent prints `<promise>TEXT</promise>` on a separate line.
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "TEXT", visible_alias = "completion-promise")
    )]
    pub promise: String,

    /// When the loop is done
    #[cfg_attr(feature = "clap", arg(long, value_name = "WHAT"))]
    pub done_when: DoneWhen,

    /// Where to look for the promise
    #[cfg_attr(feature = "clap", arg(long, value_name = "HOW"))]
    pub promise_match: PromiseMatch,

    /// How the agent reports its status
    ///
    /// windlass reads promises and status blocks in either case.
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAME"))]
    pub protocol: Protocol,

    /// Require a status block with `EXIT_SIGNAL: true` and completion phrases
    ///
    /// The phrases, such as "all tasks complete", must be in the same message, outside the block.
    /// `completion_phrases` in the config lists them; common inflections count, and the agent is
    /// told about them.
    #[cfg_attr(feature = "clap", arg(long))]
    pub strict_completion: bool,

    /// Require N different completion phrases with `--strict-completion`
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub completion_threshold: u32,

    /// The completion phrases.
    #[cfg_attr(feature = "clap", arg(skip))]
    pub completion_phrases: Vec<String>,
}

impl Claiming {
    /// Whether the agent is taught the status block.
    pub fn teaches_status(&self) -> bool {
        self.protocol == Protocol::Status || self.strict_completion
    }
}

impl Default for Claiming {
    fn default() -> Self {
        Self {
            promise: "COMPLETE".to_owned(),
            done_when: DoneWhen::Claim,
            promise_match: PromiseMatch::Tag,
            protocol: Protocol::Promise,
            strict_completion: false,
            completion_threshold: 2,
            completion_phrases: [
                "all tasks complete",
                "nothing left to do",
                "project complete",
                "implementation complete",
                "no remaining tasks",
                "all done",
            ]
            .map(str::to_owned)
            .to_vec(),
        }
    }
}

/// When a loop is done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "snake_case")]
pub enum DoneWhen {
    /// When the agent says it is done and the checks pass
    #[default]
    Claim,
    /// As soon as the checks pass; they run after every iteration
    Checks,
}

/// Where the promise counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "snake_case")]
pub enum PromiseMatch {
    /// In a tag alone on a line, or at the end of the last line
    #[default]
    Tag,
    /// Anywhere in the output, ignoring case
    Text,
}

/// What an agent is taught for saying how it stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "snake_case")]
pub enum Protocol {
    /// With a promise: `<promise>TEXT</promise>`
    #[default]
    Promise,
    /// With a status block, which has fields such as `EXIT_SIGNAL`
    Status,
}
