//! `--detach`: a loop that outlives its terminal, and everything that is said before it begins.

use std::time::Duration;

use testkit::{Env, Invocation, Signal, processes, wait_until};

use crate::{COMPLETE, world};

const LIMIT: Duration = Duration::from_secs(30);

fn detached<'a>(env: &'a Env, script: &str, args: &[&str]) -> Invocation<'a> {
    let call = env.command(["iterate", "-p", "Fix it.", "--agent", "scripted", "--detach"]);
    call.args(["--check", "true", "--script"]).arg(env.script(script)).args(args)
}

fn ends(env: &Env, name: &str, ending: &str) {
    wait_until("the loop ends", LIMIT, || {
        let status = env.windlass(["status", name, "--json"]).success().json();
        status["ending"]["type"] == ending
    });
}

#[test]
fn a_detached_loop_is_named_and_goes_on() {
    let env = world();
    let ran = detached(&env, &format!("sleep 2s\nsay {COMPLETE}"), &["--name", "mine"]).run();
    let ran = ran.success();
    assert_eq!(ran.stdout, "mine\n");
    insta::assert_snapshot!(ran.masked_stderr(), @r"
      task         Fix it.
      agent        scripted
      sandbox      none
      budget       none, at most 20 iterations
      checks       `true`
    next: windlass log --follow mine
    ");
    let status = env.windlass(["status", "mine", "--json"]).success().json();
    assert_eq!(status["ending"]["type"], "running");
    ends(&env, "mine", "done");
}

#[test]
fn it_is_in_a_session_of_its_own_and_a_hangup_does_not_reach_it() {
    let env = world();
    let call = detached(&env, "sleep 60s", &["--name", "mine"]);
    call.under(["setsid", "-w"]).run().success();
    let owner = env.sql("SELECT owner_pid FROM loops");
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", owner.trim())).unwrap();
    let session = stat.rsplit(") ").next().unwrap().split(' ').nth(3).unwrap();
    assert_eq!(session, owner.trim(), "it leads its session");
    for stream in ["0", "1", "2"] {
        let leads = std::fs::read_link(format!("/proc/{}/fd/{stream}", owner.trim())).unwrap();
        let leads = leads.display().to_string();
        assert!(leads == "/dev/null" || leads.ends_with("(deleted)"), "{leads}");
    }
    env.windlass(["cancel", "mine"]).success();
}

#[test]
fn programs_get_the_object_of_list() {
    let env = world();
    let ran = detached(&env, &format!("say {COMPLETE}"), &["--json", "--name", "mine"]).run();
    let ran = ran.success();
    let object = ran.json();
    assert_eq!(object["name"], "mine");
    assert_eq!(object["max_iterations"], 20);
    assert!(ran.stderr.ends_with("next: windlass log --follow mine\n"), "{ran}");
    assert!(!ran.stderr.contains("  task  "), "{ran}");
    ends(&env, "mine", "done");
    let listed = env.windlass(["list", "--json"]).success().json();
    let keys = |value: &serde_json::Value| -> Vec<String> {
        value.as_object().unwrap().keys().cloned().collect()
    };
    assert_eq!(keys(&object), keys(&listed[0]));
}

#[test]
fn what_cannot_start_is_said_before_it_returns() {
    let env = world();
    let ran = env.windlass(["iterate", "-p", "x", "-c", "no-such-program", "--detach"]).code(4);
    assert!(ran.stderr.contains("no program `no-such-program` was found"), "{ran}");
    assert_eq!(ran.stdout, "");
    let ran = env.command(["iterate", "-p", "x", "-c", "true", "--detach", "--check"]);
    let ran = ran.arg("no-such-check").run().code(2);
    assert!(ran.stderr.contains("no-such-check"), "{ran}");
    env.windlass(["resume", "nobody", "--detach"]).code(2);
    for output in [&["--tui"][..], &["-v"], &["--jsonl"], &["--format", "x"]] {
        let ran = env.command(["iterate", "-p", "x", "-c", "true", "--detach"]).args(output);
        ran.run().code(2);
    }
    assert_eq!(env.sql("SELECT count(*) FROM loops"), "0\n");
}

#[test]
fn the_prompt_may_come_from_standard_input() {
    let env = world();
    let call = env.command(["iterate", "--prompt-file", "-", "--agent", "scripted", "--detach"]);
    let call = call.args(["--name", "mine", "--check", "true", "--script"]);
    let call = call.arg(env.script(&format!("say {COMPLETE}"))).stdin("Fix this.\n");
    call.run().success();
    ends(&env, "mine", "done");
    assert_eq!(env.windlass(["list", "--json"]).success().json()[0]["task"], "Fix this.");
}

#[test]
fn a_loop_is_resumed_detached() {
    let env = world();
    let script = env.script(&format!("say no\nnext\nsleep 1s\nsay {COMPLETE}"));
    let start = env.command(["iterate", "-p", "x", "--agent", "scripted", "--max-iterations", "1"]);
    start.args(["--name", "mine", "--check", "true", "--script"]).arg(script).run().code(1);
    let ran = env.windlass(["resume", "mine", "--max-iterations", "2", "--detach"]).success();
    assert_eq!(ran.stdout, "mine\n");
    assert!(ran.stderr.ends_with("next: windlass log --follow mine\n"), "{ran}");
    ends(&env, "mine", "done");
}

#[test]
fn ctrl_c_before_the_loop_is_stored_leaves_nothing_running() {
    for (signal, code) in [(Signal::INT, 130), (Signal::TERM, 143)] {
        let env = world();
        // The loop is not stored before git has answered.
        let slow = format!("sleep 61{code}");
        env.install("git", &format!("exec {slow}"));
        let asked = || processes::all().into_iter().filter(|one| one.command == slow).count();
        let mut run = detached(&env, &format!("say {COMPLETE}"), &["--name", "mine"]).spawn();
        wait_until("the loop is being prepared", LIMIT, || asked() > 0);
        assert!(run.is_running(), "{}", run.stderr());
        run.signal(signal);
        let ran = run.wait().code(code);
        assert_eq!(ran.stdout, "");
        assert_eq!(ran.stderr, "interrupted before the loop began: nothing runs\n");
        wait_until("nothing runs", LIMIT, || asked() == 0 && env.processes().is_empty());
        assert_eq!(env.sql("SELECT count(*) FROM loops"), "0\n");
    }
}

#[test]
fn every_kind_of_loop_can_be_detached() {
    for kind in ["iterate", "tasks", "develop", "heal", "pr", "resume"] {
        let help = world().windlass([kind, "--help"]).success().stdout;
        assert!(help.contains("--detach"), "{kind}");
    }
}
