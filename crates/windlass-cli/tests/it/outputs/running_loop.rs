//! A running loop: followed from another terminal, cancelled, and ended by signals.

use std::time::Duration;

use serde_json::{Value, json};
use testkit::{Signal, wait_until};

use crate::{scripted, shell, world};

const LIMIT: Duration = Duration::from_secs(30);

#[test]
fn a_running_loop_can_be_followed_looked_at_and_called_off() {
    let env = world();
    let script = "say one\nnext\nsay two\nhang";
    let running = scripted(&env, script, &["--name", "mine", "--json", "--grace", "1s"]).spawn();
    let mut log = env.command(["log", "mine", "--follow"]);
    wait_until("the loop is stored", LIMIT, || {
        env.windlass_home().join("windlass.db").exists()
            && env.command(["status", "mine"]).run().code == Some(0)
    });
    log = log.limit(LIMIT);
    let mut following = log.spawn();
    following.wait_until(LIMIT, |out, _| out.contains("two"));
    let status = env.windlass(["status", "mine", "--json"]).success().json();
    assert_eq!(status["ending"], json!({"type": "running"}));
    assert_eq!(status["iterations"], 2);
    let later = env.windlass(["status", "mine", "--json"]).success().json();
    let took = |status: &Value| status["duration_ms"].as_u64().unwrap();
    assert!(took(&later) > took(&status), "the time goes on: {later}");
    let result = env.windlass(["show", "mine", "--json"]).success().json()["result"].clone();
    assert_eq!((&result["exit_code"], &result["success"]), (&Value::Null, &json!(false)));
    let busy = shell(&env, "true", &["--max-iterations", "1"]).run();
    insta::assert_snapshot!(busy.snapshot(), @"
    exit: 4
    --- stdout
    --- stderr
    error: `/tmp/windlass-XXXXXX/work` is in use by the loop mine

    hint: wait for it, or end it with `windlass cancel mine`
    hint: or give this loop a tree of its own with `--worktree BRANCH`
    ");
    insta::assert_snapshot!(env.windlass(["resume", "mine"]).code(4).masked_stderr().replace(&running.pid().to_string(), "[pid]"), @"
    error: the loop mine is run by process [pid]

    hint: look at it with `windlass status mine`, end it with `windlass cancel mine`
    hint: if that process hangs, take it over with `windlass resume mine --take-over`
    ");
    insta::assert_snapshot!(env.windlass(["cancel", "mine"]).snapshot(), @"
    exit: 0
    --- stdout
    mine is cancelled, and nothing of it runs any more
    --- stderr
    hint: to go on: windlass resume mine
    ");
    let ended = running.wait().code(143);
    assert_eq!(ended.json()["ending"], json!({"type": "cancelled", "by": "request"}));
    let last = env.windlass(["show", "mine", "--json"]).success().json();
    assert_eq!(
        (&last["iterations"][1]["claim"], &last["sessions"][1]["status"]),
        (&json!("cut_off"), &json!("cancelled"))
    );
    let log = following.wait().success();
    assert!(log.stdout.contains("  │ one\n") && log.stdout.contains("cancelled"), "{log}");
}

#[test]
fn cancel_after_the_iteration_lets_it_come_to_its_end() {
    let env = world();
    let script = "say one\nsleep 2s\nwrite a.txt done";
    let mut running = scripted(&env, script, &["--name", "mine"]).spawn();
    running.wait_until(LIMIT, |out, _| out.contains("Iteration 1"));
    let ran = env.windlass(["cancel", "mine", "--after-iteration"]).success();
    insta::assert_snapshot!(ran.snapshot(), @"
    exit: 0
    --- stdout
    mine will stop when its iteration is over
    --- stderr
    hint: to go on: windlass resume mine
    ");
    let ended = running.wait().code(143);
    assert!(ended.stdout.contains("iteration 1: "), "{ended}");
    assert_eq!(env.read("a.txt"), "done");
    assert_eq!(env.sql("SELECT count(*) FROM iterations"), "1\n");
}

#[test]
fn signals_have_their_exit_codes() {
    for (signal, code, by) in
        [(Signal::INT, 130, "sigint"), (Signal::TERM, 143, "sigterm"), (Signal::HUP, 129, "sighup")]
    {
        let env = world();
        let running = shell(&env, "touch up; exec sleep 60", &["--json", "--grace", "1s"]).spawn();
        wait_until("the agent starts", LIMIT, || env.work().join("up").exists());
        running.signal(signal);
        let ran = running.wait().code(code);
        assert_eq!(ran.json()["ending"], json!({"type": "cancelled", "by": by}));
        assert!(ran.stderr.contains("next: windlass resume "), "{ran}");
    }
}
