//! `--detach`: a loop in its own process and session, which outlives the terminal. The same command runs
//! there once more; this one waits until its loop is stored, or says why not. Ctrl-C before that ends the
//! process.

use std::{
    fs::File,
    io::{self, Seek},
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use clap::ArgMatches;
use tokio::signal::unix::{SignalKind, signal};
use windlass::{AgentConfig, Asker as _, LoopError, system::kills_at_logout};
use windlass_core::{
    ask::Choice,
    event::{Event, EventKind},
    ids::LoopId,
};
use windlass_store::store::{LoopRecord, Store};

use super::block_on;
use crate::{
    args::Command,
    control::{
        find::LoopArg,
        launch::{Launch, Launched, launch_with},
    },
    host::{
        app::App,
        environment::{Environment, Variable},
        failure::{Failure, Kind},
    },
    report::{OutputArgs, asker::Terminal, brief::Brief, ending::Standing, paint::Paint, start},
};

/// Where a loop runs
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct Detach {
    /// Run in the background, print the loop's name, and outlive this terminal
    #[arg(long, conflicts_with_all = ["tui", "verbose", "jsonl", "format"])]
    pub(crate) detach: bool,
}

/// A loop that is to outlive the terminal.
pub(crate) struct Asked<'a> {
    output: &'a OutputArgs,
    /// The loop to go on with, where it is not a new one.
    target: Option<&'a LoopArg>,
    /// Whether the prompt comes from standard input.
    reads_input: bool,
}

/// How long the loop may take until it is stored: a large repository is looked at before that.
const LIMIT: Duration = Duration::from_secs(10 * 60);
/// How long its process has to end after Ctrl-C, before it is killed.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long its first event may take after that.
const FIRST_EVENT: Duration = Duration::from_secs(5);
/// How often a look is taken.
const LOOK: Duration = Duration::from_millis(15);

/// What was typed, if that asks for it.
pub(crate) fn asked<'a>(command: &'a Command, matches: &ArgMatches) -> Option<Asked<'a>> {
    let (detach, output, target) = match command {
        Command::Iterate(args) => (&args.detach, &args.output, None),
        Command::Tasks(args) => (&args.detach, &args.output, None),
        Command::Develop(args) => (&args.detach, &args.output, None),
        Command::Heal(args) => (&args.detach, &args.output, None),
        Command::Pr(args) => (&args.detach, &args.output, None),
        Command::Resume(args) => (&args.detach, &args.output, Some(&args.target)),
        _ => return None,
    };
    let prompt = matches.try_get_one::<PathBuf>("prompt_file").ok().flatten();
    let reads_input = prompt.is_some_and(|path| path == Path::new("-"));
    detach.detach.then_some(Asked { output, target, reads_input })
}

/// Starts it, and returns once it is stored and owned.
pub(crate) fn run(app: &App, asked: &Asked<'_>) -> Result<u8, Failure> {
    let (store, earlier) = match asked.target {
        Some(target) => target.find(app).map(|(store, record)| (store, Some(record)))?,
        None => (Store::open(&app.home)?, None),
    };
    let mut input = if asked.reads_input { Some(input(app)?) } else { None };
    let here = std::path::absolute(".").map_err(|error| Failure::new(Kind::Setup, error))?;
    let id = earlier.as_ref().map(|record| &record.id);
    let begin = |input: &mut Option<File>| {
        let marked = [(Variable::WindlassDetached.name(), "1")];
        let mut copy = input.as_ref().map(File::try_clone).transpose().map_err(unreadable)?;
        copy.as_mut().map(Seek::rewind).transpose().map_err(unreadable)?;
        let launched = launch_with(app, &here, Environment::arguments(), copy, &marked)?;
        let waited = block_on(unless_interrupted(waited(&launched, &store, id)))??;
        let launch = match waited {
            Heard::Done(launch) => Heard::Done(launch?),
            Heard::Interrupted(code) => given_up(app, &launched, &store, id, code)?,
        };
        Ok::<_, Failure>((launched, launch))
    };
    let (mut launched, mut launch) = begin(&mut input)?;
    // Nobody can be asked there, so it is asked here, and the loop is started once more.
    if matches!(launch, Heard::Done(Launch::Failed { .. })) {
        match is_trusted_now(app, &store, &launched)? {
            Heard::Done(true) => (launched, launch) = begin(&mut input)?,
            Heard::Done(false) => {}
            Heard::Interrupted(code) => return Ok(code),
        }
    }
    let launch = match launch {
        Heard::Done(launch) => launch,
        Heard::Interrupted(code) => return Ok(code),
    };
    match launch {
        Launch::Begun(record) => {
            let after = earlier.map_or(0, |record| record.last_seq);
            let began = began(&store, &launched, &record, after)?;
            told(app, asked, &launched, began.as_ref());
            // By now it holds what its first event says.
            let record = store.get(&record.id)?.unwrap_or(*record);
            begun(app, asked, &record)
        }
        Launch::Failed { code, .. } => {
            app.printer.aside(launched.words().trim_end());
            Ok(code.unwrap_or_else(|| Kind::Internal.exit_code()))
        }
        Launch::Slow => {
            let what = "the loop's process runs, and its loop is not stored yet";
            Err(Failure::new(Kind::Setup, io::Error::other(what))
                .hint("`windlass list` shows it once it is"))
        }
    }
}

/// What came of something that Ctrl-C can end.
enum Heard<T> {
    Done(T),
    /// The exit code that says so.
    Interrupted(u8),
}

