//! The commands: a file each, with its flags and one function. This is the list that runs them.

pub(crate) mod accept;
pub(crate) mod agent_config;
pub(crate) mod agents;
pub(crate) mod cancel;
pub(crate) mod completions;
pub(crate) mod config;
pub(crate) mod demo;
mod detach;
pub(crate) mod develop;
pub(crate) mod diff;
pub(crate) mod doctor;
pub(crate) mod exit_codes;
pub(crate) mod findings;
pub(crate) mod gc;
pub(crate) mod heal;
pub(crate) mod init;
pub(crate) mod iterate;
pub(crate) mod list;
pub(crate) mod log;
mod loops;
pub(crate) mod man;
pub(crate) mod merge;
pub(crate) mod pr;
mod prompt_text;
pub(crate) mod replay;
pub(crate) mod report;
pub(crate) mod reset;
pub(crate) mod resume;
pub(crate) mod rm;
pub(crate) mod rollback;
pub(crate) mod serve;
pub(crate) mod show;
pub(crate) mod status;
mod story;
pub(crate) mod tasks;
pub(crate) mod trust;
mod visit;
pub(crate) mod watch;
pub(crate) mod why;

#[cfg(test)]
pub(crate) mod samples;

use std::future::Future;

use clap::ArgMatches;
use serde::de::DeserializeOwned;
use toml::Value;

use crate::{
    args::{self, Cli, Command, Effect},
    config::{Resolved, resolve},
    host::{
        app::App,
        environment::{Environment, Variable},
        failure::{Failure, Kind},
        printer::Printer,
    },
};

/// Runs what was typed; gives the exit code.
pub(crate) fn run(
    cli: &Cli,
    matches: &ArgMatches,
    environment: Environment,
    printer: Printer,
) -> Result<u8, Failure> {
    // The process that `--detach` starts has the same arguments.
    let is_detached = environment.get(Variable::WindlassDetached).is_some();
    // Made only for commands that need it: help must work where no home is.
    let app = || {
        let app = App::new(environment, printer, cli.directory.as_deref())?;
        if cli.command.as_ref().is_some_and(|command| command.effect() == Effect::Steers) {
            app.refuse_inside_a_loop(matches.subcommand_name().unwrap_or_default())?;
        }
        Ok::<_, Failure>(app)
    };
    let Some(command) = &cli.command else { return visit::run(&app()?) };
    if !is_detached && let Some(asked) = detach::asked(command, of_command(matches)) {
        return detach::run(&app()?, &asked);
    }
    match command {
        Command::Iterate(args) => iterate::run(&app()?, of_command(matches), args),
        Command::Tasks(args) => tasks::run(&app()?, of_command(matches), args),
        Command::Develop(args) => develop::run(&app()?, of_command(matches), args),
        Command::Heal(args) => heal::run(&app()?, of_command(matches), args),
        Command::Pr(args) => pr::run(&app()?, of_command(matches), args),
        Command::Merge(args) => merge::run(&app()?, of_command(matches), args),
        Command::Resume(args) => resume::run(&app()?, of_command(matches), args),
        Command::Accept(args) => accept::run(&app()?, args),
        Command::Cancel(args) => cancel::run(&app()?, args),
        Command::Reset(args) => reset::run(&app()?, args),
        Command::Watch(args) => watch::run(&app()?, args),
        Command::Status(args) => status::run(&app()?, args),
        Command::List(args) => list::run(&app()?, args),
        Command::Show(args) => show::run(&app()?, args),
        Command::Log(args) => log::run(&app()?, args),
        Command::Findings(args) => findings::run(&app()?, args),
        Command::Why(args) => why::run(&app()?, args),
        Command::Report(args) => report::run(&app()?, args),
        Command::Replay(args) => replay::run(&app()?, args),
        Command::Diff(args) => diff::run(&app()?, args),
        Command::Rollback(args) => rollback::run(&app()?, args),
        Command::Rm(args) => rm::run(&app()?, args),
        Command::Gc(args) => gc::run(&app()?, args),
        Command::Serve(args) => serve::run(&app()?, args),
        Command::Demo(args) => demo::run(&app()?, of_command(matches), args),
        Command::Init(args) => init::run(&app()?, args),
        Command::Agents(args) => agents::run(&app()?, args),
        Command::Config(args) => config::run(&app()?, args),
        Command::Trust(args) => trust::run(&app()?, args),
        Command::Doctor(args) => doctor::run(&app()?, args),
        Command::Completions(args) => completions::run(printer, args),
        Command::Man(args) => man::run(printer, args),
        Command::ExitCodes(args) => exit_codes::run(printer, args),
    }
}

/// What was typed after the name of the command.
fn of_command(matches: &ArgMatches) -> &ArgMatches {
    matches.subcommand().map_or(matches, |(_, matches)| matches)
}

/// The options of a loop from all layers and the flags, refused while the repository's config is
/// not trusted. `matches` are those of the loop's command; `more` lies over everything.
pub(crate) fn loop_options<T: DeserializeOwned>(
    app: &App,
    kind: &str,
    matches: &ArgMatches,
    more: impl IntoIterator<Item = (&'static str, Value)>,
) -> Result<Resolved<T>, Failure> {
    let layers = app.layers()?;
    for warning in &layers.warnings {
        app.printer.warning(warning);
    }
    layers.require_trust()?;
    let command = args::command();
    let command = command.find_subcommand(kind).expect("a loop kind has a command of its name");
    let resolved = resolve(&layers, command, matches, more)?;
    for warning in &resolved.warnings {
        app.printer.warning(warning);
    }
    Ok(resolved)
}

/// Runs what is asynchronous in a command. One thread is enough: the work is done by others.
pub(crate) fn block_on<T>(future: impl Future<Output = T>) -> Result<T, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| {
        Failure::because(Kind::Setup, "the system did not give what a loop needs", error)
    })?;
    Ok(runtime.block_on(future))
}
