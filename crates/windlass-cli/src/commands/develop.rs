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

/// Let one agent develop and another review, until the work is approved and that is proven
///
/// In each iteration the developer works, then the reviewer reads the diff of all work since the
/// loop began. It approves with a line that is `APPROVED`; whatever else it says goes back to the
/// developer, word for word. An approval is accepted if every `--check` passes. After
/// `--max-iterations` without one the loop ends as escalated, and shows what is open.
///
/// With `--tasks FILE`, each open task of the file goes through this in order, with as many
/// iterations of its own, and windlass ticks it when it is approved.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// What is to be developed
    #[arg(
        short = 'p',
        long,
        value_name = "TASK",
        conflicts_with_all = ["task_file", "tasks"],
        allow_hyphen_values = true
    )]
    task: Option<String>,

    /// A file with what is to be developed; `-` is standard input
    #[arg(long, value_name = "FILE", conflicts_with = "tasks")]
    task_file: Option<PathBuf>,

    /// A file with tasks, which are developed one after the other
    ///
    /// A check list in Markdown, a `prd.json`, or plain text, as for `windlass tasks`.
    #[arg(long, value_name = "FILE")]
    tasks: Option<PathBuf>,

    /// A file with the plan, which developer and reviewer are given
    #[arg(long, value_name = "FILE")]
    plan: Option<PathBuf>,

    /// What to call the loop; a friendly name is made up if left out
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
  windlass develop -p 'Add a --json flag to the list command.' --check 'cargo test'
  windlass develop --tasks TASKS.md --plan PLAN.md --developer claude --reviewer codex
  windlass develop --task-file TASK.md --max-iterations 8 --auto-commit --create-branch";

pub(crate) fn run(app: &App, matches: &ArgMatches, args: &Args) -> Result<u8, Failure> {
    let task = match (&args.task, &args.task_file, &args.tasks) {
        (Some(task), _, _) => Some(prompt_text::typed("develop", "-p", task)?),
        (None, Some(path), _) => Some(prompt_text::read(app, path.as_ref())?),
        (None, None, Some(_)) => None,
        (None, None, None) => {
            return Err(Failure::usage("there is no task").hint(
                "say what is to be developed with `-p TASK`, `--task-file FILE` or `--tasks FILE`",
            ));
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
