//! `windlass watch` as a person meets it: at a real terminal, with keys that are pressed.

use std::time::Duration;

use rustix::process::{Pid, kill_process};
use testkit::{Background, Env, Signal, Terminal, has, pass_by, processes::Process, wait_until};

use crate::world;

const LIMIT: Duration = Duration::from_secs(30);

/// A loop in its second iteration, which takes long; the first one has changed a file.
fn busy_loop(env: &Env) -> Background {
    let script =
        env.script("write a.txt one\nsay I look around.\nnext\nsay Now I think hard.\nsleep 60s\n");
    let call = ["iterate", "-p", "mend it", "--agent", "scripted", "--grace", "1s", "-q"];
    let call = env.command(call).arg("--script").arg(script);
    let running = call.arg("--max-iterations").arg("4").arg("--name").arg("mine").spawn();
    wait_until("the second iteration", LIMIT, || {
        env.windlass_home().exists()
            && env.windlass(["status"]).stdout.contains("Now I think hard.")
    });
    running
}

/// The process of the dashboard.
pub(crate) fn watching(env: &Env, word: &str) -> Process {
    let program = env.program().display().to_string();
    let is_it =
        |found: &Process| found.command.starts_with(&program) && found.command.contains(word);
    env.processes().into_iter().find(is_it).expect("it runs")
}

/// The terminal is as it was: its own screen, its cursor, and what is typed is echoed.
#[track_caller]
pub(crate) fn assert_given_back(terminal: &Terminal<'_>) {
    assert!(!terminal.is_taken(), "the other screen is still there:\n{}", terminal.screen());
    assert!(terminal.shows_cursor(), "the cursor is gone");
    terminal.press("echoed");
    terminal.wait_for("echoed", LIMIT);
}

#[test]
fn a_person_looks_around_and_calls_a_loop_off() {
    if !has("tmux") {
        return;
    }
    let env = world();
    let running = busy_loop(&env);
    let terminal = env.terminal(["watch"]);
    let screen = terminal.wait_for("│ Now I think hard.", LIMIT);
    for part in ["▸● mend it", "│   mine", "● running, iteration 2 of at most 4", "closed"]
    {
        assert!(screen.contains(part), "{part} is missing:\n{screen}");
    }
    terminal.press("Enter");
    for (words, found) in [("zebra", "there is no \"zebra\" before"), ("LOOK", "no \"LOOK\"")] {
        terminal.press("/");
        terminal.press(words);
        terminal.wait_for(words, LIMIT);
        terminal.press("Enter");
        terminal.wait_for(found, LIMIT);
    }
    terminal.press("2");
    terminal.wait_for("● runs", LIMIT);
    terminal.press("k");
    terminal.press("Enter");
    terminal.wait_for("+one", LIMIT);
    terminal.press("?");
    terminal.wait_for("another pane", LIMIT);
    terminal.press("Escape");
    terminal.press("c");
    terminal.wait_for("Cancel mine?", LIMIT);
    terminal.press("n");
    terminal.press("6");
    let screen = terminal.wait_for("▸6 why", LIMIT);
    assert!(!screen.contains("Cancel mine?"), "{screen}");
    terminal.press("c");
    terminal.press("y");
    terminal.wait_for("mine is cancelled, and nothing of it runs any more", LIMIT);
    terminal.wait_for("✕ mend it", LIMIT);
    terminal.press("q");
    terminal.wait_for("[exit 0]", LIMIT);
    assert_given_back(&terminal);
    running.wait().code(143);
}

#[test]
fn a_diff_that_was_opened_early_is_not_stale() {
    if !has("tmux") {
        return;
    }
    let env = world();
    let body = "if test -e a.txt; then while ! test -e ../go; do sleep 0.1; done; \
                if test -e b.txt; then sleep 60; else echo two > b.txt; fi; \
                else echo one > a.txt; fi";
    let running = crate::shell(&env, body, &["--name", "mine", "--grace", "1s"]).spawn();
    let terminal = env.terminal(["watch"]);
    terminal.wait_for("iteration 2 of at most 20", LIMIT);
    terminal.press("5");
    let screen = terminal.wait_for("+one", LIMIT);
    assert!(screen.contains("The whole loop") && !screen.contains("+two"), "{screen}");
    std::fs::write(env.root().join("go"), "").unwrap();
    terminal.wait_for("+two", LIMIT);
    terminal.press("q");
    env.windlass(["cancel", "mine"]).success();
    running.wait().code(143);
}

