//! `windlass resume`: takes a loop up again where it was.

use std::sync::Arc;

use clap::ArgMatches;
use serde_json::{Map, Value};
use windlass::{Loop, ResumeOptions, forge::Forge, kind::Kind};
use windlass_store::store::LoopRecord;

use super::{block_on, loops};
use crate::{
    args,
    config::{notify_anew, typed_flags},
    control::find::LoopArg,
    github,
    host::{app::App, failure::Failure},
    notify,
    report::OutputArgs,
};

/// Take a loop up again where it was
///
/// What is done stays done: at most the step that was under way when the loop was cut off runs
/// again. The options are those that the loop was started with, but for the ones given here.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    target: LoopArg,

    /// Close the circuit and zero the rules' counts first
    #[arg(long)]
    reset_circuit: bool,

    /// Take the loop from a process that runs it and does not answer any more
    #[arg(long)]
    take_over: bool,

    #[command(flatten)]
    output: OutputArgs,
}

const EXAMPLES: &str = "\
Examples:
  windlass resume                                     the newest loop of this directory
  windlass resume brave-otter --max-iterations 40     let it go on for longer
  windlass resume brave-otter --reset-circuit         after a rule has stopped it";

pub(crate) fn run(app: &App, matches: &ArgMatches, args: &Args) -> Result<u8, Failure> {
    let screen = args.output.screen(app)?;
    // Its name, its counts and what it has spent so far are shown from the start.
    let (store, record) = args.target.find(app)?;
    let history = store.history(&record.id)?;
    screen.seed(&history);
    drop(store);
    let notify = whom_to_notify(app, matches, &record)?;
    let options = ResumeOptions {
        reference: args.target.the_loop.clone(),
        changes: typed_changes("resume", matches)?,
        reset_circuit: args.reset_circuit,
        take_over: args.take_over,
    };
    let mut the_loop = Loop::resume(options);
    if let Some(forge) = forge(app, &record)? {
        the_loop = the_loop.forge(forge);
    }
    loops::resume(app, the_loop, &screen, &notify, &history)
}

/// Where the pull request of the loop is, if it is about one.
fn forge(app: &App, record: &LoopRecord) -> Result<Option<Arc<dyn Forge>>, Failure> {
    let Ok(Kind::Pr(options)) = serde_json::from_value(record.options.clone()) else {
        return Ok(None);
    };
    if !options.needs_forge() {
        return Ok(None);
    }
    let client = block_on(github::open(app, options.repo.as_deref()))??;
    Ok(Some(Arc::new(client)))
}

/// Whom to tell, as the config and the flags say now.
fn whom_to_notify(
    app: &App,
    matches: &ArgMatches,
    record: &LoopRecord,
) -> Result<notify::Options, Failure> {
    let command = args::command();
    let command = command.find_subcommand("resume").expect("resume is a command");
    notify_anew(&app.layers()?, &record.kind, command, matches)
}

/// The settings that were typed after the name of a command, by their names in the frozen options.
pub(crate) fn typed_changes(
    command: &str,
    matches: &ArgMatches,
) -> Result<Map<String, Value>, Failure> {
    let all = args::command();
    let command = all.find_subcommand(command).expect("it is a command");
    let typed = typed_flags(command, matches)?;
    let mut changes = Map::new();
    for (key, value) in typed.into_iter().filter(|(key, _)| !key.starts_with("notify")) {
        let value = serde_json::to_value(&value)
            .map_err(|error| Failure::usage(format!("`{key}` cannot be used: {error}")))?;
        changes.insert(key, value);
    }
    Ok(changes)
}
