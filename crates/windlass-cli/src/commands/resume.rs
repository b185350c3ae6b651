//! `windlass resume`: takes a loop up again where it was.

use std::{path::PathBuf, sync::Arc};

use clap::ArgMatches;
use serde_json::{Map, Value, json};
use windlass::{Loop, ResumeOptions, changed_options, forge::Forge, kind::Kind};
use windlass_store::store::LoopRecord;

use super::{agent_config::TrustArgs, block_on, detach::Detach, loops, prompt_text};
use crate::{
    args,
    config::{KNOWN, judge_changes, notify_anew, typed_flags},
    control::find::LoopArg,
    github,
    host::{app::App, failure::Failure},
    notify,
    report::OutputArgs,
};

/// Resume a loop
///
/// Finished steps stay finished: at most the step that was running when the loop was cut off runs
/// again. Keeps the loop's original options unless you override them here; each change is recorded
/// in the loop's log.
///
/// A loop that a rule stopped needs `--reset-circuit`, or a flag that changes what the rule tripped
/// on: its threshold, the check, what is guarded, the prompt or the agent. If the rule left a
/// decision to you, or the agent was blocked, it needs neither.
///
/// `--guard` and `--unguard` add to the globs that the loop has.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) target: LoopArg,

    /// New prompt from here on
    #[arg(
        short,
        long,
        value_name = "PROMPT",
        conflicts_with = "prompt_file",
        allow_hyphen_values = true
    )]
    prompt: Option<String>,

    /// Read the new prompt from a file; `-` is standard input
    #[arg(long, value_name = "FILE")]
    prompt_file: Option<PathBuf>,

    /// Clear the rule that stopped the loop, and reset all counts
    #[arg(long)]
    reset_circuit: bool,

    /// Take the loop over from a process that no longer responds
    #[arg(long)]
    take_over: bool,

    #[command(flatten)]
    pub(crate) detach: Detach,

    #[command(flatten)]
    trust: TrustArgs,

    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

const EXAMPLES: &str = "\
Examples:
  windlass resume                                     newest loop in this directory
  windlass resume brave-otter --max-iterations 40     allow more iterations
  windlass resume brave-otter --reset-circuit         after a rule stopped it
  windlass resume brave-otter --prompt-file PROMPT.md --check 'cargo test'";

pub(crate) fn run(app: &App, matches: &ArgMatches, args: &Args) -> Result<u8, Failure> {
    let screen = args.output.screen(app)?;
    // Its name, its counts and what it has spent so far are shown from the start.
    let (store, record) = args.target.find(app)?;
    let history = store.history(&record.id)?;
    screen.seed(&history);
    drop(store);
    let notify = whom_to_notify(app, matches, &record)?;
    let mut changes = typed_changes("resume", matches)?;
    changes.extend(new_prompt(app, args, &record)?);
    refuse_idle(app, "resume", matches, &record, &changes)?;
    let options = ResumeOptions {
        reference: args.target.the_loop.clone(),
        changes,
        reset_circuit: args.reset_circuit,
        take_over: args.take_over,
    };
    let mut the_loop = Loop::resume(options);
    if let Some(forge) = forge(app, &record)? {
        the_loop = the_loop.forge(forge);
    }
    loops::resume(app, args.trust.apply(the_loop), &screen, &notify, &history)
}

/// What is asked from here on, by the name that the loop's kind has for it.
fn new_prompt(app: &App, args: &Args, record: &LoopRecord) -> Result<Map<String, Value>, Failure> {
    let (flag, text) = match (&args.prompt, &args.prompt_file) {
        (Some(prompt), _) => ("--prompt", prompt_text::typed("resume", "-p", prompt)?),
        (None, Some(path)) => ("--prompt-file", prompt_text::read(app, path)?),
        (None, None) => return Ok(Map::new()),
    };
    let no_effect = |why: &str| {
        let kind = &record.kind;
        Err(Failure::usage(format!("`{flag}` has no effect on a loop of the kind `{kind}`: {why}")))
    };
    let key = match record.kind.as_str() {
        "iterate" => "prompt",
        "tasks" => "task_prompt",
        "develop" if record.options.get("tasks").is_none_or(Value::is_null) => "task",
        "develop" => return no_effect("its tasks come from a file"),
        _ => return no_effect("windlass itself says what its agents are asked"),
    };
    let file = args.prompt_file.as_ref().and_then(|path| prompt_text::place(app, path));
    Ok(Map::from_iter([(key.to_owned(), json!(text)), ("prompt_file".to_owned(), json!(file))]))
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

/// Refuses what was typed after the name of a command and has no effect on the loop.
pub(crate) fn refuse_idle(
    app: &App,
    command: &str,
    matches: &ArgMatches,
    record: &LoopRecord,
    changes: &Map<String, Value>,
) -> Result<(), Failure> {
    let all = args::command();
    let called = all.find_subcommand(command).expect("it is a command");
    // A merge is a loop of another kind than the one that it is about.
    let kind = if command == "merge" { command } else { &record.kind };
    let of_kind = all.find_subcommand(kind);
    let has = |key: &str| {
        of_kind.is_none_or(|of_kind| of_kind.get_arguments().any(|arg| arg.get_id() == key))
    };
    let settings = changes.keys().filter(|key| KNOWN.example(key).is_some());
    if let Some(key) = settings.into_iter().find(|key| !has(key)) {
        let flag = key.replace('_', "-");
        let what = format!(
            "`--{flag}` has no effect on a loop of the kind `{kind}`, which has no such option"
        );
        return Err(Failure::usage(what));
    }
    let layers = app.layers()?;
    let frozen = changed_options(&record.options, changes);
    let warnings = judge_changes(&layers, kind, (called, matches), &frozen, changes)?;
    warnings.iter().for_each(|warning| app.printer.warning(warning));
    Ok(())
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
