//! `windlass iterate`: one session after another with the same prompt, until a claim is proven.

use std::path::PathBuf;

use clap::ArgMatches;
use toml::Value;
use windlass::{Loop, kind::iterate::Options};

use super::{agent_config::TrustArgs, detach::Detach, loop_options, loops, prompt_text};
use crate::{
    host::{app::App, failure::Failure},
    report::OutputArgs,
};

/// Repeat a prompt until the agent says it is done and your checks agree
///
/// Each iteration is one session with a fresh context: the agent sees the files and the history
/// that the last one left. It claims to be done by printing <promise>COMPLETE</promise> on a
/// separate line. windlass accepts the claim if every `--check` passes.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Prompt for the agent
    #[arg(
        short,
        long,
        value_name = "PROMPT",
        conflicts_with = "prompt_file",
        allow_hyphen_values = true
    )]
    prompt: Option<String>,

    /// Read the prompt from a file; `-` is standard input
    #[arg(long, value_name = "FILE")]
    prompt_file: Option<PathBuf>,

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
  windlass iterate -p 'Fix the failing test.' --agent claude --check 'cargo test'
  windlass iterate --prompt-file PROMPT.md --max-iterations 40 --auto-commit --create-branch
  windlass iterate -p 'Tidy up.' --worktree tidy --check 'make test' --protect 'docs/**'
  windlass iterate -p 'Fix the failing test.' -c 'my-agent --print'";

pub(crate) fn run(app: &App, matches: &ArgMatches, args: &Args) -> Result<u8, Failure> {
    let prompt = match (&args.prompt, &args.prompt_file) {
        (Some(prompt), _) => prompt_text::typed("iterate", "-p", prompt)?,
        (None, Some(path)) => prompt_text::read(app, path.as_ref())?,
        (None, None) => {
            return Err(Failure::usage("there is no prompt")
                .hint("give a prompt with `-p PROMPT` or `--prompt-file FILE`"));
        }
    };
    let screen = args.output.screen(app)?;
    let mut more = vec![("prompt", Value::String(prompt))];
    let file = args.prompt_file.as_ref().and_then(|path| prompt_text::place(app, path));
    more.extend(file.map(|file| ("prompt_file", Value::String(file))));
    let resolved = loop_options::<Options>(app, "iterate", matches, more)?;
    let mut the_loop = Loop::iterate(resolved.options);
    if let Some(name) = &args.name {
        the_loop = the_loop.name(name);
    }
    loops::run(app, args.trust.apply(the_loop), &screen, &resolved.notify)
}
