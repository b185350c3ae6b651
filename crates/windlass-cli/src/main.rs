//! The program `windlass`: reads what was typed, runs it, and turns how it went into an exit code.

#![forbid(unsafe_code)]

mod args;
mod commands;
mod config;
mod control;
mod github;
mod help;
mod host;
mod notify;
mod present;
mod report;
mod text;
mod tui;
mod web;

#[cfg(test)]
mod docs;

use std::process::ExitCode;

use clap::FromArgMatches;
use windlass_core::secrets::Secrets;

use crate::{
    args::Cli,
    host::{environment::Environment, failure::Kind, printer::Printer},
};

fn main() -> ExitCode {
    windlass::init();
    // Before anything is known that others must not read.
    windlass::system::become_unreadable();
    host::panics::say_that_it_is_ours();
    let code = host::panics::caught(run).unwrap_or_else(|| Kind::Internal.exit_code());
    ExitCode::from(code)
}

fn run() -> u8 {
    let environment = Environment::read();
    let parsed = args::command().try_get_matches().and_then(|matches| {
        let cli = Cli::from_arg_matches(&matches)?;
        Ok((cli, matches))
    });
    let (cli, matches) = match parsed {
        Ok(parsed) => parsed,
        Err(error) => return told(&error),
    };
    let printer = Printer::new(cli.color, &environment);
    commands::run(&cli, &matches, environment.clone(), printer).unwrap_or_else(|failure| {
        printer.failure(&failure, &Secrets::of_environment(environment.all().clone()));
        failure.kind.exit_code()
    })
}

/// Prints what clap has to say: help and version on stdout, misuse on stderr.
fn told(error: &clap::Error) -> u8 {
    // Whoever stopped reading the help has read enough of it.
    drop(error.print());
    if error.use_stderr() { Kind::Usage.exit_code() } else { 0 }
}