/// Does something until Ctrl-C or SIGTERM. A terminal that is closed is no reason to stop: the loop is
/// meant to outlive it.
async fn unless_interrupted<T>(work: impl Future<Output = T>) -> Result<Heard<T>, Failure> {
    let listen = |kind| {
        signal(kind)
            .map_err(|error| Failure::because(Kind::Setup, "signals cannot be heard", error))
    };
    let mut interrupt = listen(SignalKind::interrupt())?;
    let mut terminate = listen(SignalKind::terminate())?;
    Ok(tokio::select! {
        done = work => Heard::Done(done),
        _ = interrupt.recv() => Heard::Interrupted(130),
        _ = terminate.recv() => Heard::Interrupted(143),
    })
}

/// Waits until the loop is stored, or its process has ended.
async fn waited(
    launched: &Launched,
    store: &Store,
    id: Option<&LoopId>,
) -> Result<Launch, Failure> {
    let began = Instant::now();
    while began.elapsed() < LIMIT {
        if let Some(launch) = launched.look(store, id)? {
            return Ok(launch);
        }
        tokio::time::sleep(LOOK).await;
    }
    Ok(Launch::Slow)
}

/// Ends a process whose loop is not stored yet. One that is stored runs on, and is named.
fn given_up(
    app: &App,
    launched: &Launched,
    store: &Store,
    id: Option<&LoopId>,
    code: u8,
) -> Result<Heard<Launch>, Failure> {
    if let Some(launch @ Launch::Begun(_)) = launched.look(store, id)? {
        return Ok(Heard::Done(launch));
    }
    launched.stop(PATIENCE);
    app.printer.aside("interrupted before the loop began: nothing runs");
    Ok(Heard::Interrupted(code))
}

/// Whether the loop was refused for settings of the repository, and somebody at the terminal trusts these.
fn is_trusted_now(app: &App, store: &Store, launched: &Launched) -> Result<Heard<bool>, Failure> {
    let words = launched.words();
    let Some(asker) = Terminal::attended(app.printer, Box::new(|_| false)) else {
        return Ok(Heard::Done(false));
    };
    if !words.contains(LoopError::UNTRUSTED) {
        return Ok(Heard::Done(false));
    }
    let refused = AgentConfig::refused(store, &app.directory)?;
    let lines: String = refused.iter().map(|entry| format!("  {}\n", entry.line())).collect();
    let question = format!(
        "This repository has untrusted settings for agents:\n{lines}Trust them? They can run commands as you."
    );
    let choices = [Choice::Trust, Choice::Abort];
    let answer = match block_on(unless_interrupted(asker.ask_first(&question, &choices)))?? {
        Heard::Done(answer) => answer,
        Heard::Interrupted(code) => return Ok(Heard::Interrupted(code)),
    };
    if answer != Some(Choice::Trust) {
        return Ok(Heard::Done(false));
    }
    AgentConfig::trust_refused(store, &app.directory)?;
    Ok(Heard::Done(true))
}

fn unreadable(error: io::Error) -> Failure {
    Failure::because(Kind::Storage, "standard input could not be kept for the loop", error)
}

/// Standard input as a file, for a process that outlives this one.
fn input(app: &App) -> Result<File, Failure> {
    let copied = tempfile::tempfile_in(&app.home).and_then(|mut file| {
        io::copy(&mut io::stdin().lock(), &mut file)?;
        file.rewind()?;
        Ok(file)
    });
    copied.map_err(unreadable)
}

/// The event that the loop began or goes on with.
fn began(
    store: &Store,
    launched: &Launched,
    record: &LoopRecord,
    after: u64,
) -> Result<Option<Event>, Failure> {
    let since = Instant::now();
    loop {
        let is_last = launched.has_ended() || since.elapsed() > FIRST_EVENT;
        let mut events = store.events(&record.id, after, 20)?.into_iter();
        let is_first = |event: &Event| {
            matches!(event.kind, EventKind::LoopStarted { .. } | EventKind::LoopResumed { .. })
        };
        if let Some(event) = events.find(is_first) {
            return Ok(Some(event));
        }
        if is_last {
            return Ok(None);
        }
        thread::sleep(LOOK);
    }
}

/// The block of the start, or its warnings, and what the other process warned of before.
fn told(app: &App, asked: &Asked<'_>, launched: &Launched, began: Option<&Event>) {
    let warnings = began.map(start::warnings).unwrap_or_default();
    let words = launched.words();
    let is_new =
        |line: &&str| line.starts_with("warning: ") && !warnings.iter().any(|known| known == line);
    words.lines().filter(is_new).for_each(|line| app.printer.aside(line));
    let is_short = asked.output.json || asked.output.quiet;
    let paint = Paint { colour: app.printer.colour_errors };
    let block = match began {
        Some(event) if !is_short => start::lines(event, paint),
        _ => warnings,
    };
    block.iter().for_each(|line| app.printer.aside(line));
    let user = app.environment.get(Variable::User).and_then(|user| user.to_str());
    if kills_at_logout(Path::new("/"), user.unwrap_or_default()) {
        app.printer.warning(
            "logging out ends this loop: logind is set to `KillUserProcesses=yes`; `loginctl \
             enable-linger` keeps it running",
        );
    }
}

/// Its name for programs, and how to follow it for people.
fn begun(app: &App, asked: &Asked<'_>, record: &LoopRecord) -> Result<u8, Failure> {
    if asked.output.json {
        app.printer.json(&Brief::new(record, &Standing::of_record(record)))?;
    } else {
        app.printer.line(&record.name)?;
    }
    let name = shell_words::quote(&record.name);
    app.printer.aside(&format!("next: windlass log --follow {name}"));
    Ok(0)
}
