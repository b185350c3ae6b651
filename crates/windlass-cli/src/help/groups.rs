//! The groups of commands in `windlass --help`. A new command is one name more in [`GROUPS`].

use std::fmt::Write as _;

use clap::Command;

/// Every command, by what people want to do; a test fails for a command that has no group.
pub(super) const GROUPS: [(&str, &[&str]); 4] = [
    ("Run a loop", &["iterate", "tasks", "develop", "heal", "pr", "demo"]),
    (
        "Watch loops",
        &[
            "watch", "status", "list", "show", "log", "findings", "why", "diff", "report",
            "replay", "serve",
        ],
    ),
    ("Control loops", &["resume", "cancel", "accept", "merge", "reset", "rollback", "rm", "gc"]),
    (
        "Set up",
        &["init", "doctor", "agents", "config", "trust", "completions", "man", "exit-codes"],
    ),
];

/// The command line whose help lists the commands in groups.
pub(super) fn with_groups(command: Command) -> Command {
    let list = list(&command);
    let header = *command.get_styles().get_header();
    let global = super::GLOBAL;
    // Text between the tags is printed as it is, so lines of the list must fit by themselves.
    command.help_template(format!(
        "{{about-with-newline}}{{usage-heading}} {{usage}}\n\n{list}\
         {header}{global}:{header:#}\n{{options}}{{after-help}}"
    ))
}

/// The list: a heading and a line for each command.
fn list(command: &Command) -> String {
    let styles = command.get_styles();
    let (header, literal) = (styles.get_header(), styles.get_literal());
    let mut list = String::new();
    for (title, names) in GROUPS {
        let width = names.iter().map(|name| name.len()).max().unwrap_or(0);
        let _ = writeln!(list, "{header}{title}:{header:#}");
        for name in names {
            let about = command.find_subcommand(name).and_then(Command::get_about);
            let about = about.map(ToString::to_string).unwrap_or_default();
            let _ = writeln!(list, "  {literal}{name:width$}{literal:#}  {about}");
        }
        list.push('\n');
    }
    list
}
