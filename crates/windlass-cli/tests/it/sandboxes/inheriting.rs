//! What the programs that windlass starts have of what windlass itself was started with.

use std::fs;

use testkit::Env;

use super::has_sandbox;
use crate::{COMPLETE, shell, world};

/// Calls windlass from a shell that holds a secret open.
fn from_a_shell(env: &Env, body: &str, args: &[&str]) -> testkit::Ran {
    let secret = env.root().join("secret");
    fs::write(&secret, "canary\n").expect("the folder is ours");
    let agent = env.agent_sh(body);
    let line = format!("exec 7<{0} 8<{0} 29<{0}; exec \"$@\"", secret.display());
    env.other("bash", ["-c", &line, "bash"])
        .arg(env.program())
        .args(["iterate", "-p", "x", "-c"])
        .arg(agent)
        .args(args)
        .run()
}

#[test]
fn nothing_that_a_shell_has_open_is_open_in_an_agent_a_check_or_git() {
    // Standard streams, and what the look itself takes.
    let look = "ls /proc/self/fd | grep -vx '[0123]'; cat <&7";
    for sandbox in ["none", "bwrap", "landlock"] {
        let env = world();
        if !has_sandbox(&env, sandbox) {
            continue;
        }
        let seen = env.root().join("tmp/seen");
        let by_git = format!("ls /proc/self/fd >> {}; exec /usr/bin/git \"$@\"", seen.display());
        env.install("git", &by_git);
        let body = format!("({look}) > by-agent 2>/dev/null; echo '{COMPLETE}'");
        let check = format!("({look}) > by-check 2>/dev/null; true");
        let args = ["--sandbox", sandbox, "--check", &check];
        from_a_shell(&env, &body, &args).success();
        for by in ["by-agent", "by-check"] {
            assert_eq!(env.read(by), "", "{sandbox}: {by}");
        }
        let by_git = fs::read_to_string(&seen).unwrap_or_default();
        let leaked = by_git.lines().filter(|line| ["7", "8", "29"].contains(line)).count();
        assert_eq!(leaked, 0, "{sandbox}: {by_git}");
    }
}

#[test]
fn a_session_in_a_sandbox_can_still_run_threads_pipes_and_interpreters() {
    for sandbox in ["bwrap", "landlock"] {
        let env = world();
        if !has_sandbox(&env, sandbox) {
            continue;
        }
        // The filter of system calls and the missing rights must not be felt.
        let body = format!(
            "set -e\n\
             (echo a; echo b) | sort -r > /dev/null; echo x > /dev/stderr\n\
             git log -1 --format=%h | tee /dev/stdout > out; mkfifo pipe; rm pipe\n\
             python3 -c 'import threading as t, subprocess as s\n\
t = [t.Thread(target=s.run, args=([\"true\"],)) for _ in range(8)]\n\
[x.start() for x in t]; [x.join() for x in t]'\n\
             echo '{COMPLETE}'"
        );
        shell(&env, &body, &["--sandbox", sandbox]).run().success();
    }
}
