//! `windlass develop`: a developer works until a reviewer approves and that is proven.

use std::path::{Path, PathBuf};

use clap::ArgMatches;
use toml::Value;
use windlass::{Loop, kind::develop::Options};

use super::{agent_config::TrustArgs, detach::Detach, loop_options, loops, prompt_text};
use crate::{
    host::{app::App, failure::Failure},
    report::OutputArgs,
};

/// One agent writes, another reviews, until it is approved and the checks pass
///
/// In each iteration the developer works, then the reviewer reads the diff of all work since the
/// loop began. It approves with a line that says `APPROVED`; anything else it says goes back to the
/// developer, word for word. An approval counts if every `--check` passes. After `--max-iterations`
/// without approval the loop ends as escalated and shows what is open.
///
/// With `--tasks FILE`, each open task of the file goes through this in order, with its own
/// iterations, and windlass ticks it when it is approved.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Task to develop
    #[arg(
        short = 'p',
        long,
        value_name = "TASK",
        conflicts_with_all = ["task_file", "tasks"],
        allow_hyphen_values = true
    )]
    task: Option<String>,

    /// Read the task from a file; `-` is standard input
    #[arg(long, value_name = "FILE", conflicts_with = "tasks")]
    task_file: Option<PathBuf>,

    /// Develop the tasks of this file, one after the other
    ///
    /// A Markdown check list, a `prd.json`, or plain text, as for `windlass tasks`.
    #[arg(long, value_name = "FILE")]
    tasks: Option<PathBuf>,

    /// Give this plan to developer and reviewer
    #[arg(long, value_name = "FILE")]
    plan: Option<PathBuf>,

    /// Name of the loop [default: generated]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,

    #[command(flatten)]
    options: Options,

    #[command(flatten)]
    pub(crate) detach: Detach,

    #[command(flatten)]
    trust: TrustArgs,

    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

const EXAMPLES: &str = "\
Examples:
  windlass develop -p 'Add a --json flag.' --agent claude --check 'cargo test'
  windlass develop --tasks TASKS.md --plan PLAN.md --developer claude --reviewer codex
  windlass develop --task-file TASK.md --max-iterations 8 --auto-commit --create-branch";

pub(crate) fn run(app: &App, matches: &ArgMatches, args: &Args) -> Result<u8, Failure> {
    let task = match (&args.task, &args.task_file, &args.tasks) {
        (Some(task), _, _) => Some(prompt_text::typed("develop", "-p", task)?),
        (None, Some(path), _) => Some(prompt_text::read(app, path.as_ref())?),
        (None, None, Some(_)) => None,
        (None, None, None) => {
            return Err(Failure::usage("there is no task")
                .hint("give a task with `-p TASK`, `--task-file FILE` or `--tasks FILE`"));
        }
    };
    let screen = args.output.screen(app)?;
    let mut more = vec![("task", Value::String(task.unwrap_or_default()))];
    for (key, path) in [("tasks", &args.tasks), ("plan", &args.plan)] {
        if let Some(path) = path {
            more.push((key, Value::String(as_text(path)?)));
        }
    }
    let file = args.task_file.as_ref().and_then(|path| prompt_text::place(app, path));
    more.extend(file.map(|file| ("prompt_file", Value::String(file))));
    let resolved = loop_options::<Options>(app, "develop", matches, more)?;
    let mut the_loop = Loop::develop(resolved.options);
    if let Some(name) = &args.name {
        the_loop = the_loop.name(name);
    }
    loops::run(app, args.trust.apply(the_loop), &screen, &resolved.notify)
}

fn as_text(path: &Path) -> Result<String, Failure> {
    let text = path.to_str().map(str::to_owned);
    text.ok_or_else(|| Failure::usage(format!("the path `{}` is not UTF-8", path.display())))
}
