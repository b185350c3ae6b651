//! What `-h` and `--help` show: commands in groups, and of a long list of flags first those that
//! people use. The texts themselves stand at the flags and commands.

mod groups;
mod short;

#[cfg(test)]
mod tests;

use clap::Command;

/// The heading of the flags that every command has.
pub(crate) const GLOBAL: &str = "Global options";

/// The whole command line with help that fits on a screen.
pub(crate) fn with_help(command: Command) -> Command {
    groups::with_groups(short::with_short_help(command))
}
