//! Several rules that trip in the same iteration: which of them ends the loop.

use super::{block, ended, result_of, tripped};
use crate::{COMPLETE, world};

#[test]
fn of_rules_that_trip_together_the_first_in_order_ends_the_loop_and_why_names_all() {
    let env = world();
    let script =
        format!("say error: no disk\n{}", block("STATUS: IN_PROGRESS\\nWORK_TYPE: TESTING"));
    let result = result_of(&env, &script, &["--same-error-threshold", "3"]);
    insta::assert_snapshot!(ended(&result), @"rule test-only after 3 (exit 3): the agent did nothing but test in 3 iterations in a row");
    insta::assert_snapshot!(env.windlass(["why", "mine"]).snapshot(), @"
    exit: 0
    --- stdout
    mine  iterate with scripted in /tmp/windlass-XXXXXX/work
    ✗ stopped after 3 iterations by the rule test-only: the agent did nothing but test in 3 iterations in a row

      rule same-error tripped: the same error 3 times in a row: error: no disk
      rule stagnation tripped: no progress in 3 iterations: no files changed

      ITERATION  CLAIM  FILES      TREE     STATUS                ERROR
      1          none   0 changed  ef34065  IN_PROGRESS, TESTING  error: no disk
      2          none   0 changed  ef34065  IN_PROGRESS, TESTING  error: no disk
      3          none   0 changed  ef34065  IN_PROGRESS, TESTING  error: no disk

    The agent only tests and changes nothing. See what it is waiting for, say in the prompt what to build, then resume:
      windlass log mine --iteration 3
      windlass diff mine
      windlass resume mine --reset-circuit
    --- stderr
    ");
    assert_eq!(env.sql("SELECT circuit FROM loops"), "open\n");
}

#[test]
fn where_the_last_allowed_iteration_trips_a_rule_too_the_iterations_end_the_loop() {
    let env = world();
    let result = result_of(&env, "say thinking", &["--max-iterations", "3"]);
    insta::assert_snapshot!(ended(&result), @"max_iterations  after 3 (exit 1):");
    insta::assert_snapshot!(tripped(&env), @"
    stagnation
    max-iterations
    ");
    insta::assert_snapshot!(env.windlass(["why", "mine"]).snapshot(), @"
    exit: 0
    --- stdout
    mine  iterate with scripted in /tmp/windlass-XXXXXX/work
    ✗ not done: iteration limit (3) reached

      rule stagnation tripped: no progress in 3 iterations: no files changed

      ITERATION  CLAIM  FILES      TREE
      1          none   0 changed  ef34065
      2          none   0 changed  ef34065
      3          none   0 changed  ef34065

    If the last iterations made progress, allow more; otherwise change the prompt or the checks first:
      windlass resume mine --max-iterations 6
      windlass log mine --iteration 3
    --- stderr
    ");
    // It goes on with more iterations, but not far unless something moves.
    let more = env.windlass(["resume", "mine", "--max-iterations", "9", "--json"]).code(3).json();
    insta::assert_snapshot!(ended(&more), @"rule stagnation after 4 (exit 3): no progress in 4 iterations: no files changed");
}

#[test]
fn a_proven_claim_on_the_last_allowed_iteration_is_done_whatever_trips() {
    let env = world();
    let script = format!("say thinking\nnext\nsay thinking\nnext\nsay {COMPLETE}");
    let result = result_of(&env, &script, &["--max-iterations", "3", "--check", "true"]);
    assert_eq!(result["ending"], serde_json::json!({"type": "done", "by": "promise"}));
    assert_eq!(tripped(&env), "");
}
