//! `windlass tasks`: a task file, one task a session, until no task is open and that is proven.

use std::path::PathBuf;

use clap::ArgMatches;
use toml::Value;
use windlass::{Loop, kind::tasks::Options};

use super::{agent_config::TrustArgs, detach::Detach, loop_options, loops, prompt_text};
use crate::{
    host::{app::App, failure::Failure},
    report::OutputArgs,
};

/// Work a task file off, one task a session, until no task is open and that is proven
///
/// The file is read again before every iteration and after every session. Three formats are
/// understood: check lists in Markdown (`- [ ] do this`, nested; what stands below a heading such
/// as "Optional" or "Later" does not block), `prd.json` (`userStories`, each with `passes`), and
/// plain text (a task a line, done where it begins with `[x]`, `x `, `DONE` or `✓`, or ends with
/// `[x]`, `DONE` or `✓`), which is also how Markdown without a check list is read.
///
/// The loop is done when no task is open and every `--check` passes; a claim while tasks are open
/// is rejected. A task that was ticked while
/// nothing but the file changed is reported and is no progress; where no check can prove it,
/// another session must confirm it with a claim. With no open task at the start there is nothing
/// to do.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The file with the tasks
    #[arg(long, value_name = "FILE")]
    tasks: Option<PathBuf>,

    /// What the agent is asked, with the file in place of each `%s`, or at the end (`%%s` stands
    /// for `%s` itself); if left out, to pick one open task, to do it and to mark it as done
    #[arg(
        long,
        value_name = "PROMPT",
        conflicts_with = "task_prompt_file",
        allow_hyphen_values = true
    )]
    task_prompt: Option<String>,

    /// A file with what the agent is asked; `-` is standard input
    #[arg(long, value_name = "FILE")]
    task_prompt_file: Option<PathBuf>,

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
  windlass tasks --tasks TASKS.md --check 'cargo test' -c 'my-agent --print'
  windlass tasks --tasks prd.json --max-iterations 40 --auto-commit --create-branch
  windlass tasks --tasks todo.txt --task-prompt 'Do the first of these that is open: %s'";

pub(crate) fn run(app: &App, matches: &ArgMatches, args: &Args) -> Result<u8, Failure> {
    let Some(tasks) = &args.tasks else {
        return Err(Failure::usage("there is no task file")
            .hint("say which file has the tasks with `--tasks FILE`"));
    };
    let tasks =
        tasks.to_str().ok_or_else(|| Failure::usage("the path of the task file is not UTF-8"))?;
    let prompt = match (&args.task_prompt, &args.task_prompt_file) {
        (Some(prompt), _) => Some(prompt_text::typed("tasks", "--task-prompt", prompt)?),
        (None, Some(path)) => Some(prompt_text::read(app, path.as_ref())?),
        (None, None) => None,
    };
    let screen = args.output.screen(app)?;
    let mut more = vec![("tasks", Value::String(tasks.to_owned()))];
    more.extend(prompt.map(|prompt| ("task_prompt", Value::String(prompt))));
    let file = args.task_prompt_file.as_ref().and_then(|path| prompt_text::place(app, path));
    more.extend(file.map(|file| ("prompt_file", Value::String(file))));
    let resolved = loop_options::<Options>(app, "tasks", matches, more)?;
    let mut the_loop = Loop::tasks(resolved.options);
    if let Some(name) = &args.name {
        the_loop = the_loop.name(name);
    }
    loops::run(app, args.trust.apply(the_loop), &screen, &resolved.notify)
}
