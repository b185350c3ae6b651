//! `windlass init`: sets up a project and the user's own config, so that loops need no flags.
//!
//! What is there is looked at first (`found`), then everything is asked (`questions`), then both files
//! are written or neither (`files`), and at last the checks run once (`trial`).

mod files;
mod found;
mod permissions;
mod place;
mod plan;
mod questions;
mod report;
mod trial;

use std::io::{self, IsTerminal};

use self::{
    files::write_both,
    found::Found,
    place::{Place, Trust},
    plan::Plan,
    questions::{Answers, Asked},
};
use super::block_on;
use crate::host::{
    app::App,
    failure::{Failure, Kind},
};

/// Set up windlass here: find agent, checks and sandbox, and write the config
///
/// Writes what belongs to the project (checks, guard, worktree_setup) to windlass.toml at the top of
/// the repository and trusts it, and what belongs to you (agent, sandbox, permissions, budget,
/// notification) to your own config file. A key that is already there is never changed. Enter takes
/// the default; both files are written after the last question, or neither.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Take the defaults and ask nothing; the same where there is no terminal
    #[arg(long, short)]
    yes: bool,
}

const EXAMPLES: &str = "\
Examples:
  windlass init                   look, ask, and write the config
  windlass init --yes             the same without questions

An agent that is not signed in is a warning, and the exit code is 0. It is 2 if a file cannot be
written, and 4 if no agent is installed: then only the project's part is written.";

/// What a shell says of a program that Ctrl-C ended.
const INTERRUPTED: u8 = 130;

pub(crate) fn run(app: &App, args: &Args) -> Result<u8, Failure> {
    let place = Place::of(app)?;
    let found = Found::look(app, &place)?;
    report::found(app, &found)?;
    if place.trust == Trust::Untrusted {
        report::untrusted(app, &place)?;
    }
    let asks = !args.yes && app.printer.live && io::stdin().is_terminal();
    let answers = if asks {
        match block_on(questions::ask(app, &place, &found))?? {
            Asked::Answers(answers) => answers,
            Asked::Interrupted => return Ok(INTERRUPTED),
        }
    } else {
        Answers::defaults(&place, &found)
    };
    let plan = Plan::new(&place, &found, &answers)?;
    write_both(app, &plan)?;
    report::written(app, &plan)?;
    let trial = trial::run(app, &plan, &found)?;
    if trial.is_stopped {
        return Ok(INTERRUPTED);
    }
    report::trial(app, &trial)?;
    report::warnings(app, &found, &plan);
    if found.agent.is_none() {
        return Err(no_agent());
    }
    let settings = report::untrusted_settings(app, &found)?;
    report::next(app, &place, &plan, &trial, &settings)?;
    Ok(0)
}

fn no_agent() -> Failure {
    let failure = Failure::new(
        Kind::Setup,
        "no coding agent was found, so only the project's part is set up",
    );
    let install = windlass::agent::BUILT_IN.iter().filter_map(|agent| agent.install);
    let failure = install.fold(failure, |failure, install| failure.hint(format!("`{install}`")));
    failure.hint("install one of them, sign in, and type `windlass init` again")
}
