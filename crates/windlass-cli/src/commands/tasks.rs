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

/// Work through a task file, one task per session, until every task is done and checks pass
///
/// windlass reads the file before every iteration and after every session. It understands three
/// formats: Markdown check lists (`- [ ] do this`, nested; items under headings such as "Later" are
/// optional), `prd.json` (`userStories`, each with `passes`), and plain text (one task per line,
/// done if it begins with `[x]`, `x `, `DONE` or `✓`, or ends with `[x]`, `DONE` or `✓`). Markdown
/// without a check list is read as plain text.
///
/// The loop is done when no task is open and every `--check` passes; a claim while tasks are open
/// is rejected. If a task is ticked but nothing except the file changed, windlass reports it and
/// does not count it as progress; if no check can prove it, another session must confirm it with a
/// claim. With no open task at the start there is nothing to do.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Task file: Markdown check list, `prd.json` or plain text
    #[arg(long, value_name = "FILE")]
    tasks: Option<PathBuf>,

    /// Prompt for each task; `%s` is replaced with the file
    ///
    /// Without `%s` the file is added at the end; `%%s` is a literal `%s`.
    ///
    /// [default: pick one open task, do it and mark it as done]
    #[arg(
        long,
        value_name = "PROMPT",
        conflicts_with = "task_prompt_file",
        allow_hyphen_values = true
    )]
    task_prompt: Option<String>,

    /// Read the prompt from a file; `-` is standard input
    #[arg(long, value_name = "FILE")]
    task_prompt_file: Option<PathBuf>,

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
  windlass tasks --tasks TASKS.md --agent claude --check 'cargo test'
  windlass tasks --tasks prd.json --max-iterations 40 --auto-commit --create-branch
  windlass tasks --tasks todo.txt --task-prompt 'Do the first open one of these: %s'";

pub(crate) fn run(app: &App, matches: &ArgMatches, args: &Args) -> Result<u8, Failure> {
    let Some(tasks) = &args.tasks else {
        return Err(
            Failure::usage("there is no task file").hint("give a task file with `--tasks FILE`")
        );
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
