//! What a claim is.

use serde::{Deserialize, Serialize};

/// What a claim is, in loops where the agent that works is the one that claims.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default)]
pub struct Claiming {
    /// The words that claim: `<promise>TEXT</promise>` on a line of its own; empty: a clean exit
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "TEXT", visible_alias = "completion-promise")
    )]
    pub promise: String,

    /// When the loop is done: after a proven claim, or as soon as the checks pass
    #[cfg_attr(feature = "clap", arg(long, value_name = "WHAT"))]
    pub done_when: DoneWhen,

    /// Where the promise counts: as a tag, or as words anywhere in the output
    #[cfg_attr(feature = "clap", arg(long, value_name = "HOW"))]
    pub promise_match: PromiseMatch,

    /// What the agent is taught for saying how it stands; a promise and a status block are both
    /// read in either case
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAME"))]
    pub protocol: Protocol,

    /// Accept as a claim only a status block with `EXIT_SIGNAL: true` beside words that say so
    ///
    /// The words are completion phrases such as "all tasks complete" in the same message, outside
    /// of the block; `completion_phrases` in the config lists them, common inflections count, and
    /// the agent is told them with the status block.
    #[cfg_attr(feature = "clap", arg(long))]
    pub strict_completion: bool,

    /// How many distinct completion phrases `--strict-completion` asks for
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
    /// A claim of the agent, and its proof
    #[default]
    Claim,
    /// The proof alone: the checks run after every iteration, and no claim is needed
    Checks,
}

/// Where the promise counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "snake_case")]
pub enum PromiseMatch {
    /// As a tag alone on a line, or at the end of the last one
    #[default]
    Tag,
    /// As words anywhere in the output, upper or lower case
    Text,
}

/// What an agent is taught for saying how it stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "snake_case")]
pub enum Protocol {
    /// The promise
    #[default]
    Promise,
    /// The status block
    Status,
}
