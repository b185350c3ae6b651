//! The rules that go by what a session reports: its text, its status block, its claims, its denied tools.

use serde_json::json;

use super::{block, ended, result_of, tripped};
use crate::{COMPLETE, user_config, world};

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

      ITERATION  CLAIM  FILES      SAID
      1          none   1 changed  4097 characters
      2          none   1 changed  1025 characters
      3          none   1 changed  201 characters

    The agent was stuck. See on what, fix that by hand or in the prompt, then resume:
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

      ITERATION  CLAIM  FILES      STATUS
      1          none   0 changed  BLOCKED

    The agent cannot continue without you. Give it what it needs and resume, or accept the work as it is:
      windlass log mine --iteration 1
      windlass diff mine
      windlass resume mine
      windlass accept mine
    --- stderr
    ");
}

#[test]
fn an_agent_that_says_what_is_missing_stops_the_loop_and_a_plain_resume_goes_on() {
    let env = world();
    let script = "say I tried.\\n<blocked>the key of the test server; Ann has it</blocked>\nnext\nwrite key x\nsay <promise>COMPLETE</promise>";
    let args = ["--max-iterations", "1"];
    insta::assert_snapshot!(ended(&result_of(&env, script, &args)), @"rule blocked after 1 (exit 3): the agent says that it is blocked: the key of the test server; Ann has it");
    let last = env.windlass(["status", "mine"]).success().stdout;
    assert!(last.contains("circuit    closed"), "{last}");
    assert!(last.contains("  windlass resume mine\n"), "{last}");
    let result =
        env.windlass(["resume", "mine", "--max-iterations", "3", "--json"]).success().json();
    assert_eq!((&result["ending"]["type"], &result["iterations"]), (&json!("done"), &json!(2)));
}

#[test]
fn an_agent_that_only_tests_is_stopped_and_one_that_builds_between_is_not() {
    let env = world();
    let tests = block("STATUS: IN_PROGRESS\\nWORK_TYPE: TESTING");
    let builds = block("STATUS: IN_PROGRESS\\nWORK_TYPE: IMPLEMENTATION");
    let script = format!("append a.txt x\n{tests}");
    insta::assert_snapshot!(ended(&result_of(&env, &script, &[])), @"rule test-only after 3 (exit 3): the agent did nothing but test in 3 iterations in a row");
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
    insta::assert_snapshot!(ended(&result_of(&env, script, &["--protocol", "status"])), @"rule missing-status after 3 (exit 3): the agent left no status block in 3 iterations in a row");
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
    insta::assert_snapshot!(ended(&result), @"rule safety-completion after 5 (exit 3): 5 claims in a row were rejected; `echo 3 of $$ tests fail; false` still fails the same way");
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
    insta::assert_snapshot!(ended(&call.run().code(3).json()), @"rule permission after 2 (exit 3): the agent was denied tools twice in a row (last: Write)");
    insta::assert_snapshot!(env.windlass(["why", "mine"]).snapshot(), @r"
    exit: 0
    --- stdout
    mine  iterate with denied in /tmp/windlass-XXXXXX/work
    ✗ stopped after 2 iterations by the rule permission: the agent was denied tools twice in a row (last: Write)

      ITERATION  CLAIM  FILES      DENIED
      1          none   1 changed  1 tool
      2          none   1 changed  1 tool

    The agent was denied tools. Allow them in its settings (or with `--skip-permissions`, where nothing can break), then resume:
      windlass log mine --iteration 2
      windlass diff mine
      windlass resume mine --reset-circuit
    --- stderr
    ");
}
