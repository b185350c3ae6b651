//! How what runs in a sandbox ends: by itself, when asked, and when windlass is killed.

use testkit::{Env, Signal, wait_until};

use super::has_bwrap;
use crate::{
    oracle::{LIMIT, standing, wait_for_lines, wait_until_quiet},
    shell, world,
};

/// An agent that notes that it runs, and then waits; on TERM it notes that too.
fn waiting(env: &Env) -> (std::path::PathBuf, std::path::PathBuf, String) {
    let (ran, ended) = (env.work().join("ran"), env.work().join("ended"));
    let body = "trap 'echo ended >> ended; exit 0' TERM; echo ran >> ran\n\
                while :; do sleep 0.1; done";
    (ran, ended, env.agent_sh(body).display().to_string())
}

#[test]
fn kill_9_leaves_nothing_of_a_sandbox() {
    if !has_bwrap() {
        return;
    }
    let env = world();
    let (ran, _, agent) = waiting(&env);
    let args = ["iterate", "-p", "x", "--sandbox", "bwrap", "-c", &agent];
    let running = env.command(args).spawn();
    wait_for_lines(&ran, 1);
    running.kill9();
    wait_until_quiet(&env);
    assert_eq!(standing(&env), "interrupted");

    // And when it is the guardian that dies, the sandbox dies with it.
    let running = env.command(["resume"]).spawn();
    wait_for_lines(&ran, 2);
    let guardian =
        env.processes().into_iter().find(|one| one.command.contains("__windlass-guardian"));
    let guardian = guardian.or_else(|| {
        let mut all = testkit::processes::all().into_iter();
        all.find(|one| one.parent == running.pid() && one.command.contains("__windlass-guardian"))
    });
    let guardian = guardian.expect("a loop has a guardian");
    let pid = rustix::process::Pid::from_raw(guardian.pid).unwrap();
    rustix::process::kill_process(pid, Signal::KILL).unwrap();
    let inside = || env.processes().iter().any(|one| one.command.contains("agent-"));
    wait_until("the agent is gone", LIMIT, || !inside());
    drop(running.kill9());
    wait_until_quiet(&env);
}

#[test]
fn an_agent_in_a_sandbox_is_asked_to_end_before_it_is_killed() {
    if !has_bwrap() {
        return;
    }
    let env = world();
    let (ran, ended, agent) = waiting(&env);
    let args = ["iterate", "-p", "x", "--sandbox", "bwrap", "-c", &agent];
    let running = env.command(args).spawn();
    wait_for_lines(&ran, 1);
    running.signal(Signal::INT);
    running.wait().code(130);
    assert!(ended.exists(), "it was killed at once");
    wait_until_quiet(&env);
}

#[test]
fn exit_codes_and_signals_come_out_of_a_sandbox() {
    if !has_bwrap() {
        return;
    }
    for (body, told) in [
        ("exit 7", r#"{"type":"crashed","code":7}"#),
        ("kill -SEGV $$", r#"{"type":"crashed","signal":11}"#),
    ] {
        let env = world();
        let args = ["--sandbox", "bwrap", "--failure-threshold", "1"];
        shell(&env, body, &args).run().code(5);
        assert_eq!(env.sql("SELECT outcome FROM sessions"), format!("{told}\n"));
    }
}
