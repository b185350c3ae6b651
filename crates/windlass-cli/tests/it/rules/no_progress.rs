//! `stagnation`: what counts as progress, and how a loop goes on after the rule has stopped it.

use testkit::Env;

use super::{ended, result_of, tripped};
use crate::{scripted, world};

#[test]
fn an_agent_that_does_nothing_is_stopped_and_the_circuit_holds_until_it_is_reset() {
    let env = world();
    let ran = scripted(&env, "say thinking", &["--name", "mine"]).run();
    insta::assert_snapshot!(ran.snapshot(), @r"
    exit: 3
    --- stdout
    Loop mine: iterate with scripted in /tmp/windlass-XXXXXX/work
    ━━━ Iteration 1 of at most 20 ━━━
    agent: finished in [time]
    iteration 1: [time], no files changed
    ━━━ Iteration 2 of at most 20 ━━━
    agent: finished in [time]
    iteration 2: [time], no files changed
    ━━━ Iteration 3 of at most 20 ━━━
    agent: finished in [time]
    iteration 3: [time], no files changed
    ✗ stopped after 3 iterations by the rule stagnation: no progress in 3 iterations: no files changed
      3 sessions, no checks, no files modified, [time]
    --- stderr
      task         mend it
      agent        scripted
      sandbox      none
      budget       none, at most 20 iterations
      checks       none
    note: no check found: claims are accepted unproven; give one with `--check CMD`
    warning: no progress in 2 iterations; one more stops the loop (rule stagnation)
    warning: the rule stagnation tripped: no progress in 3 iterations: no files changed
    next: windlass why mine
    next: windlass resume mine --reset-circuit
    ");
    insta::assert_snapshot!(env.windlass(["status", "mine"]).snapshot(), @"
    exit: 0
    --- stdout
    mine  iterate with scripted in /tmp/windlass-XXXXXX/work
    ✗ stopped after 3 iterations by the rule stagnation: no progress in 3 iterations: no files changed

      task       mend it
      promise    COMPLETE
      options    --agent scripted --script /tmp/windlass-XXXXXX/tmp/script-0 --no-baseline
      iteration  3 of at most 20
      circuit    open: no progress in 3 iterations: no files changed
      files      no files modified
      time       3 sessions in [time]
      started    just now (0000-00-00 00:00:00)

      │ thinking
      │ thinking
      │ thinking

      windlass why mine
      windlass resume mine --reset-circuit
    --- stderr
    ");
    insta::assert_snapshot!(env.windlass(["why", "mine"]).snapshot(), @"
    exit: 0
    --- stdout
    mine  iterate with scripted in /tmp/windlass-XXXXXX/work
    ✗ stopped after 3 iterations by the rule stagnation: no progress in 3 iterations: no files changed

      ITERATION  CLAIM  FILES      TREE
      1          none   0 changed  ef34065
      2          none   0 changed  ef34065
      3          none   0 changed  ef34065

    The agent was stuck. See on what, fix that by hand or in the prompt, then resume:
      windlass log mine --iteration 3
      windlass diff mine
      windlass resume mine --reset-circuit
    --- stderr
    ");
    insta::assert_snapshot!(env.windlass(["resume", "mine"]).snapshot(), @"
    exit: 3
    --- stdout
    --- stderr
    error: the circuit of the loop mine is open: stagnation: no progress in 3 iterations: no files changed

    hint: `windlass why mine` tells on which evidence
    hint: to go on all the same: `windlass resume mine --reset-circuit`
    hint: or resume it with a flag that changes what the rule tripped on: its threshold, `--check`, `--unguard`, `--test-policy`, `--known-failures`, `--prompt`, `--agent` or `--command`
    ");
    insta::assert_snapshot!(env.windlass(["reset", "mine"]).snapshot(), @"
    exit: 0
    --- stdout
    the circuit of mine is closed
    --- stderr
    hint: to go on: windlass resume mine
    ");
    let again = env.windlass(["resume", "mine", "--json"]).code(3).json();
    insta::assert_snapshot!(ended(&again), @"rule stagnation after 6 (exit 3): no progress in 3 iterations: no files changed");
    let again = env.windlass(["resume", "mine", "--reset-circuit", "--json"]).code(3).json();
    insta::assert_snapshot!(ended(&again), @"rule stagnation after 9 (exit 3): no progress in 3 iterations: no files changed");
}

#[test]
fn work_in_untracked_files_and_in_commits_is_progress() {
    let env = world();
    let script = "append notes.txt x\nnext\nsay a pause\nnext\nsay a pause\nnext\nappend notes.txt y\n\
                  next\nsay a pause\nnext\nsay a pause\nnext\nappend notes.txt z";
    let result = result_of(&env, script, &["--max-iterations", "7"]);
    insta::assert_snapshot!(ended(&result), @"max_iterations  after 7 (exit 1):");
    assert_eq!(tripped(&env), "max-iterations\n");
}

#[test]
fn one_short_of_stagnation_the_checks_are_run_and_what_they_say_may_be_progress() {
    let env = world();
    // Nothing in the tree moves, but what the check says does.
    let check = "date +%N >> ../tmp/log; printf '%*s' $(wc -l < ../tmp/log) | tr ' ' x; false";
    let args = ["--check", check, "--max-iterations", "6"];
    insta::assert_snapshot!(ended(&result_of(&env, "say thinking", &args)), @"max_iterations  after 6 (exit 1):");
    let env = world();
    let args = ["--check", "echo $$ tests failed; false", "--max-iterations", "6"];
    insta::assert_snapshot!(ended(&result_of(&env, "say thinking", &args)), @"rule stagnation after 3 (exit 3): no progress in 3 iterations: no files or check results changed");
}

#[test]
fn outside_a_repository_no_rule_speaks_of_the_tree() {
    let env = Env::outside_git(env!("CARGO_BIN_EXE_windlass"));
    let result = result_of(&env, "say thinking", &["--max-iterations", "5"]);
    insta::assert_snapshot!(ended(&result), @"max_iterations  after 5 (exit 1):");
}

#[test]
fn zero_switches_a_rule_off() {
    let env = world();
    let result =
        result_of(&env, "say thinking", &["--stagnation-threshold", "0", "--max-iterations", "5"]);
    insta::assert_snapshot!(ended(&result), @"max_iterations  after 5 (exit 1):");
}
