//! A system that has no room for one more process: windlass says so, begins nothing that it cannot
//! do, and a loop that is under way takes it as a failed session.

use std::{
    fs,
    os::unix::fs::{PermissionsExt, chown},
    path::Path,
};

use testkit::{Background, Env, Ran, has, pass_by, processes::descendants_of, wait_until};

use crate::{
    oracle::{
        CLAIM, LIMIT, aside, assert_sound, has_store, lines, number, wait_for_lines,
        wait_until_quiet,
    },
    world,
};

/// Every way of the C library to make a process.
const NEW_PROCESS: &str = "?clone,?clone3,?vfork,?fork";

/// A user who has no other processes that would count.
const SOMEBODY: u32 = 64_321;

/// Nothing was begun: there is no loop, and nothing of windlass in the work tree.
#[track_caller]
fn assert_nothing_begun(env: &Env, ran: &Ran) {
    if has_store(env) {
        assert_eq!(env.sql("SELECT count(*) FROM loops"), "0\n", "{ran}");
    }
    assert_eq!(env.git(["status", "--porcelain", "--ignored"]), "", "{ran}");
    wait_until_quiet(env);
}

fn may_trace(ran: &Ran) -> bool {
    let may = !ran.stderr.contains("Operation not permitted");
    if !may {
        pass_by("strace may not trace here");
    }
    may
}

#[test]
fn a_loop_that_cannot_have_its_guardian_is_not_begun() {
    if !has("strace") {
        return;
    }
    // A want of processes is waited for, so it has to last.
    for (error, when, what) in [("ENOMEM", "1", "memory"), ("EAGAIN", "1+", "processes")] {
        let env = world();
        let script = env.script(&format!("say {CLAIM}\n")).display().to_string();
        let start = ["iterate", "-p", "x", "--agent", "scripted", "--script", &script];
        let inject = format!("inject={NEW_PROCESS}:error={error}:when={when}");
        let ran = env.command(start).under(["strace", "-o", "/dev/null", "-e", &inject]).run();
        if !may_trace(&ran) {
            return;
        }
        let ran = ran.code(4);
        assert!(ran.stderr.contains(&format!("the system is out of {what}")), "{ran}");
        assert_nothing_begun(&env, &ran);
        drop(env.windlass(start).success());
    }
}

/// Lets the next process fail that the guardian of `running` makes.
fn fail_the_next_process(env: &Env, running: &Background, error: &str) -> Background {
    let mut found = descendants_of(running.pid()).into_iter();
    let guardian = found.find(|found| found.command.contains("__windlass-guardian"));
    let guardian = guardian.expect("every loop has one").pid;
    let inject = format!("inject={NEW_PROCESS}:error={error}:when=1");
    let tracer = env.other("strace", ["-o", "/dev/null", "-e", &inject, "-p"]);
    let tracer = tracer.arg(guardian.to_string()).spawn();
    let traced = || {
        let status = fs::read_to_string(format!("/proc/{guardian}/status")).unwrap_or_default();
        status.lines().any(|line| line.starts_with("TracerPid:") && !line.ends_with("\t0"))
    };
    wait_until("the guardian to be traced", LIMIT, traced);
    tracer
}

#[test]
fn an_agent_that_the_system_has_no_room_for_is_a_failed_session_and_called_again() {
    if !has("strace") {
        return;
    }
    for (error, what) in [("ENOMEM", "memory"), ("EAGAIN", "processes")] {
        // Outside git nothing but the agent is started.
        let env = Env::outside_git(env!("CARGO_BIN_EXE_windlass"));
        let (ran, go) = (aside(&env, "ran"), aside(&env, "go"));
        let agent = env.agent_sh(&format!(
            "echo run >> {ran}; until [ -e {go} ]; do sleep 0.05; done
             [ $(wc -l < {ran}) -lt 2 ] || echo '{CLAIM}'",
            ran = ran.display(),
            go = go.display()
        ));
        let agent = agent.display().to_string();
        let running = env.command(["iterate", "-p", "x", "-c", &agent, "--json"]).spawn();
        wait_for_lines(&ran, 1);
        let tracer = fail_the_next_process(&env, &running, error);
        fs::write(go, "").unwrap();
        let result = running.wait().success().json();
        assert!(may_trace(&tracer.wait()));
        assert_eq!(result["ending"]["type"], "done");
        assert_eq!((lines(&ran), &result["iterations"]), (2, &3.into()));
        let told = env.sql("SELECT status, problem FROM sessions WHERE iteration = 2");
        assert_eq!(told, format!("failed|the system is out of {what}\n"));
        assert_sound(&env);
    }
}

