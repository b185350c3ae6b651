//! `tasks`: one session after another with the task file as it is *now*, until no task is open and
//! that is proven.

mod blocked;
mod book;
mod prompt;

use std::{path::PathBuf, slice::from_ref};

use serde::{Deserialize, Serialize};
use windlass_core::{
    context::Lesson,
    ending::{ClaimedBy, Ending},
    options::{Claiming, ContextWhen},
    task_file::Format,
};

use self::book::Book;
use crate::{course::Course, every_kind::Common, halt::Halt, identity::LoopIdentity, run::Run};

/// Work through a task file, one task per session
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct Options {
    /// The task file, from where the loop works.
    #[cfg_attr(feature = "clap", arg(skip))]
    pub tasks: String,

    /// What the agent is asked, with the file in place of `%s` or at the end; words of windlass's
    /// own if left out.
    #[cfg_attr(feature = "clap", arg(skip))]
    #[serde(default)]
    pub task_prompt: Option<String>,

    /// The file that it was read from, where it was.
    #[cfg_attr(feature = "clap", arg(skip))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt_file: Option<PathBuf>,

    /// When to add windlass's instructions to the prompt
    ///
    /// They say how to claim completion, how to report being blocked, and which checks will run.
    #[cfg_attr(feature = "clap", arg(long, value_name = "WHEN", overrides_with = "no_context"))]
    #[serde(
        default = "ContextWhen::of_earlier_versions",
        skip_serializing_if = "ContextWhen::is_of_earlier_versions"
    )]
    pub context: ContextWhen,

    /// Send only your prompt: same as `--context never`
    #[cfg_attr(feature = "clap", arg(long, overrides_with = "context"))]
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
        Lesson { claiming, proof, of_tasks: true }
    }

    /// Options with this task file, and the defaults for everything else.
    pub fn new(tasks: impl Into<String>) -> Self {
        Self { tasks: tasks.into(), ..Self::default() }
    }

    /// What the agent is asked, before the file is put in.
    pub(super) fn words(&self) -> &str {
        self.task_prompt.as_deref().unwrap_or(prompt::DEFAULT)
    }

    /// The prompt while the file holds `text`, in a format that is known, with so many open tasks.
    pub(crate) fn prompt(&self, text: &str, format: Format, open: u32) -> String {
        match &self.task_prompt {
            Some(words) => prompt::with_file(words, text),
            None => prompt::of_windlass(&self.tasks, text, format, open),
        }
    }
}

pub(super) async fn drive(
    run: &Run<'_>,
    options: &Options,
    named: &LoopIdentity,
) -> Result<Ending, Halt> {
    let mut book = Book::open(run, &options.tasks).await?;
    let mut course = Course::start(run, &options.common, named, from_ref(&options.tasks)).await?;
    if book.is_worked_off()
        && let Some(ending) = course.open_with(ClaimedBy::Tasks).await?
    {
        return Ok(ending);
    }
    course.may_begin(&options.claiming)?;
    let has_checks = options.common.proof.has_checks();
    let mut done_before = book.done();
    for iteration in 1.. {
        run.begin(iteration)?;
        book.read_before(iteration).await?;
        let asked = book.prompt(options, named)?;
        let prompt = course.prompt(&asked, iteration, options.lesson(), options.context());
        let mut worked = course.work(iteration, prompt).await?;
        let mark = book.read_after(iteration, &worked.seen).await?;
        worked.blocked_task = book.block(iteration, &worked.session);
        let mut claimed = book.claim(&worked.session, has_checks);
        if book.is_worked_off() {
            claimed = course.claim_of(&worked.session, claimed, &options.claiming);
        }
        if claimed.is_none() && mark.done > done_before {
            course.tell_guarded(iteration, &worked.seen).await?;
        }
        done_before = mark.done;
        if let Some(by) = claimed {
            worked.objections = book.objections(by, has_checks);
        }
        if let Some(ending) = course.settle(iteration, worked, claimed, Some(mark)).await? {
            return Ok(ending);
        }
    }
    unreachable!("there is always one more number")
}
