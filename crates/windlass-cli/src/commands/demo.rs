//! `windlass demo`: a whole loop in a throw-away repository, with an agent that plays a script.

mod narrated;
mod story;

use std::io;

use clap::ArgMatches;
use windlass::{
    Loop, agent::BUILT_IN, found_repository, kind::iterate::Options, system::GuardianProgram,
};
use windlass_store::store::Store;

use self::narrated::Narrated;
use super::{
    block_on, loops,
    story::{Depth, Teller},
};
use crate::{
    args,
    config::notify_anew,
    host::{
        app::App,
        failure::{Failure, Kind},
        program,
    },
    present::{Next, Story, terminal},
    report::{Output, OutputArgs, Shown, paint::Paint},
};

/// Watch a whole loop in half a minute, without an agent or a key
///
/// Makes a small repository with a failing test in a temporary directory and runs a loop there whose agent
/// plays a script. It claims to be done too early, then weakens the test, then does the work; windlass
/// explains what it believes and why, and shows the report of the loop. Everything is removed at the end.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Do not pause for reading
    #[arg(long)]
    fast: bool,

    #[command(flatten)]
    output: OutputArgs,
}

const EXAMPLES: &str = "\
Examples:
  windlass demo
  windlass demo -v        show what the agent says
  windlass demo --fast    without pauses, for scripts";

/// What stands above the report.
const REPORT: &str =
    "A loop can run all night. In the morning `windlass report` shows what it did:";

/// How long the agent waits in each session, so that people can read what was explained.
const PAUSE: &str = "8s";

pub(crate) fn run(app: &App, matches: &ArgMatches, args: &Args) -> Result<u8, Failure> {
    let directory = tempfile::Builder::new().prefix("windlass-demo-").tempdir().map_err(failed)?;
    let repository = directory.path().join("sum");
    let script = directory.path().join("agent.script");
    let pause = if args.fast { "0s" } else { PAUSE };
    story::write(&repository, &script, pause).map_err(failed)?;
    // Without git the demo works too, and says what is missing then.
    block_on(found_repository(
        &GuardianProgram::ThisProgram,
        app.environment.all().clone(),
        &repository,
    ))??;
    let command = args::command();
    let command = command.find_subcommand("demo").expect("demo is a command");
    let notify = notify_anew(&app.layers()?, "iterate", command, matches)?;
    let mut options = Options::new(story::PROMPT);
    options.common.agent.agent = Some("scripted".to_owned());
    options.common.agent.script = Some(script);
    options.common.rules.max_iterations = 5;
    let output = args.output.output();
    let is_narrated = matches!(output, Output::People { .. });
    let screen = match output {
        Output::People { verbose } => {
            let paint = Paint { colour: app.printer.colour };
            Shown::of(Box::new(Narrated::new(paint, verbose)), output)
        }
        _ => OutputArgs { is_removed: true, ..args.output.clone() }.screen(app)?,
    };
    let (code, report) = {
        let home = directory.path().join("home");
        let app =
            App { home, directory: repository, programs: std::sync::Arc::default(), ..app.clone() };
        let the_loop = Loop::iterate(options).name("demo").check(story::CHECK);
        let code = loops::run(&app, the_loop, &screen, &notify)?;
        (code, if is_narrated && code == 0 { report(&app)? } else { String::new() })
    };
    directory.close().map_err(failed)?;
    if is_narrated {
        app.printer.data(&report)?;
        app.printer.line("")?;
        app.printer.line("Now in a repository of yours, with your own agent:")?;
        app.printer.line(&format!("  {}", next_command(app)))?;
    }
    Ok(code)
}

/// What `windlass report` prints for the loop, without commands for what is removed now.
fn report(app: &App) -> Result<String, Failure> {
    let store = Store::open(&app.home)?;
    let now = windlass::now();
    let teller = Teller::new(app, &store, now);
    let loops = store.loops(None)?;
    let told = loops.iter().map(|record| teller.tell(record, Depth::Whole));
    let stories: Vec<Story> = told.collect::<Result<_, Failure>>()?;
    let bare = |story| Story { next: Next::default(), ..story };
    let stories: Vec<Story> = stories.into_iter().map(bare).collect();
    let paint = Paint { colour: app.printer.colour };
    Ok(format!("\n{REPORT}\n\n{}", terminal::report(&stories, now, paint)))
}

/// What to type next: a loop with the first agent that is installed, or the set-up where none is.
fn next_command(app: &App) -> String {
    let programs = program::trusted(app);
    let is_here =
        |name: &str| program::find(app, programs, name).is_some_and(|it| !it.is_an_agents);
    let installed = BUILT_IN.iter().find(|agent| agent.install.is_some() && is_here(agent.name));
    match installed {
        Some(agent) => format!("windlass iterate -p 'Make the tests pass.' --agent {}", agent.name),
        None => "windlass init".to_owned(),
    }
}

fn failed(error: io::Error) -> Failure {
    Failure::because(Kind::Setup, "the demo's repository could not be made or removed", error)
}
