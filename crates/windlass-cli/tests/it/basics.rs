//! What holds for every command: help, misuse, streams, and where windlass lives.

use std::{fs, os::unix::fs::MetadataExt};

use crate::world;

#[test]
fn the_exit_codes_are_told() {
    let env = world();
    insta::assert_snapshot!(env.windlass(["exit-codes"]).snapshot(), @"
    exit: 0
    --- stdout
      0  done, approved, clean
      1  the loop ended without success: iterations, budget, findings left, stalled
      2  usage, config or other bad input; also an unknown agent or loop
      3  a rule stopped the loop (the circuit is open)
      4  could not start: agent not installed, untrusted config, or directory in use
      5  the agent keeps failing
      6  storage: full, corrupt, locked, or written by a newer windlass
      7  remote did not confirm; kept for retry
      8  some processes could not be stopped and are still running
     70  internal error (please report)
    129  cancelled by SIGHUP: the terminal was closed
    130  cancelled by SIGINT (Ctrl-C)
    143  cancelled by SIGTERM or `windlass cancel`
    --- stderr
    ");
    let help = env.windlass(["help", "exit-codes"]).success();
    let table = env.windlass(["exit-codes"]).success().stdout;
    assert!(help.stdout.contains(&table), "{help}");
    let json = env.windlass(["exit-codes", "--json"]).success().json();
    assert_eq!(json["6"], "storage: full, corrupt, locked, or written by a newer windlass");
}

#[test]
fn misuse_is_told_on_stderr_with_exit_code_2() {
    let env = world();
    insta::assert_snapshot!(env.windlass(["confg"]).snapshot(), @"
    exit: 2
    --- stdout
    --- stderr
    error: unrecognized subcommand 'confg'

      tip: a similar subcommand exists: 'config'

    Usage: windlass [OPTIONS] [COMMAND]

    For more information, try '--help'.
    ");
    insta::assert_snapshot!(env.windlass(["config", "--orgin"]).snapshot(), @"
    exit: 2
    --- stdout
    --- stderr
    error: unexpected argument '--orgin' found

      tip: a similar argument exists: '--origin'

    Usage: windlass config --origin [KEY]

    For more information, try '--help'.
    ");
    insta::assert_snapshot!(env.windlass(["config", "-C", "nowhere"]).snapshot(), @"
    exit: 2
    --- stdout
    --- stderr
    error: there is no directory `nowhere`
    ");
}

#[test]
fn help_and_version_need_no_home_and_touch_nothing() {
    let env = world();
    for args in [vec!["--version"], vec!["--help"], vec!["completions", "fish"], vec!["man"]] {
        let bare = env.command(args).without_env("HOME").without_env("WINDLASS_HOME");
        let ran = bare.without_env("XDG_STATE_HOME").run().success();
        assert!(!ran.stdout.is_empty() && ran.stderr.is_empty(), "{ran}");
    }
    assert!(!env.windlass_home().exists(), "a question made a home");
}

#[test]
fn without_any_home_windlass_says_what_to_set() {
    let env = world();
    let bare = env.command(["config"]).without_env("HOME").without_env("WINDLASS_HOME");
    insta::assert_snapshot!(bare.without_env("XDG_STATE_HOME").run().snapshot(), @"
    exit: 2
    --- stdout
    --- stderr
    error: there is no place for the store: none of WINDLASS_HOME, XDG_STATE_HOME and HOME is set

    hint: set WINDLASS_HOME to a directory of yours
    ");
}

#[test]
fn a_reader_that_stops_reading_is_no_error() {
    let env = world();
    let program = env.program().display();
    for command in ["config", "config --default", "completions bash", "--help", "exit-codes"] {
        // The reader goes before windlass writes.
        let script = format!("{{ sleep 0.1; {program} {command}; echo $? >&2; }} | true");
        let ran = env.other("sh", ["-c", &script]).run().success();
        assert!(["0\n", "141\n"].contains(&ran.stderr.as_str()), "{command}: {ran}");
    }
}

#[test]
fn output_that_cannot_be_written_is_an_error() {
    let env = world();
    let script = format!("{} config > /dev/full", env.program().display());
    insta::assert_snapshot!(env.other("sh", ["-c", &script]).run().snapshot(), @"
    exit: 6
    --- stdout
    --- stderr
    error: the output could not be written
      caused by: No space left on device (os error 28)
    ");
}

#[test]
fn colour_only_where_it_was_asked_for() {
    let env = world();
    let plain = env.windlass(["config", "nonsense"]).code(2);
    assert!(!plain.stderr.contains('\u{1b}'), "{plain}");
    let always = env.windlass(["config", "nonsense", "--color", "always"]).code(2);
    assert!(always.stderr.contains("\u{1b}[1;31merror:\u{1b}[0m"), "{always}");
}

#[test]
fn a_directory_that_was_deleted_is_told() {
    let env = world();
    let script =
        format!("mkdir gone && cd gone && rmdir ../gone && {} config", env.program().display());
    insta::assert_snapshot!(env.other("sh", ["-c", &script]).run().snapshot(), @"
    exit: 4
    --- stdout
    --- stderr
    error: the directory that you stand in cannot be used
      caused by: No such file or directory (os error 2)
    ");
}

#[test]
fn manual_pages_are_written_for_every_command() {
    let env = world();
    env.windlass(["man", "pages"]).success();
    let page = fs::metadata(env.work().join("pages/windlass-trust.1")).expect("it was written");
    assert!(page.size() > 100);
}
