//! The opposite of every switch: `--no-auto-commit` for `--auto-commit`. What a file or a variable
//! switches on can so be switched off for one call. They are made here for all switches, and hidden,
//! so that help stays as long as it is.

use clap::{Arg, ArgAction, Command};

use super::known::KNOWN;

/// What the id of an opposite begins with; the id of its switch follows.
const PREFIX: &str = "not:";

/// The heading of what is printed, and is no option of a loop.
const OUTPUT: &str = "Output";

/// What help says of them, in one sentence.
pub(crate) const TOLD: &str = "Every switch has an opposite, such as `--no-auto-commit`, to override a \
                               config file.";

/// A loop's command with the opposites of all its switches.
pub(crate) fn with_opposites(command: Command) -> Command {
    let is_option = |arg: &&Arg| arg.get_help_heading() != Some(OUTPUT);
    let command = add(command, is_option);
    let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    command.after_help(format!("{help}\n\n{TOLD}"))
}

/// Another command with the opposites of those of its switches that are settings.
pub(crate) fn with_opposites_of_settings(command: Command) -> Command {
    add(command, |arg| KNOWN.example(arg.get_id().as_str()).is_some())
}

fn add(command: Command, is_meant: impl Fn(&&Arg) -> bool) -> Command {
    let switches = command.get_arguments().filter(is_switch).filter(is_meant);
    let is_taken = |long: &str| command.get_arguments().any(|arg| arg.get_long() == Some(long));
    let opposites: Vec<Arg> = switches.filter_map(|arg| opposite(arg, is_taken)).collect();
    command.args(opposites)
}

fn is_switch(arg: &&Arg) -> bool {
    matches!(arg.get_action(), ArgAction::SetTrue)
}

/// Whichever of the two was typed last counts. `--check CMD` is another flag, so the opposite of
/// `--no-check` is `--no-no-check`.
fn opposite(switch: &Arg, is_taken: impl Fn(&str) -> bool) -> Option<Arg> {
    let long = switch.get_long()?;
    let opposite = long.strip_prefix("no-").filter(|opposite| !is_taken(opposite));
    let opposite = opposite.map_or_else(|| format!("no-{long}"), str::to_owned);
    let id = switch.get_id();
    let arg = Arg::new(format!("{PREFIX}{id}")).long(opposite).hide(true);
    Some(arg.action(ArgAction::SetTrue).overrides_with(id.clone()))
}

/// The id of the switch that an argument is the opposite of.
pub(crate) fn switch_of(arg: &Arg) -> Option<&str> {
    arg.get_id().as_str().strip_prefix(PREFIX)
}
