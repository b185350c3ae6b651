//! What a claim is and what proves it.

use serde::{Deserialize, Serialize};

use super::Span;

/// What a claim is and what proves it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default)]
pub struct Proof {
    /// A command that must pass before a claim is accepted; windlass runs it itself
    ///
    /// Repeat it for several. Each runs by `sh -c` in the loop's directory, on exactly the tree
    /// that the claim is about. The output of one that fails goes into the next prompt.
    #[cfg_attr(feature = "clap", arg(long = "check", value_name = "CMD"))]
    pub checks: Vec<String>,

    /// How long one check may take
    #[cfg_attr(feature = "clap", arg(long, value_name = "DURATION"))]
    pub check_timeout: Span,

    /// Files that the agent must leave as they are: while one differs, claims are rejected
    ///
    /// A glob such as `tests/**`; repeat it for several.
    #[cfg_attr(feature = "clap", arg(long, value_name = "GLOB"))]
    pub protect: Vec<String>,

    /// Do not protect the files that a check's command names
    #[cfg_attr(feature = "clap", arg(long))]
    pub no_protect_checks: bool,

    /// The words that claim: `<promise>TEXT</promise>` on a line of its own; empty: a clean exit
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "TEXT", visible_alias = "completion-promise")
    )]
    pub promise: String,

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
    /// of the block; `completion_phrases` in the config lists them.
    #[cfg_attr(feature = "clap", arg(long))]
    pub strict_completion: bool,

    /// How many distinct completion phrases `--strict-completion` asks for
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub completion_threshold: u32,

    /// The completion phrases.
    #[cfg_attr(feature = "clap", arg(skip))]
    pub completion_phrases: Vec<String>,
}

impl Default for Proof {
    fn default() -> Self {
        Self {
            checks: Vec::new(),
            check_timeout: Span::minutes(30),
            protect: Vec::new(),
            no_protect_checks: false,
            promise: "COMPLETE".to_owned(),
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
    /// The promise, from the second iteration on
    #[default]
    Promise,
    /// The status block, from the first iteration on
    Status,
}
