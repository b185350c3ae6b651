//! `iterate`: one session after another with the same prompt and a fresh context, until a claim is
//! proven.

use serde::{Deserialize, Serialize};

use super::{Named, Shared};
use crate::{
    agent::AgentOptions,
    course::Course,
    ending::Ending,
    halt::Halt,
    options::{GitOptions, LimitOptions, Pace, Proof, Rules},
    run::Run,
};

/// Run the same prompt until a claim is proven
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct Options {
    /// The prompt.
    #[cfg_attr(feature = "clap", arg(skip))]
    pub prompt: String,

    /// Give the agent nothing but the prompt: no iteration context from the second iteration on
    #[cfg_attr(feature = "clap", arg(long, help_heading = "Agent"))]
    #[serde(default)]
    pub no_context: bool,

    /// Which agent.
    #[cfg_attr(feature = "clap", command(flatten, next_help_heading = "Agent"))]
    #[serde(flatten)]
    pub agent: AgentOptions,

    /// What proves a claim.
    #[cfg_attr(feature = "clap", command(flatten, next_help_heading = "Claim and proof"))]
    #[serde(flatten)]
    pub proof: Proof,

    /// When to give up.
    #[cfg_attr(feature = "clap", command(flatten, next_help_heading = "When to give up"))]
    #[serde(flatten)]
    pub rules: Rules,

    /// How long things may take.
    #[cfg_attr(feature = "clap", command(flatten, next_help_heading = "Pace"))]
    #[serde(flatten)]
    pub pace: Pace,

    /// What to do at a provider's limit.
    #[cfg_attr(feature = "clap", command(flatten, next_help_heading = "Limits"))]
    #[serde(flatten)]
    pub limits: LimitOptions,

    /// What is done with git.
    #[cfg_attr(feature = "clap", command(flatten, next_help_heading = "Git"))]
    #[serde(flatten)]
    pub git: GitOptions,
}

impl Options {
    /// Options with this prompt, and the defaults for everything else.
    pub fn new(prompt: impl Into<String>) -> Self {
        Self { prompt: prompt.into(), ..Self::default() }
    }

    pub(super) fn shared(&self) -> Shared<'_> {
        let Self { agent, proof, pace, rules, limits, git, .. } = self;
        Shared { agent, proof, pace, rules, limits, git }
    }
}

pub(super) async fn drive(run: &Run<'_>, options: &Options, named: &Named) -> Result<Ending, Halt> {
    let user = options.prompt.trim();
    let mut course = Course::start(run, options.shared(), named, None).await?;
    for iteration in 1.. {
        run.begin(iteration)?;
        let prompt = course.prompt(user, iteration, options.no_context);
        let worked = course.work(iteration, &prompt).await?;
        let claimed = worked.session.claim.by;
        if let Some(ending) = course.settle(iteration, worked, claimed, None).await? {
            return Ok(ending);
        }
    }
    unreachable!("there is always one more number")
}
