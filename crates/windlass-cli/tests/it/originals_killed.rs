//! A kill while the original tests are in the place of the agent's files: the next command that has to do
//! with the tree puts these back, says so, and says what it left alone.

use std::time::Duration;

use testkit::{Env, wait_until};

use crate::{
    oracle::wait_until_quiet,
    originals::{CLAIM, RUN_TESTS, in_git, project},
    shell,
};

const BACK: &str = "a process that was killed had left the original tests in their place";

/// A check that waits where it meets the original in the second claim.
fn waiting(env: &Env) {
    let wait = "if grep -q 42 tests/answer.sh && test -f ../runs/hold; then touch ../runs/now; sleep 60; fi";
    env.install("run-tests", &format!("{wait}\n{RUN_TESTS}"));
}

/// A loop `mine` in these files that was killed while the originals were in place, for its second claim.
fn killed_in(env: Env, args: &[&str]) -> Env {
    waiting(&env);
    let hold = "test -f ../runs/first && touch ../runs/hold; mkdir -p ../runs; touch ../runs/first";
    let body = format!("{hold}; echo true > tests/answer.sh; {CLAIM}");
    let all = [&["--check", "run-tests", "--name", "mine", "--grace", "1s"], args].concat();
    let running = shell(&env, &body, &all).spawn();
    let now = env.root().join("runs/now");
    wait_until("the originals are in place", Duration::from_secs(60), || now.exists());
    assert_eq!(env.read("tests/answer.sh"), "grep -qx 42 answer\n");
    drop(running.kill9());
    wait_until_quiet(&env);
    env
}

fn killed() -> Env {
    killed_in(in_git(), &[])
}

fn outside() -> Env {
    let env = Env::outside_git(env!("CARGO_BIN_EXE_windlass")).with_baselines();
    killed_in(project(env), &[])
}

/// That the agent's file is back, that it was said, and that the loop's journal has it.
#[track_caller]
fn assert_back(env: &Env, said: &str, what: &str) {
    assert_eq!(env.read("tests/answer.sh"), "true\n", "{what}");
    assert!(said.contains(BACK), "{what}: {said}");
    let begun = env.windlass_home().join("intents");
    let left = begun.read_dir().map_or(0, |found| found.flatten().filter(is_written).count());
    assert_eq!(left, 0, "{what}");
}

fn is_written(entry: &std::fs::DirEntry) -> bool {
    entry.path().is_file()
        || entry.path().read_dir().is_ok_and(|mut inside| inside.next().is_some())
}

#[track_caller]
fn assert_recorded(env: &Env, words: &str) {
    let log = env.windlass(["log", "mine"]).success().stdout;
    assert!(log.contains(words), "{log}");
}

#[test]
fn whatever_comes_next_puts_the_agents_files_back_and_says_so() {
    for command in [
        &["doctor"] as &[&str],
        &["gc"],
        &["cancel", "mine"],
        &["accept", "mine"],
        &["rollback", "mine", "1"],
    ] {
        let env = killed();
        let ran = env.windlass(command);
        let said = format!("{}{}", ran.stdout, ran.stderr);
        assert_back(&env, &said, &format!("{command:?}: {ran}"));
        assert_recorded(&env, BACK);
    }
}

#[test]
fn outside_git_it_is_the_same() {
    for command in [&["doctor"] as &[&str], &["accept", "mine"]] {
        let env = outside();
        let ran = env.windlass(command);
        assert_back(&env, &format!("{}{}", ran.stdout, ran.stderr), &format!("{command:?}"));
        assert_recorded(&env, BACK);
    }
}

#[test]
fn a_loop_that_is_resumed_or_started_there_says_it_among_its_first_lines() {
    let env = killed();
    drop(std::fs::remove_file(env.root().join("runs/hold")));
    let ran = env.windlass(["resume", "mine"]).code(3);
    assert_back(&env, &ran.stderr, "resume");
    assert_recorded(&env, BACK);

    let env = killed();
    let call = shell(&env, CLAIM, &["--name", "next", "--no-check"]);
    let ran = call.run().success();
    assert_back(&env, &ran.stderr, "a new loop");
    assert_recorded(&env, BACK);
}

#[test]
fn the_loop_that_is_removed_and_one_that_is_merged_have_their_files_back_first() {
    let env = killed();
    let ran = env.windlass(["rm", "mine"]);
    assert_back(&env, &ran.stderr, "rm");
    let env = killed_in(in_git(), &["--create-branch", "--branch-template", "try/it"]);
    let ran = env.windlass(["merge", "mine", "--any-ending", "--commit", "--into", "main"]);
    assert!(ran.stderr.contains(BACK), "{ran}");
    assert_eq!(env.git(["show", "try/it:tests/answer.sh"]), "true\n");
}

#[test]
fn what_was_written_there_since_is_left_alone_named_and_recorded() {
    let env = killed();
    env.write("tests/answer.sh", "the user's\n");
    let ran = env.windlass(["doctor"]);
    assert_eq!(env.read("tests/answer.sh"), "the user's\n");
    let told = "not put back, for something else was written there meanwhile: `tests/answer.sh`: the \
                agent's version is in `";
    assert!(ran.stdout.contains(told), "{ran}");
    assert_recorded(&env, told);
    let (_, kept) = ran.stdout.split_once(told).expect("it is told");
    let kept = kept.split('`').next().expect("it is named");
    assert_eq!(std::fs::read_to_string(kept).expect("it is kept"), "true\n");
    // Once is enough.
    assert!(!env.windlass(["doctor"]).stdout.contains(BACK));
}

#[test]
fn without_a_kill_what_is_left_alone_is_told_by_the_loop() {
    let env = in_git();
    // The check itself writes there, once the original is in place.
    let write =
        "if test -f seen && grep -q 42 tests/answer.sh; then echo false > tests/answer.sh; fi";
    env.install("run-tests", &format!("{write}\n{RUN_TESTS}"));
    let body = format!("touch seen; echo true > tests/answer.sh; {CLAIM}");
    let args = ["--check", "run-tests", "--name", "mine", "--max-iterations", "1"];
    let ran = shell(&env, &body, &args).run().code(1);
    let told = "not put back, for something else was written there meanwhile: `tests/answer.sh`";
    assert!(ran.stderr.contains(told), "{ran}");
    assert_recorded(&env, told);
}

#[test]
fn a_doctor_inside_a_loop_leaves_the_trees_of_others_alone() {
    let env = killed();
    let ran = env.command(["doctor"]).env("WINDLASS_LOOP", "another").run();
    assert!(!ran.stdout.contains(BACK), "{ran}");
    assert_eq!(env.read("tests/answer.sh"), "grep -qx 42 answer\n");
    drop(env.windlass(["gc"]).success());
    assert_eq!(env.read("tests/answer.sh"), "true\n");
}
