//! `iterate`: one session after another with the same prompt and a fresh context, until a claim is
//! proven.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use windlass_core::{
    context::Lesson,
    ending::Ending,
    options::{Claiming, ContextWhen},
};

use crate::{course::Course, every_kind::Common, halt::Halt, identity::LoopIdentity, run::Run};

/// Repeat a prompt until the agent says it is done and your checks agree
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct Options {
    /// The prompt.
    #[cfg_attr(feature = "clap", arg(skip))]
    pub prompt: String,

    /// The file that it was read from, where it was.
    #[cfg_attr(feature = "clap", arg(skip))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt_file: Option<PathBuf>,

    /// When to add windlass's instructions to the prompt
    ///
    /// They say how to claim completion, how to report being blocked, and which checks will run.
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "WHEN", help_heading = "Agent", overrides_with = "no_context")
    )]
    #[serde(
        default = "ContextWhen::of_earlier_versions",
        skip_serializing_if = "ContextWhen::is_of_earlier_versions"
    )]
    pub context: ContextWhen,

    /// Send only your prompt: same as `--context never`
    #[cfg_attr(feature = "clap", arg(long, help_heading = "Agent", overrides_with = "context"))]
    #[serde(default)]
    pub no_context: bool,

    /// What every kind has.
    #[cfg_attr(feature = "clap", command(flatten))]
    #[serde(flatten)]
    pub common: Common,

    /// What a claim is.
    #[cfg_attr(feature = "clap", command(flatten, next_help_heading = "Claim and proof"))]
    #[serde(flatten)]
    pub claiming: Claiming,
}

impl Options {
    /// When windlass adds to the prompt.
    fn context(&self) -> ContextWhen {
        self.context.unless(self.no_context)
    }

    /// What its agent is taught.
    fn lesson(&self) -> Lesson<'_> {
        let (claiming, proof) = (&self.claiming, &self.common.proof);
        Lesson { claiming, proof, of_tasks: false }
    }

    /// Options with this prompt, and the defaults for everything else.
    pub fn new(prompt: impl Into<String>) -> Self {
        Self { prompt: prompt.into(), ..Self::default() }
    }
}

pub(super) async fn drive(
    run: &Run<'_>,
    options: &Options,
    named: &LoopIdentity,
) -> Result<Ending, Halt> {
    let user = options.prompt.trim();
    let mut course = Course::start(run, &options.common, named, &[]).await?;
    course.may_begin(&options.claiming)?;
    for iteration in 1.. {
        run.begin(iteration)?;
        let prompt = course.prompt(user, iteration, options.lesson(), options.context());
        let worked = course.work(iteration, prompt).await?;
        let claimed = course.claim_of(&worked.session, worked.session.claim.by, &options.claiming);
        if let Some(ending) = course.settle(iteration, worked, claimed, None).await? {
            return Ok(ending);
        }
    }
    unreachable!("there is always one more number")
}
