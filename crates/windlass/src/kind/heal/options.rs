//! What can be asked of `heal`.

use serde::{Deserialize, Serialize};
use windlass_core::{findings::Finding, options::Rules, prompts::PromptOptions};

use crate::every_kind::Common;

/// Review, fix and test
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default)]
pub struct Options {
    /// Repeat all of it until a review finds nothing
    #[cfg_attr(feature = "clap", arg(id = "loop", long = "loop"))]
    #[serde(rename = "loop")]
    pub looped: bool,

    /// Review only: fix nothing
    #[cfg_attr(feature = "clap", arg(long))]
    pub review_only: bool,

    /// The phase to begin with; what comes before it is taken from `.review-output.md`
    #[cfg_attr(feature = "clap", arg(long, value_name = "PHASE", default_value = "review"))]
    pub start_at: StartAt,

    /// The branch that the work is compared with; the usual one if left out
    #[cfg_attr(feature = "clap", arg(long, value_name = "BRANCH", conflicts_with = "all"))]
    pub base: Option<String>,

    /// Review everything, and not only what differs from the base
    #[cfg_attr(feature = "clap", arg(long, conflicts_with = "paths"))]
    pub all: bool,

    /// Review these files and directories
    #[cfg_attr(feature = "clap", arg(value_name = "PATH", conflicts_with = "base"))]
    pub paths: Vec<String>,

    /// Succeed where there is nothing to review
    #[cfg_attr(feature = "clap", arg(long))]
    pub allow_empty: bool,

    /// The command that runs the tests; found by windlass if left out
    #[cfg_attr(feature = "clap", arg(long, value_name = "CMD"))]
    pub test: Option<String>,

    /// How often the agent may try to mend tests that fail after the fixes
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub heal_attempts: u32,

    /// The agent that reviews; the loop's agent if left out
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAME[:MODEL]", help_heading = "Agent"))]
    pub reviewer: Option<String>,

    /// The agent that fixes; the loop's agent if left out
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAME[:MODEL]", help_heading = "Agent"))]
    pub fixer: Option<String>,

    /// Findings that stand for the first review.
    #[cfg_attr(feature = "clap", arg(skip))]
    pub given: Option<Vec<Finding>>,

    /// What every kind has.
    #[cfg_attr(feature = "clap", command(flatten))]
    #[serde(flatten)]
    pub common: Common,

    /// The prompts that the user has replaced.
    #[cfg_attr(feature = "clap", command(flatten))]
    #[serde(flatten)]
    pub prompts: PromptOptions,
}

/// The phase that a loop begins with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "snake_case")]
pub enum StartAt {
    /// The review
    #[default]
    Review,
    /// Reading the findings of the review that is kept
    Parse,
    /// Fixing the findings of the review that is kept
    Fix,
    /// The tests
    Test,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            looped: false,
            review_only: false,
            start_at: StartAt::Review,
            base: None,
            all: false,
            paths: Vec::new(),
            allow_empty: false,
            test: None,
            heal_attempts: 2,
            reviewer: None,
            fixer: None,
            given: None,
            common: Common { rules: Rules::of_reviewed_loops(), ..Common::default() },
            prompts: PromptOptions::default(),
        }
    }
}

impl Options {
    /// How many iterations there may be; 0 for no limit.
    pub fn max_iterations(&self) -> u32 {
        if self.looped { self.common.rules.max_iterations } else { 1 }
    }

    /// What does not go together, in words.
    pub fn contradiction(&self) -> Option<&'static str> {
        match () {
            () if self.looped && self.review_only => {
                Some("`--loop` and `--review-only` exclude one another")
            }
            () if self.looped && self.start_at != StartAt::Review => {
                Some("`--loop` begins with the review, so `--start-at` cannot say otherwise")
            }
            () if self.review_only && self.start_at > StartAt::Parse => {
                Some("with `--review-only` there is nothing to fix or to test")
            }
            () if self.given.is_some() && self.start_at != StartAt::Review => {
                Some("`--findings` stands for the review, so `--start-at` cannot say otherwise")
            }
            () => None,
        }
    }
}
