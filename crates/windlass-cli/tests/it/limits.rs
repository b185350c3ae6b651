//! A provider's limit, and errors that no further try can mend: what is waited for, who goes on,
//! and what ends the loop.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use testkit::Env;

use crate::world;

const DONE: &str = r#"{"type":"result","is_error":false,"result":"<promise>COMPLETE</promise>","usage":{"input_tokens":7,"output_tokens":3}}"#;

/// Seconds since 1970, so many from now.
pub(crate) fn seconds_from_now(seconds: u64) -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("it is later than 1970");
    now.as_secs() + seconds
}

/// A `claude` that is limited until then in its first `times` sessions, and done after that.
pub(crate) fn limited_claude(env: &Env, until: u64, times: u32) {
    let limit = format!(
        r#"{{"type":"rate_limit_event","rate_limit_info":{{"status":"rejected","resetsAt":{until}}}}}
{{"type":"result","subtype":"success","is_error":true,"api_error_status":429,"result":"You've hit your session limit"}}"#
    );
    let calls = env.root().join("tmp/calls");
    let calls = calls.display();
    env.install(
        "claude",
        &format!(
            "cat > /dev/null\necho x >> {calls}\nif [ $(wc -l < {calls}) -le {times} ]; then\n\
             cat <<'END'\n{limit}\nEND\nexit 1\nfi\ncat <<'END'\n{DONE}\nEND"
        ),
    );
}

