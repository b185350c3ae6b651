//! `develop`: a developer works, a reviewer reads the diff of all work since the task began, and so
//! on until the reviewer approves and that is proven. With a task file, each open task goes through
//! this in order, and windlass ticks it. A task that is escalated or blocked does not keep the
//! others from their turn.

mod assignment;
mod bench;
mod desk;
mod turns;

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use windlass_core::{
    ending::{ClaimedBy, Ending},
    options::Rules,
    prompts::PromptOptions,
};

use self::{
    assignment::Assignment,
    bench::{Bench, CameTo},
    desk::Desk,
    turns::Turns,
};
use crate::{course::Course, every_kind::Common, halt::Halt, identity::LoopIdentity, run::Run};

/// Develop until a reviewer approves
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct Options {
    /// What is to be done; empty with a task file.
    #[cfg_attr(feature = "clap", arg(skip))]
    #[serde(default)]
    pub task: String,

    /// The file that it was read from, where it was.
    #[cfg_attr(feature = "clap", arg(skip))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt_file: Option<PathBuf>,

    /// A file with the tasks, from where the loop works.
    #[cfg_attr(feature = "clap", arg(skip))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tasks: Option<String>,

    /// A file with the plan, from where the loop works.
    #[cfg_attr(feature = "clap", arg(skip))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<String>,

    /// Agent that writes the code [default: --agent]
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAME[:MODEL]", help_heading = "Agent"))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub developer: Option<String>,

    /// Agent that reviews it [default: --agent]
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAME[:MODEL]", help_heading = "Agent"))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reviewer: Option<String>,

    /// What every kind has.
    #[cfg_attr(feature = "clap", command(flatten))]
    #[serde(flatten)]
    pub common: Common,

    /// The prompts that the user has replaced.
    #[cfg_attr(feature = "clap", command(flatten))]
    #[serde(flatten)]
    pub prompts: PromptOptions,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            task: String::new(),
            prompt_file: None,
            tasks: None,
            plan: None,
            developer: None,
            reviewer: None,
            common: Common { rules: Rules::of_reviewed_loops(), ..Common::default() },
            prompts: PromptOptions::default(),
        }
    }
}

impl Options {
    /// Options with this task, and the defaults for everything else.
    pub fn new(task: impl Into<String>) -> Self {
        Self { task: task.into(), ..Self::default() }
    }

    /// What the user says, which an agent must be able to take whole.
    pub(super) fn words(&self) -> &str {
        if self.tasks.is_some() { "tasks" } else { &self.task }
    }

    /// Options with this task file, and the defaults for everything else.
    pub fn with_tasks(tasks: impl Into<String>) -> Self {
        Self { tasks: Some(tasks.into()), ..Self::default() }
    }
}

pub(super) async fn drive(
    run: &Run<'_>,
    options: &Options,
    named: &LoopIdentity,
) -> Result<Ending, Halt> {
    let mut assignment = Assignment::open(run, options).await?;
    let mut course = Course::start(run, &options.common, named, options.tasks.as_slice()).await?;
    let desk = Desk::open(run, options, named, &course).await?;
    let mut turns = Turns::new(run, desk.max_iterations);
    let (mut iteration, mut approved) = (0, None);
    while let Some((task, standing)) = turns.next(&assignment, iteration) {
        let standing = match standing {
            Some(standing) => standing,
            None => desk.begin(iteration + 1, &course).await?,
        };
        let mut bench = Bench::new(run, &mut course, &desk, &task, standing);
        let came_to = loop {
            iteration += 1;
            assignment.read_before(iteration).await?;
            if let Some(came_to) = bench.iterate(iteration, &mut assignment).await? {
                break came_to;
            }
        };
        let standing = bench.into_standing();
        match came_to {
            CameTo::Approved(ending) => approved = Some(ending),
            CameTo::Escalated { feedback } => turns.escalate(task, standing, feedback),
            CameTo::Blocked { words } => turns.block(iteration, task, standing, words),
        }
    }
    if let Some(ending) = turns.ending(&assignment).or(approved) {
        return Ok(ending);
    }
    match course.open_with(ClaimedBy::Tasks).await? {
        Some(ending) => Ok(ending),
        None => Ok(Ending::Escalated {
            limit: 0,
            tasks: Vec::new(),
            feedback: course.rejection().map(|why| why.reasons.join("; ")).unwrap_or_default(),
        }),
    }
}
