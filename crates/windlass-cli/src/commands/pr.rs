//! `windlass pr`: auditors of a pull request side by side, fixes, and a review on GitHub.

use std::{path::PathBuf, sync::Arc};

use clap::ArgMatches;
use toml::Value;
use windlass::{Loop, kind::pr::Options};

use super::{
    agent_config::TrustArgs, block_on, detach::Detach, heal::read_findings, loop_options, loops,
};
use crate::{
    github,
    host::{app::App, failure::Failure},
    report::OutputArgs,
};

/// Audit a pull request, fix the findings, and post a review
///
/// By default it audits once with several auditors in parallel and posts a review with line
/// comments. `--local` audits once and posts nothing; with `--base BRANCH` it works without GitHub.
/// With `--loop` one session fixes all findings, the checks run, and everything is audited again
/// from scratch until nothing is found; then windlass posts a review, and the description says how
/// many rounds it took. Otherwise it writes the remaining findings to a task list.
///
/// The auditors are correctness, security, architecture, api-stability and project-rules. Tables
/// `[auditors.NAME]` in the config change them, disable them, enable performance and tests, and add
/// others.
///
/// GitHub access uses `GITHUB_TOKEN`, `GH_TOKEN` or `gh auth token`. No agent sees the token.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Use the findings of another tool as the first audit: SARIF or rdjson
    #[arg(long, value_name = "FILE")]
    findings: Option<PathBuf>,

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
  windlass pr 7 --agent claude               audit pull request 7 and post a review
  windlass pr --local --base main            audit local changes and post nothing
  windlass pr 7 --loop --check 'cargo test'  audit and fix until nothing is found, then post
  windlass pr 7 --loop --push --approve      also push the fixes and approve";

pub(crate) fn run(app: &App, matches: &ArgMatches, args: &Args) -> Result<u8, Failure> {
    let screen = args.output.screen(app)?;
    // What is no setting comes as text, and this is a number.
    let number = args.options.number.and_then(|number| i64::try_from(number).ok());
    let more = number.map(|number| ("number", Value::Integer(number)));
    let resolved = loop_options::<Options>(app, "pr", matches, more)?;
    let mut options = resolved.options;
    if let Some(path) = &args.findings {
        options.given = Some(read_findings(app, path)?);
    }
    let client = match options.needs_forge() {
        true => Some(block_on(github::open(app, options.repo.as_deref()))??),
        false => None,
    };
    // Agents can change what `origin` is; a loop that is resumed stays with its repository.
    options.repo = client.as_ref().map(github::Client::repository).or(options.repo);
    let mut the_loop = Loop::pr(options);
    if let Some(client) = client {
        the_loop = the_loop.forge(Arc::new(client));
    }
    if let Some(name) = &args.name {
        the_loop = the_loop.name(name);
    }
    loops::run(app, args.trust.apply(the_loop), &screen, &resolved.notify)
}
