//! Budgets from outside: they end a loop before it costs too much, and it goes on with more.

use testkit::Env;

use crate::{scripted, user_config, world};

/// An agent that tells what each session took, and changes a file.
pub(crate) fn metered(env: &Env, tokens: u32, cost: &str) {
    let line = format!(
        r#"{{"type":"result","subtype":"success","is_error":false,"result":"on it","total_cost_usd":{cost},"usage":{{"input_tokens":{tokens},"output_tokens":0}}}}"#
    );
    let agent = env.agent_sh(&format!("echo x >> a.txt; echo '{line}'"));
    let table =
        format!("[agents.metered]\ncommand = ['{}']\ndecoder = 'claude'\n", agent.display());
    user_config(env, &table);
}

const CALL: [&str; 7] = ["iterate", "-p", "x", "--agent", "metered", "--name", "mine"];

#[test]
fn a_loop_ends_before_the_session_that_would_cost_too_much() {
    let env = world();
    metered(&env, 1000, "0.60");
    let ran = env.command(CALL).arg("--max-cost").arg("2").run();
    insta::assert_snapshot!(ran.snapshot(), @r"
    exit: 1
    --- stdout
    Loop mine: iterate with metered in /tmp/windlass-XXXXXX/work
    ━━━ Iteration 1 of at most 20 ━━━
    agent: finished in [time], $0.60
    iteration 1: [time], 1 file changed
    ━━━ Iteration 2 of at most 20 ━━━
    agent: finished in [time], $0.60
    iteration 2: [time], 1 file changed
    ━━━ Iteration 3 of at most 20 ━━━
    agent: finished in [time], $0.60
    iteration 3: [time], 1 file changed
    ✗ stopped after 3 iterations by its budget: $1.80 of $2.00 spent (about $0.60 per iteration)
      3 sessions, no checks, 1 file modified, $1.80 (3k tokens in and 0 out), [time]
    --- stderr
      task         x
      agent        metered
      sandbox      none
      budget       $2.00, at most 20 iterations
      checks       none
    note: no check found: claims are accepted unproven; give one with `--check CMD`
    warning: $1.20 of $2.00 spent (about $0.60 per iteration); one more stops the loop (rule max-cost)
    next: windlass resume mine --max-cost 4
    next: windlass show mine
    ");
    insta::assert_snapshot!(env.windlass(["status", "mine"]).snapshot(), @"
    exit: 0
    --- stdout
    mine  iterate with metered in /tmp/windlass-XXXXXX/work
    ✗ stopped after 3 iterations by its budget: $1.80 of $2.00 spent (about $0.60 per iteration)

      task       x
      promise    COMPLETE
      options    --agent metered --no-baseline --max-cost 2.0
      iteration  3 of at most 20
      circuit    closed
      files      1 file modified
      spend      $1.80 (3k tokens in and 0 out)
      budget     $1.80 of $2.00 spent (about $0.60 per iteration)
      time       3 sessions in [time]
      started    just now (0000-00-00 00:00:00)

      windlass resume mine --max-cost 4
      windlass show mine
    --- stderr
    ");
    insta::assert_snapshot!(env.windlass(["why", "mine"]).snapshot(), @"
    exit: 0
    --- stdout
    mine  iterate with metered in /tmp/windlass-XXXXXX/work
    ✗ stopped after 3 iterations by its budget: $1.80 of $2.00 spent (about $0.60 per iteration)

      ITERATION  CLAIM  FILES      COST
      1          none   1 changed  $0.60
      2          none   1 changed  $0.60
      3          none   1 changed  $0.60

    The work so far is kept. See what it cost and what it achieved; to continue, resume with a higher limit:
      windlass show mine
      windlass resume mine --max-cost 4
    --- stderr
    ");
    insta::assert_snapshot!(env.windlass(["resume", "mine"]).snapshot(), @"
    exit: 2
    --- stdout
    --- stderr
    error: the loop mine cannot be resumed: $1.80 of $2.00 spent (about $0.60 per iteration); give it more with `--max-cost`

    hint: `windlass show mine` tells what it did
    ");
    let more = env.windlass(["resume", "mine", "--max-cost", "3", "--json"]).code(1).json();
    assert_eq!(more["iterations"], 5);
    insta::assert_json_snapshot!(more["ending"], @r#"
    {
      "type": "budget",
      "kind": "cost",
      "reason": "$3.00 of $3.00 spent (about $0.60 per iteration)",
      "limit": "3"
    }
    "#);
}

#[test]
fn tokens_are_counted_in_and_out() {
    let env = world();
    metered(&env, 1000, "0");
    let result =
        env.command(CALL).arg("--max-tokens").arg("2500").arg("--json").run().code(1).json();
    insta::assert_json_snapshot!(result["ending"], @r#"
    {
      "type": "budget",
      "kind": "tokens",
      "reason": "2,000 of 2,500 tokens used (about 1,000 per iteration)",
      "limit": "2500"
    }
    "#);
    assert_eq!(result["iterations"], 2);
}

#[test]
fn a_loop_runs_no_longer_than_it_may() {
    let env = world();
    let script = "append a.txt x\nsleep 400ms";
    let args = ["--max-duration", "1s", "--name", "mine", "--json"];
    let result = scripted(&env, script, &args).run().code(1).json();
    assert_eq!(result["ending"]["type"], "budget");
    assert_eq!(result["ending"]["kind"], "duration");
    assert!(result["iterations"].as_u64().is_some_and(|n| n <= 2), "{result}");
    let refused = env.windlass(["resume", "mine"]).code(2);
    assert!(refused.stderr.contains("give it more with `--max-duration`"), "{refused}");
    let args = ["resume", "mine", "--max-duration", "10m", "--max-iterations", "3", "-q"];
    assert_eq!(env.windlass(args).code(1).stdout, "max_iterations\n");
}

#[test]
fn an_agent_that_does_not_tell_what_it_costs_is_noted_once() {
    let env = world();
    user_config(&env, "max_cost = 1.0\n");
    let ran = scripted(&env, "append a.txt x", &["--max-iterations", "2"]).run().code(1);
    let notes: Vec<&str> = ran.stderr.lines().filter(|line| line.contains("--max-cost")).collect();
    insta::assert_snapshot!(notes.join("\n"), @"note: the agent does not tell what a session costs, so `--max-cost` cannot be held; `--max-duration` can");
}

#[test]
fn a_typed_limit_of_money_that_an_agent_cannot_exceed_is_refused() {
    let env = world();
    env.install("codex", "touch called");
    let ran = env.windlass(["iterate", "-p", "x", "--agent", "codex", "--max-cost", "5"]).code(2);
    insta::assert_snapshot!(ran.snapshot(), @"
    exit: 2
    --- stdout
    --- stderr
    error: `--max-cost` has no effect with an agent that does not report what a session costs: use `--max-tokens` or `--max-duration`

    hint: leave it out, or add what it needs
    ");
    assert!(!env.work().join("called").exists());
}

#[test]
fn limits_that_are_none_are_told_before_anything_runs() {
    let env = world();
    for (flag, value) in [
        ("--max-cost", "much"),
        ("--max-cost", "-1"),
        ("--max-tokens", "1.5"),
        ("--max-duration", "soon"),
        ("--output-decline-threshold", "120%"),
    ] {
        let ran = scripted(&env, "say x", &[&format!("{flag}={value}")]).run().code(2);
        assert!(ran.stderr.contains(flag), "{ran}");
    }
    scripted(&env, "say x", &["--output-decline-threshold", "50", "--max-iterations", "1"])
        .run()
        .code(1);
}
