//! A panic of windlass itself: it is told as a bug, the terminal is given back, nothing of the loop
//! goes on running, and the loop can be taken up again.

use std::fs;

use testkit::{Env, Signal, has, pass_by, processes::Process, wait_until};

use crate::{
    oracle::{
        CLAIM, LIMIT, aside, assert_sound, lines, standing, wait_for_lines, wait_until_quiet,
    },
    world,
};

/// An agent that leaves a daemon behind, waits for a word, and claims.
fn agent(env: &Env) -> String {
    let (ran, go) = (aside(env, "ran"), aside(env, "go"));
    let body = format!(
        "echo run >> {ran}; [ -e {go} ] || {{ setsid sleep 300 & sleep 300; }}; echo '{CLAIM}'",
        ran = ran.display(),
        go = go.display()
    );
    env.agent_sh(&body).display().to_string()
}

/// The process that runs the loop.
fn windlass(env: &Env) -> Process {
    let program = env.program().display().to_string();
    let mut found = env.processes().into_iter().filter(|found| found.command.starts_with(&program));
    found.next().expect("it runs")
}

/// Makes the next wait of the program for news fail, which its runtime answers with a panic.
/// Whether that can be done here.
fn break_it(env: &Env) -> bool {
    let inject = "inject=?epoll_wait,?epoll_pwait:error=EBADF";
    let pid = windlass(env).pid.to_string();
    let traced = env.other("strace", ["-o", "/dev/null", "-e", inject, "-p", &pid]).run();
    let may = !traced.stderr.contains("Operation not permitted");
    if !may {
        pass_by("strace may not trace here");
    }
    may
}

#[test]
fn a_panic_gives_the_terminal_back_and_leaves_a_loop_that_can_go_on() {
    if !has("tmux") || !has("strace") {
        return;
    }
    let env = world();
    let (ran, agent) = (aside(&env, "ran"), agent(&env));
    let terminal = env.terminal(["iterate", "-p", "x", "-c", &agent, "--name", "mine"]);
    terminal.wait_for("agent running", LIMIT);
    wait_for_lines(&ran, 1);
    if !break_it(&env) {
        return;
    }
    let screen = terminal.wait_for("[exit 70]", LIMIT);
    assert!(!screen.contains("agent running"), "half a frame is left:\n{screen}");
    let mut shown = screen.lines().skip_while(|line| !line.starts_with("error:"));
    assert!(shown.next().is_some_and(|line| line.contains("windlass has a bug")), "{screen}");
    let hints: Vec<&str> = shown.filter(|line| line.starts_with("hint:")).collect();
    assert_eq!(hints.len(), 2, "{screen}");
    assert!(hints[1].contains("`windlass resume` goes on with a loop that ran"), "{screen}");
    assert!(terminal.shows_cursor(), "the cursor is gone");
    drop(terminal);
    wait_until_quiet(&env);
    assert_eq!(standing(&env), "interrupted");

    fs::write(aside(&env, "go"), "").unwrap();
    let result = env.windlass(["resume", "--json"]).success().json();
    assert_eq!(result["ending"]["type"], "done");
    assert_eq!(lines(&ran), 2);
    assert_sound(&env);
}

#[test]
fn a_panic_without_a_terminal_is_told_on_stderr() {
    if !has("strace") {
        return;
    }
    let env = world();
    let agent = agent(&env);
    let running = env.command(["iterate", "-p", "x", "-c", &agent, "--json"]).spawn();
    wait_for_lines(&aside(&env, "ran"), 1);
    if !break_it(&env) {
        return;
    }
    let ended = running.wait().code(70);
    assert!(ended.stderr.contains("\nerror: windlass has a bug: panicked at"), "{ended}");
    assert!(!ended.stderr.contains('\u{1b}') && ended.stdout.is_empty(), "{ended}");
    wait_until_quiet(&env);
    assert_eq!(standing(&env), "interrupted");
    assert_sound(&env);
}

#[test]
fn a_crash_that_no_program_survives_leaves_a_terminal_that_works() {
    if !has("tmux") {
        return;
    }
    for signal in [Signal::ABORT, Signal::ILL] {
        let env = world();
        let (ran, agent) = (aside(&env, "ran"), agent(&env));
        let terminal = env.terminal(["iterate", "-p", "x", "-c", &agent, "--name", "mine"]);
        terminal.wait_for("agent running", LIMIT);
        wait_for_lines(&ran, 1);
        let pid = rustix::process::Pid::from_raw(windlass(&env).pid).expect("it has a number");
        rustix::process::kill_process(pid, signal).expect("it is there");
        terminal.wait_for(&format!("[exit {}]", 128 + signal.as_raw()), LIMIT);
        assert!(terminal.shows_cursor(), "the cursor is gone");
        let id = env.sql("SELECT id FROM loops");
        wait_until("nothing is left", LIMIT, || env.marked_processes(id.trim()).is_empty());
        drop(terminal);
        wait_until_quiet(&env);
        assert_eq!(standing(&env), "interrupted");
        assert_sound(&env);
    }
}