fn iterate<'a>(env: &'a Env, args: &[&'a str]) -> testkit::Invocation<'a> {
    let call = ["iterate", "-p", "mend it", "--agent", "claude"];
    env.command([call.as_slice(), args].concat())
}

#[test]
fn the_loop_waits_for_the_reset_and_the_iteration_is_not_used_up() {
    let env = world();
    limited_claude(&env, seconds_from_now(3), 1);
    let began = Instant::now();
    let ran = iterate(&env, &["--max-iterations", "1"]).run();
    assert!(began.elapsed() >= Duration::from_millis(1500), "{:?}", began.elapsed());
    insta::assert_snapshot!(ran.snapshot(), @r"
    exit: 0
    --- stdout
    Loop [name]: iterate with claude in /tmp/windlass-XXXXXX/work
    ━━━ Iteration 1 of at most 1 ━━━
    agent: limited until 0000-00-00 00:00:00 after [time]: You've hit your session limit
    Waiting for claude's limit to reset at 00:00 ([time])
    agent: finished in [time]
    claim: COMPLETE
    claim accepted: unverified, no check was given
    iteration 1: [time], no files changed
    ✓ done after 1 iteration, unverified: no check was given
      2 sessions, no checks, no files modified, 7 tokens in and 3 out, [time]
    --- stderr
      task         mend it
      agent        claude
      permissions  asks before edits and commands
      sandbox      none
      budget       none, at most 1 iteration
                   cost is what the agent reports; on a plan it is an estimate
      checks       none
    warning: claude will be denied Bash, Edit and Write: nobody answers its questions during a loop; allow them with `--skip-permissions`, best with `--sandbox auto`, or run `windlass init`
    warning: no budget: claude costs money, and only the number of iterations limits this loop; set one with `--max-cost 10` or `--max-duration [time]`
    note: no check found: claims are accepted unproven; give one with `--check CMD`
    next: windlass show [name]
    next: windlass diff [name]
    ");
    let result = env.windlass(["show", "--json"]).success().json()["result"].clone();
    assert_eq!(result["rate_limit_hit"], true);
    assert_eq!((&result["iterations"], &result["sessions"]), (&1.into(), &2.into()));
}

#[test]
fn a_wait_goes_on_to_the_same_time_after_a_kill() {
    let env = world();
    limited_claude(&env, seconds_from_now(4), 1);
    let mut running = iterate(&env, &["--name", "w"]).spawn();
    running.wait_until(Duration::from_secs(10), |stdout, _| stdout.contains("Waiting for"));
    let waits = "SELECT count(*), count(DISTINCT json_extract(body, '$.step.until')) FROM events
                 WHERE type = 'step_started' AND json_extract(body, '$.step.type') = 'wait'";
    running.kill9();
    env.windlass(["resume", "w", "-q"]).success();
    assert_eq!(env.sql(waits), "2|1\n");
    assert_eq!(env.sql("SELECT count(*) FROM sessions"), "2\n");
}

#[test]
fn a_wait_is_called_off_at_once() {
    let env = world();
    limited_claude(&env, seconds_from_now(3000), 1);
    let mut running = iterate(&env, &["--name", "w"]).spawn();
    running.wait_until(Duration::from_secs(10), |stdout, _| stdout.contains("Waiting for"));
    let status = env.windlass(["status", "w"]).success().stdout;
    assert!(status.contains("Waiting for claude's limit to reset at"), "{status}");
    let began = Instant::now();
    env.windlass(["cancel", "w"]).success();
    assert!(began.elapsed() < Duration::from_secs(2), "{:?}", began.elapsed());
    running.wait().code(143);
}

#[test]
fn stop_ends_the_loop_and_a_resume_tries_again() {
    let env = world();
    limited_claude(&env, seconds_from_now(3000), 1);
    let ran = iterate(&env, &["--on-limit", "stop", "--name", "w"]).run();
    insta::assert_snapshot!(ran.snapshot(), @r"
    exit: 5
    --- stdout
    Loop w: iterate with claude in /tmp/windlass-XXXXXX/work
    ━━━ Iteration 1 of at most 20 ━━━
    agent: limited until 0000-00-00 00:00:00 after [time]: You've hit your session limit
    ✗ stopped after 1 iteration by the limit of claude, which resets at 0000-00-00 00:00:00
      1 session, no checks, no files modified, [time]
    --- stderr
      task         mend it
      agent        claude
      permissions  asks before edits and commands
      sandbox      none
      budget       none, at most 20 iterations
                   cost is what the agent reports; on a plan it is an estimate
      checks       none
    warning: claude will be denied Bash, Edit and Write: nobody answers its questions during a loop; allow them with `--skip-permissions`, best with `--sandbox auto`, or run `windlass init`
    warning: no budget: claude costs money, and only the number of iterations limits this loop; set one with `--max-cost 10` or `--max-duration [time]`
    note: no check found: claims are accepted unproven; give one with `--check CMD`
    next: windlass resume w
    next: windlass log w
    ");
    let result = env.windlass(["show", "w", "--json"]).success().json()["result"].clone();
    assert_eq!(result["ending"]["type"], "limited");
    assert_eq!(env.windlass(["resume", "w", "-q"]).success().stdout, "done\n");
    assert_eq!(env.sql("SELECT count(*) FROM iterations"), "1\n");
}

#[test]
fn a_reset_that_is_too_far_away_is_not_waited_for() {
    let env = world();
    limited_claude(&env, seconds_from_now(3000), 1);
    let ran = iterate(&env, &["--max-wait", "10m", "-q"]).run().code(5);
    assert_eq!(ran.stdout, "limited\n");
}

#[test]
fn another_agent_goes_on_while_the_first_is_limited() {
    let env = world();
    limited_claude(&env, seconds_from_now(3000), 9);
    env.install("codex", "cat > /dev/null; cat <<'END'
{\"type\":\"thread.started\",\"thread_id\":\"t\"}
{\"type\":\"item.completed\",\"item\":{\"id\":\"1\",\"type\":\"agent_message\",\"text\":\"<promise>COMPLETE</promise>\"}}
{\"type\":\"turn.completed\",\"usage\":{\"input_tokens\":1,\"cached_input_tokens\":0,\"output_tokens\":1}}
END");
    let args =
        ["--on-limit", "fallback", "--fallback-agent", "codex", "-q", "--check", "test -f x"];
    iterate(&env, &[args.as_slice(), &["--max-iterations", "2"]].concat()).run().code(1);
    // The first one is not asked again before its limit has reset.
    assert_eq!(
        env.sql("SELECT iteration, agent FROM sessions ORDER BY id"),
        "1|claude\n1|codex\n2|codex\n"
    );
}

#[test]
fn fallback_needs_another_agent_that_is_known_and_installed() {
    let env = world();
    limited_claude(&env, seconds_from_now(3000), 9);
    let none = iterate(&env, &["--on-limit", "fallback"]).run().code(2);
    assert!(none.stderr.contains("--fallback-agent NAME"), "{}", none.stderr);
    let args = ["--on-limit", "fallback", "--fallback-agent"];
    iterate(&env, &[args.as_slice(), &["codx"]].concat()).run().code(2);
    iterate(&env, &[args.as_slice(), &["codex"]].concat()).run().code(4);
    assert_eq!(env.windlass(["list", "-q"]).stdout, "");
}

#[test]
fn what_cannot_succeed_is_not_tried_again() {
    for (status, error) in
        [(401, "Invalid API key"), (404, "model: no-such-model"), (400, "bad request")]
    {
        let env = world();
        env.install("claude", &format!("cat > /dev/null; echo '{{\"type\":\"result\",\"is_error\":true,\"api_error_status\":{status},\"result\":\"API Error: {status} {error}\"}}'; exit 1"));
        let ran = iterate(&env, &[]).run().code(5);
        assert!(ran.stdout.contains(error), "{}", ran.stdout);
        assert_eq!(env.sql("SELECT count(*) FROM sessions"), "1\n", "{status}");
        assert_eq!(
            env.windlass(["show", "--json"]).json()["result"]["ending"]["type"],
            "agent_failed"
        );
    }
}

#[test]
fn a_server_that_is_overloaded_is_tried_again() {
    let env = world();
    env.install("claude", "cat > /dev/null; echo '{\"type\":\"result\",\"is_error\":true,\"api_error_status\":529,\"result\":\"API Error: 529 Overloaded\"}'; exit 1");
    iterate(&env, &["-q", "--failure-threshold", "2"]).run().code(5);
    assert_eq!(env.sql("SELECT count(*) FROM sessions"), "2\n");
}