#[test]
fn a_loop_is_resumed_in_a_process_that_outlives_the_screen() {
    if !has("tmux") {
        return;
    }
    let env = world();
    let go = env.root().join("go");
    let agent = env.agent_sh(&format!("test -e {} && echo '{}'", go.display(), crate::COMPLETE));
    let call = env.command(["iterate", "-p", "x", "--name", "mine", "--max-iterations", "1", "-c"]);
    drop(call.arg(agent).run().code(1));
    std::fs::write(go, "").unwrap();
    let terminal = env.terminal(["watch", "mine"]);
    terminal.wait_for("not done: iteration limit (1) reached", LIMIT);
    terminal.press("r");
    terminal.wait_for("windlass resume mine --max-iterations 2", LIMIT);
    terminal.press("y");
    terminal.wait_for("✓ done after 2 iterations", LIMIT);
    terminal.press("q");
    terminal.wait_for("[exit 0]", LIMIT);
}

#[test]
fn a_signal_gives_the_terminal_back() {
    if !has("tmux") {
        return;
    }
    let env = world();
    for signal in [Signal::TERM, Signal::INT] {
        let terminal = env.terminal(["watch"]);
        terminal.wait_for("There are no loops yet.", LIMIT);
        assert!(terminal.is_taken());
        let pid = Pid::from_raw(watching(&env, "watch").pid).expect("it has a number");
        kill_process(pid, signal).expect("it is there");
        terminal.wait_for("[exit 143]", LIMIT);
        assert_given_back(&terminal);
    }
}

#[test]
fn a_panic_gives_the_terminal_back_before_its_words() {
    if !has("tmux") || !has("strace") {
        return;
    }
    let env = world();
    let terminal = env.terminal(["watch"]);
    terminal.wait_for("There are no loops yet.", LIMIT);
    // The thread that hears signals panics when its wait fails.
    let tasks = format!("/proc/{}/task", watching(&env, "watch").pid);
    let tasks = std::fs::read_dir(tasks).unwrap().map(|task| task.unwrap().path());
    let is_it = |task: &std::path::PathBuf| {
        std::fs::read_to_string(task.join("comm")).is_ok_and(|name| name.trim() == "signals")
    };
    let task = tasks.into_iter().find(is_it).expect("it has a thread for signals");
    let number = task.file_name().unwrap().to_str().unwrap().to_owned();
    let inject = "inject=?epoll_wait,?epoll_pwait:error=EBADF";
    let traced = env.other("strace", ["-o", "/dev/null", "-e", inject, "-p", &number]).run();
    if traced.stderr.contains("Operation not permitted") {
        return pass_by("strace may not trace here");
    }
    let screen = terminal.wait_for("[exit 70]", LIMIT);
    assert!(screen.contains("windlass has a bug"), "{screen}");
    assert!(!screen.contains("There are no loops yet."), "{screen}");
    assert_given_back(&terminal);
}

#[test]
fn suspended_it_gives_the_terminal_back_and_takes_it_again() {
    if !has("tmux") {
        return;
    }
    let env = world();
    let terminal = env.terminal(["watch"]);
    terminal.wait_for("There are no loops yet.", LIMIT);
    terminal.press("C-z");
    wait_until("the screen is given back", LIMIT, || !terminal.is_taken());
    let pid = Pid::from_raw(watching(&env, "watch").pid).expect("it has a number");
    kill_process(pid, Signal::CONT).expect("it is there");
    wait_until("the screen is taken again", LIMIT, || terminal.is_taken());
    terminal.wait_for("There are no loops yet.", LIMIT);
    terminal.press("q");
    terminal.wait_for("[exit 0]", LIMIT);
    assert_given_back(&terminal);
}

#[test]
fn another_size_is_taken_as_it_comes() {
    if !has("tmux") {
        return;
    }
    let env = world();
    let terminal = env.terminal(["watch"]);
    terminal.wait_for("There are no loops yet.", LIMIT);
    terminal.resize(70, 20);
    terminal.wait_for("The terminal is too small (70×20): 80×24 is needed", LIMIT);
    terminal.resize(160, 45);
    terminal.wait_for("There are no loops yet.", LIMIT);
    terminal.press("q");
    terminal.wait_for("[exit 0]", LIMIT);
}

#[test]
fn without_a_terminal_it_says_so() {
    let env = world();
    let ran = env.windlass(["watch"]).code(2);
    insta::assert_snapshot!(ran.snapshot(), @"
    exit: 2
    --- stdout
    --- stderr
    error: `windlass watch` needs a terminal to draw on and to type at

    hint: `windlass status` and `windlass log --follow` print what happens, anywhere
    ");
}

#[test]
fn a_dashboard_goes_when_its_terminal_does() {
    if !has("tmux") {
        return;
    }
    let env = world();
    let running = busy_loop(&env);
    let terminal = env.terminal(["watch"]);
    terminal.wait_for("▸● mend it", LIMIT);
    let watching = || env.processes().iter().any(|process| process.command.contains(" watch"));
    assert!(watching());
    drop(terminal);
    wait_until("the dashboard is gone", LIMIT, || !watching());
    env.windlass(["cancel", "mine"]).success();
    running.wait().code(143);
}
