//! What `-h` and `--help` print, on a screen of 48 lines of 100 columns.

use std::{ffi::OsStr, fs};

use testkit::Env;

use crate::world;

/// The commands with dozens of flags.
const LONG: [&str; 7] = ["iterate", "tasks", "develop", "heal", "pr", "resume", "merge"];

fn help(env: &Env, args: &[&str]) -> String {
    env.windlass(args).success().stdout
}

fn flags(help: &str) -> usize {
    // A value of a flag is listed as `- auto: …`.
    let is_flag = |line: &&str| line.starts_with('-') && !line.starts_with("- ");
    help.lines().map(str::trim_start).filter(is_flag).count()
}

#[test]
fn commands_are_listed_in_groups() {
    let env = world();
    let help = help(&env, &["-h"]);
    let headings: Vec<_> = help.lines().filter(|line| line.ends_with(':')).collect();
    assert_eq!(
        headings,
        ["Run a loop:", "Watch loops:", "Control loops:", "Set up:", "Global options:"]
    );
    assert!(help.contains("\n  tasks    Work through a task file, one task per session"), "{help}");
}

#[test]
fn short_help_of_a_loop_fits_on_a_screen_and_says_how_much_more_there_is() {
    let env = world();
    for command in LONG {
        let short = help(&env, &[command, "-h"]);
        let lines = short.trim_end().lines().count();
        let widest = short.lines().map(|line| line.chars().count()).max().unwrap_or(0);
        assert!(lines <= 48 && widest <= 100, "{command}: {lines} lines of {widest}:\n{short}");
        let long = help(&env, &[command, "--help"]);
        let all = flags(&long);
        assert!(all > 45 && flags(&short) < 25, "{command}: {all} flags:\n{short}");
        assert!(short.ends_with(&format!("`--help` for all {all} flags\n")), "{all}:\n{short}");
        assert!(long.contains("\nGlobal options:\n"), "{long}");
    }
}

#[test]
fn short_help_of_iterate_has_the_flags_that_people_use() {
    let env = world();
    insta::assert_snapshot!(help(&env, &["iterate", "-h"]));
}

#[test]
fn examples_of_loops_begin_with_a_real_agent() {
    let env = world();
    for command in ["iterate", "tasks", "develop", "heal", "pr"] {
        let help = help(&env, &[command, "-h"]);
        let (_, examples) = help.split_once("\nExamples:\n").expect("there are examples");
        let first = examples.lines().next().unwrap_or_default();
        assert!(first.contains("--agent claude"), "{first}");
    }
}

#[test]
fn the_manual_has_the_words_of_flags_that_short_help_leaves_out() {
    let env = world();
    let pages = env.root().join("man");
    env.windlass([OsStr::new("man"), pages.as_os_str()]).success();
    let page = fs::read_to_string(pages.join("windlass-iterate.1")).unwrap();
    for words in ["Stop after N failed sessions in a row", "When to use colors"] {
        assert!(page.contains(words), "{words}");
    }
}