/// Gives all that is below a folder to a user.
fn give(path: &Path, user: u32) {
    chown(path, Some(user), Some(user)).expect("root may");
    if path.is_dir() && !path.is_symlink() {
        fs::read_dir(path).expect("root may").flatten().for_each(|entry| give(&entry.path(), user));
    }
}

#[test]
fn a_want_of_processes_that_is_over_after_seconds_ends_no_loop() {
    if !has("setpriv") || !has("prlimit") {
        return;
    }
    if !rustix::process::geteuid().is_root() {
        return pass_by("only root can become a user whose processes are counted alone");
    }
    let env = world();
    let [go, full, ran] = ["go", "full", "ran"].map(|name| env.root().join("tmp").join(name));
    // The first session ends when there are too many processes for windlass to start another.
    let agent = env.agent_sh(&format!(
        "echo run >> {ran}; touch {go}; until [ -e {full} ]; do sleep 0.02; done
         date +%N > file; [ $(wc -l < {ran}) -lt 2 ] || echo '{CLAIM}'",
        ran = ran.display(),
        go = go.display(),
        full = full.display()
    ));
    let hog = format!(
        "until [ -e {go} ]; do sleep 0.02; done
         for i in $(seq 80); do sleep 3 & done; touch {full}; wait",
        go = go.display(),
        full = full.display()
    );
    let program = env.root().join("bin/windlass");
    fs::copy(env.program(), &program).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    give(env.root(), SOMEBODY + 1);
    let user = (SOMEBODY + 1).to_string();
    let become_them = ["setpriv", "--reuid", &user, "--regid", &user, "--clear-groups"];
    let hog = env.other("sh", ["-c", &hog]).under(become_them).spawn();
    let agent = agent.display().to_string();
    let start = ["iterate", "-p", "x", "-c", &agent, "--check", "test -e file", "--json"];
    let call = env.other(&program, start).under(["prlimit", "--nproc=60:60"]).under(become_them);
    let result = call.run().success().json();
    hog.wait().success();
    assert_eq!((&result["ending"]["type"], &result["verified"]), (&"done".into(), &true.into()));
    assert!(result["duration_ms"].as_u64().unwrap() > 2000, "it had to wait: {result}");
    assert_sound(&env);
}

#[test]
fn however_few_processes_a_user_may_have_it_is_told_and_nothing_breaks() {
    if !has("setpriv") || !has("prlimit") {
        return;
    }
    if !rustix::process::geteuid().is_root() {
        return pass_by("only root can become a user whose processes are counted alone");
    }
    let env = world();
    let script = env.script(&format!("append log 1\\n\nsay {CLAIM}\n")).display().to_string();
    // The folder that tests are built in may be closed to others.
    let program = env.root().join("bin/windlass");
    fs::copy(env.program(), &program).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    give(env.root(), SOMEBODY);
    let user = SOMEBODY.to_string();
    let (mut refused, mut done) = (0, 0);
    for most in [1, 2, 4, 6, 9, 16, 24, 48] {
        let before = if has_store(&env) { number(&env, "SELECT count(*) FROM loops") } else { 0 };
        let start = ["iterate", "-p", "x", "--agent", "scripted", "--script", &script];
        let limit = format!("--nproc={most}:{most}");
        let become_them = ["setpriv", "--reuid", &user, "--regid", &user, "--clear-groups"];
        let call = env.other(&program, start).under(["prlimit", &limit]).under(become_them);
        let ran = call.run();
        match ran.code {
            Some(0) => done += 1,
            Some(1 | 3 | 4) => {
                let said = format!("{}{}", ran.stdout, ran.stderr);
                assert!(said.contains("out of processes"), "{most}: {ran}");
                refused += 1;
            }
            _ => panic!("{most}: {ran}"),
        }
        wait_until_quiet(&env);
        if most == 1 && has_store(&env) {
            assert_eq!(number(&env, "SELECT count(*) FROM loops"), before, "{ran}");
        }
    }
    assert!(refused > 0 && done > 0, "{refused} refused, {done} done");
    assert_sound(&env);
}
