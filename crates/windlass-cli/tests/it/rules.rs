//! Rules from outside: what trips them, what just does not, and how a loop goes on afterwards.

use serde_json::Value;
use testkit::Env;

use crate::{COMPLETE, scripted, user_config, world};

/// A status block as an action of a script.
fn block(lines: &str) -> String {
    format!("say ---LOOP_STATUS---\\n{lines}\\n---END_LOOP_STATUS---\n")
}

/// The result of a loop whose agent plays the script.
fn result_of(env: &Env, script: &str, args: &[&str]) -> Value {
    let ran = scripted(env, script, args).arg("--name").arg("mine").arg("--json").run();
    ran.json()
}

/// The ending in a line: what, which rule, after how many iterations, and why.
fn ended(result: &Value) -> String {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let ending = &result["ending"];
    format!(
        "{} {} after {} (exit {}): {}",
        text(&ending["type"]),
        text(&ending["rule"]),
        result["iterations"],
        result["exit_code"],
        text(&ending["reason"])
    )
}

/// Every rule that tripped, in the order of the events.
fn tripped(env: &Env) -> String {
    env.sql(
        "SELECT json_extract(body, '$.rule') FROM events WHERE type = 'rule_tripped' ORDER BY seq",
    )
}

#[test]
fn an_agent_that_does_nothing_is_stopped_and_the_circuit_holds_until_it_is_reset() {
    let env = world();
    let ran = scripted(&env, "say thinking", &["--name", "mine"]).run();
    insta::assert_snapshot!(ran.snapshot(), @"
    exit: 3
    --- stdout
    Loop mine: iterate with scripted in /tmp/windlass-XXXXXX/work
    ━━━ Iteration 1 of 20 ━━━
    agent: finished in [time]
    iteration 1: [time], no files changed
    ━━━ Iteration 2 of 20 ━━━
    agent: finished in [time]
    iteration 2: [time], no files changed
    ━━━ Iteration 3 of 20 ━━━
    agent: finished in [time]
    iteration 3: [time], no files changed
    ✗ stopped after 3 iterations by the rule stagnation: 3 iterations running without progress: no file moved
      3 sessions, no checks, no files modified, [time]
    --- stderr
    warning: the rule stagnation is one short of tripping: 2 iterations running without progress: no file moved
    warning: the rule stagnation tripped: 3 iterations running without progress: no file moved
    next: windlass why mine
    next: windlass resume mine --reset-circuit
    ");
    insta::assert_snapshot!(env.windlass(["status", "mine"]).snapshot(), @"
    exit: 0
    --- stdout
    mine  iterate with scripted in /tmp/windlass-XXXXXX/work
    ✗ stopped after 3 iterations by the rule stagnation: 3 iterations running without progress: no file moved

      iteration  ━━━╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌ 3 of 20
      circuit    open: 3 iterations running without progress: no file moved
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
    ✗ stopped after 3 iterations by the rule stagnation: 3 iterations running without progress: no file moved

      rule stagnation tripped: 3 iterations running without progress: no file moved

      ITERATION  CLAIM  FILES      TREE
      1          none   0 changed  ef34065
      2          none   0 changed  ef34065
      3          none   0 changed  ef34065

    More of the same would not have helped. See what it was stuck on, put that right by hand or in the prompt, then close the circuit and go on:
      windlass log mine --iteration 3
      windlass diff mine
      windlass resume mine --reset-circuit
    --- stderr
    ");
    insta::assert_snapshot!(env.windlass(["resume", "mine"]).snapshot(), @"
    exit: 3
    --- stdout
    --- stderr
    error: the circuit of the loop mine is open: stagnation: 3 iterations running without progress: no file moved

    hint: `windlass why mine` tells on which evidence
    hint: to go on all the same: `windlass resume mine --reset-circuit`
    ");
    insta::assert_snapshot!(env.windlass(["reset", "mine"]).snapshot(), @"
    exit: 0
    --- stdout
    the circuit of mine is closed
    --- stderr
    hint: to go on: windlass resume mine
    ");
    let again = env.windlass(["resume", "mine", "--json"]).code(3).json();
    insta::assert_snapshot!(ended(&again), @"rule stagnation after 6 (exit 3): 3 iterations running without progress: no file moved");
    let again = env.windlass(["resume", "mine", "--reset-circuit", "--json"]).code(3).json();
    insta::assert_snapshot!(ended(&again), @"rule stagnation after 9 (exit 3): 3 iterations running without progress: no file moved");
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
    insta::assert_snapshot!(ended(&result_of(&env, "say thinking", &args)), @"rule stagnation after 3 (exit 3): 3 iterations running without progress: no file, no check moved");
}

#[test]
fn a_tree_that_goes_back_and_forth_is_stopped_at_the_second_return() {
    let env = world();
    let flip =
        "write a.txt one\nnext\nwrite a.txt two\nnext\nwrite a.txt one\nnext\nwrite a.txt two";
    let result = result_of(&env, flip, &[]);
    insta::assert_snapshot!(ended(&result), @"rule oscillation after 4 (exit 3): the tree came back 2 times to an earlier state, now to how iteration 2 had left it");
    insta::assert_snapshot!(env.windlass(["why", "mine"]).snapshot(), @"
    exit: 0
    --- stdout
    mine  iterate with scripted in /tmp/windlass-XXXXXX/work
    ✗ stopped after 4 iterations by the rule oscillation: the tree came back 2 times to an earlier state, now to how iteration 2 had left it

      rule oscillation tripped: the tree came back 2 times to an earlier state, now to how iteration 2 had left it

      ITERATION  CLAIM  FILES      TREE
      1          none   1 changed  f9ad152
      2          none   1 changed  8fc7447
      3          none   1 changed  f9ad152
      4          none   1 changed  8fc7447

    More of the same would not have helped. See what it was stuck on, put that right by hand or in the prompt, then close the circuit and go on:
      windlass log mine --iteration 4
      windlass diff mine
      windlass resume mine --reset-circuit
    --- stderr
    ");
    let env = world();
    let result = result_of(&env, flip, &["--oscillation-threshold", "0", "--max-iterations", "4"]);
    insta::assert_snapshot!(ended(&result), @"max_iterations  after 4 (exit 1):");
}

#[test]
fn the_same_error_is_known_again_whatever_its_numbers_are() {
    let env = world();
    let script: Vec<String> = (1..=6)
        .map(|n| format!("append a.txt x\nsay error: no port {n}0{n} at /tmp/x{n}/y"))
        .collect();
    let result = result_of(&env, &script.join("\nnext\n"), &[]);
    insta::assert_snapshot!(ended(&result), @"rule same-error after 5 (exit 3): the same error 5 times running: error: no port 505 at /tmp/x5/y");
    insta::assert_snapshot!(env.windlass(["why", "mine"]).snapshot(), @"
    exit: 0
    --- stdout
    mine  iterate with scripted in /tmp/windlass-XXXXXX/work
    ✗ stopped after 5 iterations by the rule same-error: the same error 5 times running: error: no port 505 at /tmp/x5/y

      rule same-error tripped: the same error 5 times running: error: no port 505 at /tmp/x5/y

      ITERATION  CLAIM  FILES      ERROR
      1          none   1 changed  error: no port 101 at /tmp/x1/y
      2          none   1 changed  error: no port 202 at /tmp/x2/y
      3          none   1 changed  error: no port 303 at /tmp/x3/y
      4          none   1 changed  error: no port 404 at /tmp/x4/y
      5          none   1 changed  error: no port 505 at /tmp/x5/y

    More of the same would not have helped. See what it was stuck on, put that right by hand or in the prompt, then close the circuit and go on:
      windlass log mine --iteration 5
      windlass diff mine
      windlass resume mine --reset-circuit
    --- stderr
    ");
}

#[test]
fn two_errors_that_take_turns_are_not_the_same() {
    let env = world();
    let script: Vec<String> = (1..=8)
        .map(|n| {
            format!("append a.txt x\nsay error: {}", if n % 2 == 0 { "no key" } else { "no disk" })
        })
        .collect();
    let result = result_of(&env, &script.join("\nnext\n"), &["--max-iterations", "8"]);
    insta::assert_snapshot!(ended(&result), @"max_iterations  after 8 (exit 1):");
}

#[test]
fn changes_of_nothing_but_numbers_are_stopped_and_one_of_words_starts_the_count_again() {
    let env = world();
    let numbers = |range: std::ops::RangeInclusive<u32>| -> Vec<String> {
        range.map(|n| format!("write a.txt built 2026-11-{n} run {n}")).collect()
    };
    let result = result_of(&env, &numbers(10..=20).join("\nnext\n"), &[]);
    insta::assert_snapshot!(ended(&result), @"rule churn after 6 (exit 3): nothing but numbers, dates and ids changed in 5 iterations running");
    let env = world();
    let mut script = numbers(10..=14);
    script.push("write a.txt tested 2026-11-15 run 15".to_owned());
    script.extend(numbers(16..=19));
    let result = result_of(&env, &script.join("\nnext\n"), &["--max-iterations", "10"]);
    insta::assert_snapshot!(ended(&result), @"max_iterations  after 10 (exit 1):");
}

#[test]
fn an_agent_that_says_less_and_less_is_stopped() {
    let env = world();
    let script =
        "append a.txt x\nflood 4k\nnext\nappend a.txt y\nflood 1k\nnext\nappend a.txt z\nflood 200";
    insta::assert_snapshot!(ended(&result_of(&env, script, &[])), @"rule output-decline after 3 (exit 3): the agent says less and less: 4097, then 1025, then 201 characters");
    insta::assert_snapshot!(env.windlass(["why", "mine"]).snapshot(), @"
    exit: 0
    --- stdout
    mine  iterate with scripted in /tmp/windlass-XXXXXX/work
    ✗ stopped after 3 iterations by the rule output-decline: the agent says less and less: 4097, then 1025, then 201 characters

      rule output-decline tripped: the agent says less and less: 4097, then 1025, then 201 characters

      ITERATION  CLAIM  FILES      SAID
      1          none   1 changed  4097 characters
      2          none   1 changed  1025 characters
      3          none   1 changed  201 characters

    More of the same would not have helped. See what it was stuck on, put that right by hand or in the prompt, then close the circuit and go on:
      windlass log mine --iteration 3
      windlass diff mine
      windlass resume mine --reset-circuit
    --- stderr
    ");
    let env = world();
    let args = ["--output-decline-threshold", "90%", "--max-iterations", "3"];
    insta::assert_snapshot!(ended(&result_of(&env, script, &args)), @"max_iterations  after 3 (exit 1):");
}

#[test]
fn an_agent_that_is_blocked_stops_the_loop_at_once_with_what_it_recommends() {
    let env = world();
    let script = block("STATUS: BLOCKED\\nEXIT_SIGNAL: false\\nRECOMMENDATION: give me a key");
    insta::assert_snapshot!(ended(&result_of(&env, &script, &[])), @"rule blocked after 1 (exit 3): the agent says that it is blocked: give me a key");
    insta::assert_snapshot!(env.windlass(["why", "mine"]).snapshot(), @"
    exit: 0
    --- stdout
    mine  iterate with scripted in /tmp/windlass-XXXXXX/work
    ✗ stopped after 1 iteration by the rule blocked: the agent says that it is blocked: give me a key

      rule blocked tripped: the agent says that it is blocked: give me a key

      ITERATION  CLAIM  FILES      STATUS
      1          none   0 changed  BLOCKED

    The agent cannot go on without you. See what it needs, give it that, then close the circuit and go on:
      windlass log mine --iteration 1
      windlass diff mine
      windlass resume mine --reset-circuit
    --- stderr
    ");
}

#[test]
fn an_agent_that_only_tests_is_stopped_and_one_that_builds_between_is_not() {
    let env = world();
    let tests = block("STATUS: IN_PROGRESS\\nWORK_TYPE: TESTING");
    let builds = block("STATUS: IN_PROGRESS\\nWORK_TYPE: IMPLEMENTATION");
    let script = format!("append a.txt x\n{tests}");
    insta::assert_snapshot!(ended(&result_of(&env, &script, &[])), @"rule test-only after 3 (exit 3): the agent did nothing but test in 3 iterations running");
    let env = world();
    let part = |block: &str| format!("append a.txt x\n{block}");
    let script = [part(&tests), part(&tests), part(&builds), part(&tests), part(&tests)];
    let result = result_of(&env, &script.join("next\n"), &["--max-iterations", "5"]);
    insta::assert_snapshot!(ended(&result), @"max_iterations  after 5 (exit 1):");
}

#[test]
fn an_agent_that_leaves_no_status_block_is_stopped_where_it_was_taught_one() {
    let env = world();
    let script = "append a.txt x\nsay I work";
    insta::assert_snapshot!(ended(&result_of(&env, script, &["--protocol", "status"])), @"rule missing-status after 3 (exit 3): the agent left no status block in 3 iterations running");
    let env = world();
    let result = result_of(&env, script, &["--max-iterations", "5"]);
    insta::assert_snapshot!(ended(&result), @"max_iterations  after 5 (exit 1):");
}

#[test]
fn claims_that_the_same_check_will_not_have_are_stopped() {
    let env = world();
    let script = format!("append a.txt x\nsay {COMPLETE}");
    let check = ["--check", "echo 3 of $$ tests fail; false"];
    let result = result_of(&env, &script, &check);
    insta::assert_snapshot!(ended(&result), @"rule safety-completion after 5 (exit 3): 5 claims running were not accepted, and `echo 3 of $$ tests fail; false` fails as before");
    insta::assert_snapshot!(tripped(&env), @"
    safety-completion
    same-error
    ");
}

#[test]
fn an_agent_whose_tools_are_denied_is_stopped_after_the_second_session() {
    let env = world();
    let line = r#"{"type":"result","is_error":false,"result":"I may not.","permission_denials":[{"tool_name":"Write","tool_use_id":"t"}]}"#;
    let agent = env.agent_sh(&format!("echo x >> a.txt; echo '{line}'"));
    let table = format!("[agents.denied]\ncommand = ['{}']\ndecoder = 'claude'\n", agent.display());
    user_config(&env, &table);
    let call = env.command(["iterate", "-p", "x", "--agent", "denied", "--name", "mine", "--json"]);
    insta::assert_snapshot!(ended(&call.run().code(3).json()), @"rule permission after 2 (exit 3): in 2 sessions running the agent was denied tools, the last time a tool");
    insta::assert_snapshot!(env.windlass(["why", "mine"]).snapshot(), @"
    exit: 0
    --- stdout
    mine  iterate with denied in /tmp/windlass-XXXXXX/work
    ✗ stopped after 2 iterations by the rule permission: in 2 sessions running the agent was denied tools, the last time a tool

      rule permission tripped: in 2 sessions running the agent was denied tools, the last time a tool

      ITERATION  CLAIM  FILES      DENIED
      1          none   1 changed  1 tool
      2          none   1 changed  1 tool

    The agent may not use the tools that it wants. Allow them in its own settings (or with `--skip-permissions`, where nothing can be harmed), then close the circuit and go on:
      windlass log mine --iteration 2
      windlass diff mine
      windlass resume mine --reset-circuit
    --- stderr
    ");
}

#[test]
fn of_rules_that_trip_together_the_first_in_order_ends_the_loop_and_why_names_all() {
    let env = world();
    let script =
        format!("say error: no disk\n{}", block("STATUS: IN_PROGRESS\\nWORK_TYPE: TESTING"));
    let result = result_of(&env, &script, &["--same-error-threshold", "3"]);
    insta::assert_snapshot!(ended(&result), @"rule test-only after 3 (exit 3): the agent did nothing but test in 3 iterations running");
    insta::assert_snapshot!(env.windlass(["why", "mine"]).snapshot(), @"
    exit: 0
    --- stdout
    mine  iterate with scripted in /tmp/windlass-XXXXXX/work
    ✗ stopped after 3 iterations by the rule test-only: the agent did nothing but test in 3 iterations running

      rule test-only tripped: the agent did nothing but test in 3 iterations running
      rule same-error tripped: the same error 3 times running: error: no disk
      rule stagnation tripped: 3 iterations running without progress: no file moved

      ITERATION  CLAIM  FILES      TREE     STATUS                ERROR
      1          none   0 changed  ef34065  IN_PROGRESS, TESTING  error: no disk
      2          none   0 changed  ef34065  IN_PROGRESS, TESTING  error: no disk
      3          none   0 changed  ef34065  IN_PROGRESS, TESTING  error: no disk

    The agent tests and does not build. See what it waits for, say in the prompt what is to be built, then close the circuit and go on:
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
    ✗ not done after 3 iterations: that is as many as were allowed

      rule stagnation tripped: 3 iterations running without progress: no file moved
      rule max-iterations tripped: 3 of 3 iterations are used up

      ITERATION  CLAIM  FILES      TREE
      1          none   0 changed  ef34065
      2          none   0 changed  ef34065
      3          none   0 changed  ef34065

    If the last iterations got somewhere, allow more of them; otherwise change the prompt or the checks first:
      windlass resume mine --max-iterations 6
      windlass log mine --iteration 3
    --- stderr
    ");
    // It goes on with more iterations, but not far unless something moves.
    let more = env.windlass(["resume", "mine", "--max-iterations", "9", "--json"]).code(3).json();
    insta::assert_snapshot!(ended(&more), @"rule stagnation after 4 (exit 3): 4 iterations running without progress: no file moved");
}

#[test]
fn a_proven_claim_on_the_last_allowed_iteration_is_done_whatever_trips() {
    let env = world();
    let script = format!("say thinking\nnext\nsay thinking\nnext\nsay {COMPLETE}");
    let result = result_of(&env, &script, &["--max-iterations", "3", "--check", "true"]);
    assert_eq!(result["ending"], serde_json::json!({"type": "done", "by": "promise"}));
    assert_eq!(tripped(&env), "");
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

#[test]
fn a_replay_tells_where_other_thresholds_would_have_stopped_the_loop() {
    let env = world();
    let script = "append a.txt x\nnext\nsay thinking";
    result_of(&env, script, &["--stagnation-threshold", "4"]);
    let sets = [
        "--set",
        "stagnation=2",
        "--set",
        "stagnation=9",
        "--set",
        "stagnation=0,max-iterations=3",
    ];
    let call = env.command(["replay", "mine"]);
    let ran = sets.iter().fold(call, |call, arg| call.arg(arg)).run();
    insta::assert_snapshot!(ran.snapshot(), @"
    exit: 0
    --- stdout
    mine  iterate with scripted in /tmp/windlass-XXXXXX/work
    ✗ stopped after 5 iterations by the rule stagnation: 4 iterations running without progress: no file moved

      SETTING                         STOPS                BECAUSE
      as it was                       after iteration 5    stagnation: 4 iterations running without progress: no file moved
      stagnation=2                    after iteration 3    stagnation: 2 iterations running without progress: no file moved
      stagnation=9                    not in 5 iterations
      max-iterations=3, stagnation=0  after iteration 3    max-iterations: 3 of 3 iterations are used up

    The record ends there: what the agent would have done after iteration 5, nobody can know.
    --- stderr
    ");
    let told = env.windlass(["replay", "--set", "stagnation=3", "--json"]).success().json();
    assert_eq!(told["recorded"], 5);
    insta::assert_json_snapshot!(told["settings"], @r#"
    [
      {
        "set": {
          "stagnation": "3"
        },
        "stop": {
          "iteration": 4,
          "rule": "stagnation",
          "reason": "3 iterations running without progress: no file moved",
          "rules": [
            "stagnation"
          ]
        }
      }
    ]
    "#);
    insta::assert_snapshot!(env.windlass(["replay", "--set", "stagnatoin=3"]).snapshot(), @"
    exit: 2
    --- stdout
    --- stderr
    error: there is no rule `stagnatoin`

    hint: did you mean `stagnation`?
    ");
}
