//! What a loop that was killed left behind is told when it is resumed, cancelled or removed, by `gc`,
//! and by the next loop in the tree.

use std::{fs, path::PathBuf};

use testkit::{Env, Ran};

use super::{after, lines, world};
use crate::oracle::{aside, wait_for_lines, wait_until_quiet};

const TOLD: &str = "`core.fsmonitor` runs `./evil` at your next `git status`";

/// A loop that was killed just after its agent had laid a trap; the agent goes on when the file that
/// is given back is there.
fn killed(env: &Env, trap: &str) -> PathBuf {
    let (ran, go) = (aside(env, "ran"), aside(env, "go"));
    let body = format!(
        "[ -e {go} ] || {{ {trap}; }}; echo run >> {ran}; [ -e {go} ] || sleep 300; echo '{claim}'",
        go = go.display(),
        ran = ran.display(),
        claim = crate::COMPLETE
    );
    let agent = env.agent_sh(&body);
    let args = ["iterate", "-p", "x", "--name", "mine", "-c"];
    let running = env.command(args).arg(agent).spawn();
    wait_for_lines(&ran, 1);
    drop(running.kill9());
    wait_until_quiet(env);
    go
}

fn shown(env: &Env) -> Ran {
    env.windlass(["show", "mine"]).success()
}

fn trapped(env: &Env) -> PathBuf {
    killed(env, "git config core.fsmonitor ./evil")
}

#[test]
fn by_resume() {
    let env = world();
    let go = trapped(&env);
    fs::write(go, "").unwrap();
    let ran = env.windlass(["resume", "mine", "--json"]).success();
    assert_eq!(lines(&ran.json()), [format!("config .git/config: {TOLD}")], "{ran}");
    assert_eq!(env.sql("SELECT count(*) FROM events WHERE type = 'left_behind'"), "1\n");
}

#[test]
fn by_cancel() {
    let env = world();
    drop(trapped(&env));
    let ran = env.windlass(["cancel", "mine"]).success();
    assert!(ran.stdout.contains(&format!("`.git/config`: {TOLD}")), "{ran}");
    assert!(shown(&env).stdout.contains(TOLD));
    let again = env.windlass(["cancel", "mine"]).success();
    assert!(!again.stdout.contains(TOLD), "{again}");
}

#[test]
fn by_gc_once() {
    let env = world();
    drop(trapped(&env));
    let ran = env.windlass(["gc"]).success();
    assert!(ran.stdout.contains(TOLD), "{ran}");
    let again = env.windlass(["gc"]).success();
    assert!(!again.stdout.contains(TOLD), "{again}");
    assert!(shown(&env).stdout.contains(TOLD));
}

#[test]
fn by_rm() {
    let env = world();
    drop(trapped(&env));
    let ran = env.windlass(["rm", "mine"]).success();
    assert!(ran.stdout.contains(TOLD), "{ran}");
}

#[test]
fn by_the_next_loop_in_the_tree() {
    let env = world();
    drop(trapped(&env));
    let ran = after(&env, "true");
    assert_eq!(lines(&ran.json()), [format!("config .git/config: {TOLD}")], "{ran}");
    assert!(ran.stderr.contains("was interrupted in this tree"), "{ran}");
}

#[test]
fn also_where_the_tree_cannot_be_opened_any_more() {
    for command in ["cancel", "resume"] {
        let env = world();
        drop(killed(&env, "ln -s $HOME .git/worktrees; git config core.fsmonitor ./evil"));
        let ran = env.windlass([command, "mine"]);
        let shown = shown(&env);
        assert!(
            shown.stdout.contains("your next `git gc` would delete"),
            "{command}\n{ran}\n{shown}"
        );
        assert!(shown.stdout.contains(TOLD), "{command}\n{ran}\n{shown}");
    }
}

#[test]
fn nested_repositories_too() {
    let env = world();
    drop(killed(&env, "git init -q lib; git -C lib config core.fsmonitor ./evil"));
    drop(env.windlass(["cancel", "mine"]).success());
    let shown = shown(&env);
    assert!(shown.stdout.contains(&format!("`lib/.git/config`: {TOLD}")), "{shown}");
}

#[test]
fn a_session_that_is_called_off_leaves_its_list() {
    let env = world();
    let ran = aside(&env, "ran");
    let body = format!(
        "git config core.fsmonitor ./evil; git init -q lib; echo run >> {}; sleep 300",
        ran.display()
    );
    let agent = env.agent_sh(&body);
    let args = ["iterate", "-p", "x", "--name", "mine", "--json", "--grace", "1s", "-c"];
    let running = env.command(args).arg(agent).spawn();
    wait_for_lines(&ran, 1);
    running.signal(testkit::Signal::INT);
    let left = lines(&running.wait().json());
    assert!(left.iter().any(|line| line.ends_with(TOLD)), "{left:#?}");
    assert!(left.iter().any(|line| line.starts_with("nested lib: ")), "{left:#?}");
}

#[test]
fn a_commit_of_windlass_that_is_cut_off_is_not_told() {
    let env = world();
    let (ran, go) = (aside(&env, "ran"), aside(&env, "go"));
    env.git(["branch", "other"]);
    // The program of the user's that runs at the end of an iteration moves a branch, and is cut off.
    let hook = env.install(
        "my-hook",
        &format!(
            "[ -e {go} ] || {{ git commit -q --allow-empty -m x; git branch -f other HEAD; \
             echo run >> {ran}; sleep 300; }}",
            go = go.display(),
            ran = ran.display()
        ),
    );
    crate::user_config(&env, &format!("[on]\niteration_end = ['{}']\n", hook.display()));
    let agent = env.agent_sh("date +%N > a");
    let args = ["iterate", "-p", "x", "--name", "mine", "--max-iterations", "2", "-c"];
    let running = env.command(args).arg(agent).spawn();
    wait_for_lines(&ran, 1);
    drop(running.kill9());
    wait_until_quiet(&env);
    fs::write(go, "").unwrap();
    let ran = env.windlass(["resume", "mine", "--json"]);
    assert_eq!(lines(&ran.json()), [""; 0], "{ran}");
}
