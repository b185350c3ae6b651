//! Paid overage is a limit unless the user wants to spend. The agent plays what the real Claude
//! Code printed when its plan was used up and extra usage was paid for.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use testkit::Env;

use crate::{
    recorded::{play, recorded},
    world,
};

/// The time of reset in the recording.
const RESET: &str = "1893456000";

fn iterate<'a>(env: &'a Env, args: &[&'a str]) -> testkit::Invocation<'a> {
    let call = ["iterate", "-p", "fix it", "--agent", "claude"];
    env.command([call.as_slice(), args].concat())
}

/// A recording in which the plan has room again so many seconds from now.
fn overage_for(seconds: u64) -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("it is later than 1970");
    let reset = (now.as_secs() + seconds).to_string();
    recorded("claude", "overage").replace(RESET, &reset)
}

#[test]
fn the_session_goes_on_to_its_end_its_claim_is_judged_and_then_the_limit_holds() {
    let env = world();
    play(&env, "claude", &[&recorded("claude", "overage")], "");
    let ran = iterate(&env, &["--check", "false", "--on-limit", "stop", "--name", "w"]).run();
    insta::assert_snapshot!(ran.snapshot());
    let result = env.windlass(["show", "--json"]).success().json()["result"].clone();
    assert_eq!((&result["iterations"], &result["sessions"]), (&1.into(), &1.into()));
    assert_eq!(result["ending"]["type"], "limited", "{result}");
    assert_eq!(result["rate_limit_hit"], true);
    let resumed =
        env.windlass(["resume", "w", "--overage", "spend", "--max-iterations", "2", "-q"]);
    resumed.code(1);
    assert_eq!(env.sql("SELECT count(*) FROM sessions"), "2\n");
}

#[test]
fn a_claim_that_is_proven_ends_the_loop_before_the_limit_does() {
    let env = world();
    play(&env, "claude", &[&recorded("claude", "overage")], "");
    let ran = iterate(&env, &["--check", "true", "--on-limit", "stop", "--json"]).run().success();
    assert_eq!(ran.json()["verified"], true);
    assert!(env.windlass(["log"]).success().stdout.contains("paid overage"));
}

#[test]
fn the_loop_waits_until_the_plan_has_room_again() {
    let env = world();
    play(&env, "claude", &[&overage_for(3), &recorded("claude", "background-done")], "");
    let began = Instant::now();
    let args = ["--check", "test $(ls ../tmp/claude/prompt.* | wc -l) = 2", "--json"];
    let result = iterate(&env, &args).run().success().json();
    assert!(began.elapsed() >= Duration::from_millis(1500), "{:?}", began.elapsed());
    assert_eq!((&result["iterations"], &result["sessions"]), (&2.into(), &2.into()), "{result}");
    assert_eq!(result["rate_limit_hit"], true, "{result}");
}

#[test]
fn with_spend_the_loop_goes_on_and_tells_of_it_once() {
    let env = world();
    play(&env, "claude", &[&recorded("claude", "overage")], "");
    let args = ["--check", "false", "--max-iterations", "3", "--overage", "spend"];
    let ran = iterate(&env, &args).run().code(1);
    let told = ran.stdout.matches("goes on, because of `--overage spend`").count();
    let told = told + ran.stderr.matches("goes on, because of `--overage spend`").count();
    assert_eq!(told, 1, "{ran}");
    assert_eq!(env.sql("SELECT count(*) FROM sessions"), "3\n");
}

#[test]
fn without_a_time_of_reset_it_is_waited_for_like_a_limit_without_one() {
    let env = world();
    play(&env, "claude", &[&recorded("claude", "overage-no-reset")], "");
    let ran = iterate(&env, &["--check", "false", "--max-wait", "30s", "--json"]).run().code(5);
    let result = ran.json();
    assert_eq!(result["ending"], serde_json::json!({"type": "limited", "agent": "claude"}));
    assert_eq!(result["sessions"], 1);
    let mut running = iterate(&env, &["--check", "false", "--name", "w"]).spawn();
    running
        .wait_until(Duration::from_secs(20), |stdout, _| stdout.contains("Waiting for claude's"));
    env.windlass(["cancel", "w"]).success();
    running.wait().code(143);
}

#[test]
fn another_agent_goes_on_with_fallback() {
    let env = world();
    play(&env, "claude", &[&recorded("claude", "overage")], "");
    play(&env, "codex", &[&recorded("codex", "background-done")], "");
    let check = "test $(ls ../tmp/codex/prompt.* 2>/dev/null | wc -l) = 1";
    let args = ["--on-limit", "fallback", "--fallback-agent", "codex", "--json", "--check", check];
    let result = iterate(&env, &args).run().success().json();
    assert_eq!((&result["iterations"], &result["sessions"]), (&2.into(), &2.into()), "{result}");
}

#[test]
fn the_flag_is_never_refused_for_having_no_effect() {
    let env = world();
    env.windlass(["iterate", "-p", "x", "-c", "true", "--overage", "spend", "-q", "--promise", ""])
        .success();
}
