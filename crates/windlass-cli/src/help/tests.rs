//! Help as people see it: on a screen of 48 lines of 100 columns.

use clap::{Arg, Command};

use super::{
    groups::GROUPS,
    short::{SHORT, USUAL},
};
use crate::args;

const LINES: usize = 48;
const COLUMNS: usize = 100;

/// The whole command line as it is when it is asked for help.
fn built() -> Command {
    let mut command = args::command().term_width(COLUMNS);
    command.build();
    command
}

fn named<'a>(command: &'a Command, name: &str) -> &'a Command {
    command.find_subcommand(name).unwrap_or_else(|| panic!("there is no command `{name}`"))
}

/// What `windlass NAME -h` prints, and what `--help` does.
fn help_of(command: &Command) -> (String, String) {
    let mut command = command.clone().term_width(COLUMNS);
    (command.render_help().to_string(), command.render_long_help().to_string())
}

#[test]
fn every_command_is_in_one_group() {
    let command = built();
    let commands = command.get_subcommands().map(Command::get_name);
    let mut commands: Vec<_> = commands.filter(|name| *name != "help").collect();
    let mut grouped: Vec<_> = GROUPS.iter().flat_map(|(_, names)| *names).copied().collect();
    commands.sort_unstable();
    grouped.sort_unstable();
    assert_eq!(grouped, commands, "`GROUPS` in help/groups.rs has each command once");
}

#[test]
fn the_list_of_commands_has_a_line_for_each() {
    let (short, long) = help_of(&built());
    for help in [&short, &long] {
        for (title, names) in GROUPS {
            let (_, group) =
                help.split_once(&format!("\n{title}:\n")).expect("its heading is there");
            let lines: Vec<_> = group.lines().take_while(|line| !line.is_empty()).collect();
            let listed = lines.iter().filter_map(|line| line.split_whitespace().next());
            assert_eq!(listed.collect::<Vec<_>>(), names, "{title}");
        }
    }
    assert!(long.contains("\nExamples:\n") && !short.contains("\nExamples:\n"), "{short}");
}

#[test]
fn the_help_of_every_command_fits_on_a_screen() {
    let command = built();
    let all = command.get_subcommands().chain([&command]);
    for command in all.filter(|command| command.get_name() != "help") {
        let name = command.get_name();
        let (short, long) = help_of(command);
        let lines = short.trim_end().lines().count();
        assert!(lines <= LINES, "`{name} -h` has {lines} lines:\n{short}");
        for line in short.lines().chain(long.lines()) {
            assert!(line.trim_end().chars().count() <= COLUMNS, "`{name}`: {line}");
        }
    }
}

#[test]
fn short_help_says_how_many_flags_there_are() {
    let command = built();
    for (name, _) in SHORT {
        let (short, long) = help_of(named(&command, name));
        let flags = long.lines().filter(|line| is_flag(line)).count();
        assert!(short.contains(&format!("`--help` for all {flags} flags")), "{flags}:\n{short}");
        let shown = short.lines().filter(|line| is_flag(line)).count();
        assert!((10..=24).contains(&shown), "`{name} -h` shows {shown} flags:\n{short}");
        assert!(
            long.contains("\nGlobal options:\n") && !long.contains("`--help` for all"),
            "{long}"
        );
    }
}

/// Whether a line of help is about a flag: `  -p, --prompt <PROMPT>`, `      --json`.
fn is_flag(line: &str) -> bool {
    let short = line.strip_prefix("  -").is_some_and(|rest| rest.get(1..5) == Some(", --"));
    short || line.starts_with("      --")
}

#[test]
fn flags_of_short_help_are_flags() {
    let command = built();
    let has = |name: &str, id: &str| {
        named(&command, name).get_arguments().any(|arg: &Arg| arg.get_id() == id)
    };
    for (name, own) in SHORT {
        own.iter().for_each(|id| assert!(has(name, id), "`{name}` has no `{id}`"));
    }
    USUAL.iter().for_each(|id| assert!(has("iterate", id), "no loop has `{id}`"));
}

#[test]
fn help_begins_with_a_verb_and_has_no_full_stop() {
    let command = built();
    for command in command.get_subcommands() {
        let about = command.get_about().map(ToString::to_string).unwrap_or_default();
        assert!(!about.contains('\n') && !about.ends_with('.'), "{about}");
        assert!(about.starts_with(|first: char| first.is_ascii_uppercase()), "{about}");
    }
}
