//! What can be asked of `heal`.

use serde::{Deserialize, Serialize};
use windlass_core::{findings::Finding, options::Rules, prompts::PromptOptions};

use crate::every_kind::Common;

/// Review, fix and test
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default)]
pub struct Options {
    /// Repeat until a review finds nothing
    #[cfg_attr(feature = "clap", arg(id = "loop", long = "loop"))]
    #[serde(rename = "loop")]
    pub looped: bool,

    /// Review only; fix nothing
    #[cfg_attr(feature = "clap", arg(long))]
    pub review_only: bool,

    /// Phase to start with; earlier ones are read from `.review-output.md`
    #[cfg_attr(feature = "clap", arg(long, value_name = "PHASE", default_value = "review"))]
    pub start_at: StartAt,

    /// Branch to compare the work with [default: the repository's main branch]
    #[cfg_attr(feature = "clap", arg(long, value_name = "BRANCH", conflicts_with = "all"))]
    pub base: Option<String>,

    /// Review all files, not only what differs from the base
    #[cfg_attr(feature = "clap", arg(long, conflicts_with = "paths"))]
    pub all: bool,

    /// Review only these files and directories
    #[cfg_attr(feature = "clap", arg(value_name = "PATH", conflicts_with = "base"))]
    pub paths: Vec<String>,

    /// Succeed if there is nothing to review
    #[cfg_attr(feature = "clap", arg(long))]
    pub allow_empty: bool,

    /// Command that runs the tests [default: detected]
    #[cfg_attr(feature = "clap", arg(long, value_name = "CMD"))]
    pub test: Option<String>,

    /// Let the agent try N times to fix tests that fail after the fixes
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub heal_attempts: u32,

    /// Agent that reviews [default: --agent]
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAME[:MODEL]", help_heading = "Agent"))]
    pub reviewer: Option<String>,

    /// Agent that fixes [default: --agent]
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
    /// Review the work
    #[default]
    Review,
    /// Read the findings of the saved review
    Parse,
    /// Fix the findings of the saved review
    Fix,
    /// Run the tests
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

    /// The options of every kind, with the command that runs the tests as the first check.
    pub(super) fn with_test(&self) -> Common {
        let mut common = self.common.clone();
        let checks = &mut common.proof.checks;
        if let Some(test) = self.test.clone().filter(|test| !checks.contains(test)) {
            checks.insert(0, test);
        }
        common
    }

    /// What does not go together, in words.
    pub fn contradiction(&self) -> Option<&'static str> {
        match () {
            () if self.looped && self.review_only => {
                Some("`--loop` and `--review-only` cannot be used together")
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
