//! What can be typed: the flags of every command, and the list of commands.
//!
//! A new command is a file in `commands`, a variant here, an arm in [`crate::commands::run`], and a
//! name in the groups of [`crate::help`].
//! A loop's command is also a table in `default.toml`, from which its flags get their defaults.

use std::path::PathBuf;

use clap::{CommandFactory, Parser, Subcommand};

use crate::{
    commands::{
        accept, agents, cancel, completions, config, demo, develop, diff, doctor, exit_codes,
        findings, gc, heal, init, iterate, list, log, man, merge, pr, replay, report, reset,
        resume, rm, rollback, serve, show, status, tasks, trust, watch, why,
    },
    config::{KNOWN, with_changeable, with_defaults, with_resolving},
    help::{GLOBAL, with_help},
    host::printer::Colour,
};

/// Run any coding agent in a loop until the work is proven done
///
/// The agent works in iterations until it says it is done and your checks pass, which windlass runs
/// itself. If it is not getting there, windlass stops it and explains why.
#[derive(Debug, Parser)]
#[command(
    name = "windlass",
    version,
    max_term_width = 100,
    after_long_help = EXAMPLES
)]
pub(crate) struct Cli {
    /// Run as if started in this directory
    #[arg(long, short = 'C', global = true, value_name = "DIR", help_heading = GLOBAL)]
    pub(crate) directory: Option<PathBuf>,

    /// When to use colors: auto, always or never
    #[arg(
        long,
        global = true,
        value_name = "WHEN",
        default_value = "auto",
        hide_possible_values = true,
        hide_short_help = true,
        help_heading = GLOBAL
    )]
    pub(crate) color: Colour,

    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

const EXAMPLES: &str = "\
Examples:
  windlass init                   set up windlass here: agent, checks, sandbox, budget
  windlass demo                   watch a whole loop in a minute, without an agent or a key
  windlass iterate -p 'Make the tests pass.' --agent claude --check 'cargo test'
  windlass tasks --tasks TASKS.md --agent claude --check 'cargo test'
  windlass develop -p 'Add a --json flag.' --developer claude --reviewer codex
  windlass heal --loop            review and fix until a review is clean
  windlass pr 7                   audit a pull request and post a review
  windlass watch                  open the dashboard
  windlass status                 see how the newest loop here is doing
  windlass why                    find out why it stopped
  windlass report                 read all about it on one page
  windlass merge brave-otter      merge a loop that ran in its own worktree
  windlass doctor                 check your setup

`windlass COMMAND -h` shows the most used flags of a command, `windlass COMMAND --help` all of them.";

/// The commands, in the order of `--help`.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Iterate(Box<iterate::Args>),
    Tasks(Box<tasks::Args>),
    Develop(Box<develop::Args>),
    Heal(Box<heal::Args>),
    Pr(Box<pr::Args>),
    Watch(watch::Args),
    Status(status::Args),
    List(list::Args),
    Show(show::Args),
    Log(log::Args),
    Findings(findings::Args),
    Why(why::Args),
    Report(report::Args),
    Replay(replay::Args),
    Diff(diff::Args),
    Merge(Box<merge::Args>),
    Resume(resume::Args),
    Accept(accept::Args),
    Cancel(cancel::Args),
    Reset(reset::Args),
    Rollback(rollback::Args),
    Rm(rm::Args),
    Gc(gc::Args),
    Serve(serve::Args),
    Demo(demo::Args),
    Init(init::Args),
    Agents(agents::Args),
    Config(config::Args),
    Trust(trust::Args),
    Doctor(doctor::Args),
    Completions(completions::Args),
    Man(man::Args),
    ExitCodes(exit_codes::Args),
}

/// What a command does to the loops of a home.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// It looks at most.
    Reads,
    /// It starts, ends, changes or removes loops, or what they depend on. What runs in a loop may
    /// not do that.
    Steers,
}

impl Command {
    /// What it does to the loops of a home. The dashboard reads; what its keys do is asked for there.
    pub(crate) fn effect(&self) -> Effect {
        match self {
            Self::Doctor(args) if args.repair => Effect::Steers,
            Self::Watch(_)
            | Self::Status(_)
            | Self::List(_)
            | Self::Show(_)
            | Self::Log(_)
            | Self::Findings(_)
            | Self::Why(_)
            | Self::Report(_)
            | Self::Replay(_)
            | Self::Diff(_)
            | Self::Agents(_)
            | Self::Config(_)
            | Self::Doctor(_)
            | Self::Completions(_)
            | Self::Man(_)
            | Self::ExitCodes(_) => Effect::Reads,
            Self::Iterate(_)
            | Self::Tasks(_)
            | Self::Develop(_)
            | Self::Heal(_)
            | Self::Pr(_)
            | Self::Merge(_)
            | Self::Resume(_)
            | Self::Accept(_)
            | Self::Cancel(_)
            | Self::Reset(_)
            | Self::Rollback(_)
            | Self::Rm(_)
            | Self::Gc(_)
            | Self::Serve(_)
            | Self::Demo(_)
            | Self::Init(_)
            | Self::Trust(_) => Effect::Steers,
        }
    }
}

/// The whole command line, with the defaults of `default.toml` on the flags of loops.
pub(crate) fn command() -> clap::Command {
    let mut command = Cli::command();
    for kind in KNOWN.kinds() {
        if command.find_subcommand(kind).is_some() {
            command = command.mut_subcommand(kind, |loop_kind| with_defaults(loop_kind, kind));
        }
    }
    // A flag that is given twice counts as it was given last, so that scripts can add their own.
    let command = command
        .mut_subcommand("resume", with_changeable)
        .mut_subcommand("merge", with_resolving)
        .mut_subcommands(|command| command.args_override_self(true));
    with_help(command)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_sound() {
        command().debug_assert();
    }

    #[test]
    fn every_command_has_an_example() {
        for command in command().get_subcommands() {
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            let name = command.get_name();
            assert!(help.contains(&format!("windlass {name}")), "{name} teaches nothing");
        }
    }
}
