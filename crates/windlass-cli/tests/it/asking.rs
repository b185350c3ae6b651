//! What is asked at a terminal when the tests of `heal` fail, and that nobody is asked elsewhere.

use std::{path::Path, time::Duration};

use testkit::{Env, Terminal, has};

use crate::{oracle::assert_sound, world};

const LIMIT: Duration = Duration::from_secs(30);

/// `heal` of the tests alone, which pass where `ok.txt` is.
fn arguments(script: &Path) -> Vec<String> {
    let script = script.display().to_string();
    let call = ["heal", "--start-at", "test", "--agent", "scripted", "--script", &script];
    let more = ["--test", "echo no file; test -e ok.txt", "--name", "mine"];
    call.iter().chain(&more).map(|arg| (*arg).to_owned()).collect()
}

/// windlass at a terminal, up to its question.
fn asked<'a>(env: &'a Env) -> Terminal<'a> {
    let script = env.script("as fixer\nwrite ok.txt x\n");
    let terminal = env.terminal(arguments(&script));
    terminal.wait_for("What now?", LIMIT);
    terminal
}

fn answer(terminal: &Terminal<'_>, key: &str) {
    terminal.press(key);
    terminal.press("Enter");
}

#[test]
fn to_try_again_runs_the_tests_again() {
    if !has("tmux") {
        return;
    }
    let env = world();
    let terminal = asked(&env);
    let screen = terminal.screen();
    assert!(screen.contains("test -e ok.txt` failed with exit code 1. What now?"), "{screen}");
    assert!(screen.contains("    no file\n"), "what the tests printed comes with it: {screen}");
    let offer =
        "[r]etry, [f]ix (let the agent fix it), [s]kip, [a]bort: type a letter and press Enter";
    assert!(
        screen.replace(['\n', ' '], "").contains(&offer.replace(' ', "")),
        "{screen}"
    );
    assert!(terminal.shows_cursor(), "whoever types must see where");
    answer(&terminal, "x");
    terminal.wait_for("please answer", LIMIT);
    env.write("ok.txt", "");
    answer(&terminal, "r");
    let screen = terminal.wait_for("[exit 0]", LIMIT);
    assert!(screen.contains("✓ done after 1 iteration, proven by 1 check"), "{screen}");
    assert_eq!(env.sql("SELECT passed FROM checks ORDER BY rowid"), "0\n1\n");
    assert_eq!(env.sql("SELECT count(*) FROM sessions"), "0\n");
}

#[test]
fn the_agent_may_be_told_to_mend_it() {
    if !has("tmux") {
        return;
    }
    let env = world();
    let terminal = asked(&env);
    answer(&terminal, "f");
    let screen = terminal.wait_for("[exit 0]", LIMIT);
    assert!(screen.contains("✓ done after 1 iteration, proven by 1 check"), "{screen}");
    assert_eq!(env.sql("SELECT place FROM sessions"), "1/fixer/tests/1\n");
}

#[test]
fn tests_can_be_passed_over() {
    if !has("tmux") {
        return;
    }
    let env = world();
    let terminal = asked(&env);
    answer(&terminal, "s");
    let screen = terminal.wait_for("[exit 0]", LIMIT);
    assert!(screen.contains("✓ done after 1 iteration, unverified"), "{screen}");
    let skipped = "tests skipped: `echo no file; test -e ok.txt` failed on iteration 1";
    assert!(screen.contains(skipped), "{screen}");
}

#[test]
fn the_loop_can_be_given_up() {
    if !has("tmux") {
        return;
    }
    let env = world();
    let terminal = asked(&env);
    answer(&terminal, "abort");
    let screen = terminal.wait_for("[exit 1]", LIMIT);
    assert!(screen.contains("✗ Tests failed on iteration 1"), "{screen}");
    assert_eq!(env.sql("SELECT count(*) FROM sessions"), "0\n");
}

#[test]
fn ctrl_c_at_the_question_calls_the_loop_off_and_it_is_asked_again() {
    if !has("tmux") {
        return;
    }
    let env = world();
    let terminal = asked(&env);
    terminal.press("C-c");
    terminal.wait_for("[exit 130]", LIMIT);
    drop(terminal);
    let terminal = env.terminal(["resume", "mine"]);
    terminal.wait_for("What now?", LIMIT);
    answer(&terminal, "s");
    terminal.wait_for("[exit 0]", LIMIT);
    assert_sound(&env);
}

#[test]
fn without_a_terminal_the_agent_has_its_tries() {
    let env = world();
    let script = env.script("as fixer\nwrite ok.txt x\n");
    let ran = env.command(arguments(&script)).stdin("a\n").run().success();
    assert!(!ran.stdout.contains("What now?"), "{ran}");
    assert_eq!(env.sql("SELECT place FROM sessions"), "1/fixer/tests/1\n");
}
