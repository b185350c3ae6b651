//! `--tui`: the dashboard beside the loop that it is about, in one process.

use std::time::Duration;

use testkit::{Env, has, pass_by};

use crate::{
    COMPLETE,
    watch::{assert_given_back, watching},
    world,
};

const LIMIT: Duration = Duration::from_secs(30);

/// The call of a loop that goes on until there is a file `go`.
fn call(env: &Env) -> Vec<String> {
    let agent = env.agent_sh(&format!(
        "echo one > a.txt; echo 'I am at it.'; while ! test -e ../go; do sleep 0.1; done; \
         echo '{COMPLETE}'"
    ));
    let agent = agent.display().to_string();
    ["iterate", "-p", "x", "-c", &agent, "--name", "mine", "--check", "true", "--tui"]
        .map(str::to_owned)
        .to_vec()
}

#[test]
fn the_dashboard_goes_with_its_loop_and_the_last_words_are_printed() {
    if !has("tmux") {
        return;
    }
    let env = world();
    let terminal = env.terminal(call(&env));
    let screen = terminal.wait_for("│ I am at it.", LIMIT);
    assert!(screen.contains("● running, iteration 1 of at most 20"), "{screen}");
    assert!(terminal.is_taken());
    std::fs::write(env.root().join("go"), "").unwrap();
    terminal.wait_for("[exit 0]", LIMIT);
    insta::assert_snapshot!(terminal.snapshot(), @"
    ✓ done after 1 iteration, proven by 1 check
      1 session, 1 check, 1 file modified, [time]
      proof: 1 check passed; no baseline; guarded files unchanged
    next: git switch -c windlass/mine && git add -A -- a.txt && git commit -m x -- a.txt
    next: windlass show mine
    next: windlass diff mine
    undo: windlass rollback mine 0
          (restores files, not ignored files, branches or the index; no commits were made; the commit be
    fore the loop is 6fc96ec)
    [exit 0]
    ");
    assert_given_back(&terminal);
}

#[test]
fn the_screen_can_be_left_and_the_loop_goes_on_with_lines() {
    if !has("tmux") {
        return;
    }
    let env = world();
    let terminal = env.terminal(call(&env));
    terminal.wait_for("│ I am at it.", LIMIT);
    terminal.press("q");
    terminal.wait_for("leave the screen, the loop goes on", LIMIT);
    terminal.press("l");
    terminal.wait_for("hint: the loop goes on", LIMIT);
    assert!(!terminal.is_taken());
    std::fs::write(env.root().join("go"), "").unwrap();
    terminal.wait_for("[exit 0]", LIMIT);
    insta::assert_snapshot!(terminal.snapshot(), @"
    hint: the loop goes on; `windlass watch` shows it again
    agent: finished in [time]
    claim: COMPLETE
    check `true`: passed ([time])
    claim accepted: 1 check passed on tree 2fac41d
    iteration 1: [time], 1 file changed
    ✓ done after 1 iteration, proven by 1 check
      1 session, 1 check, 1 file modified, [time]
      proof: 1 check passed; no baseline; guarded files unchanged
    next: git switch -c windlass/mine && git add -A -- a.txt && git commit -m x -- a.txt
    next: windlass show mine
    next: windlass diff mine
    undo: windlass rollback mine 0
          (restores files, not ignored files, branches or the index; no commits were made; the commit be
    fore the loop is 6fc96ec)
    [exit 0]
    ");
}

#[test]
fn ctrl_c_cancels_the_loop() {
    if !has("tmux") {
        return;
    }
    let env = world();
    let terminal = env.terminal(call(&env));
    terminal.wait_for("│ I am at it.", LIMIT);
    terminal.press("C-c");
    let screen = terminal.wait_for("[exit 130]", LIMIT);
    assert!(screen.contains("cancelled by Ctrl-C in iteration 1"), "{screen}");
    assert_given_back(&terminal);
}

#[test]
fn a_panic_of_the_loop_gives_the_terminal_back() {
    if !has("tmux") || !has("strace") {
        return;
    }
    let env = world();
    let terminal = env.terminal(call(&env));
    terminal.wait_for("│ I am at it.", LIMIT);
    let pid = watching(&env, "--tui").pid.to_string();
    let inject = "inject=?epoll_wait,?epoll_pwait:error=EBADF";
    let traced = env.other("strace", ["-o", "/dev/null", "-e", inject, "-p", &pid]).run();
    if traced.stderr.contains("Operation not permitted") {
        return pass_by("strace may not trace here");
    }
    let screen = terminal.wait_for("[exit 70]", LIMIT);
    assert!(screen.contains("windlass has a bug"), "{screen}");
    assert_given_back(&terminal);
}

#[test]
fn it_needs_a_terminal_and_excludes_other_outputs() {
    let env = world();
    let args = call(&env);
    let ran = env.windlass(&args).code(2);
    assert!(ran.stderr.contains("`--tui` needs a terminal"), "{ran}");
    for other in ["--json", "--jsonl", "-q", "-v"] {
        let ran = env.windlass(args.iter().map(String::as_str).chain([other])).code(2);
        assert!(ran.stderr.contains("cannot be used with"), "{other}: {ran}");
    }
    assert_eq!(env.windlass(["list", "--json"]).success().json(), serde_json::json!([]));
}
