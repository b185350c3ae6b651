//! One kill each, by the ways that users meet it: another loop is started in the tree, the loop is
//! cancelled, or the user goes on with git alone.

use serde_json::json;
use testkit::{Env, has};

use super::{
    killing::{Point, When, every_point, kill_at},
    scenes::{SCENES, Scene, assert_clean, start},
};
use crate::{
    COMPLETE,
    oracle::{LIMIT, wait_until_quiet},
    sandboxes::has_bwrap,
    serve::{end, serve},
};

fn scene(name: &str) -> &'static Scene {
    SCENES.iter().find(|scene| scene.name == name).expect("there is such a scene")
}

/// Kills a scene around the last of its git commands that begins so.
fn killed(name: &str, command: &str, when: When) -> Env {
    let scene = scene(name);
    let is_it = |point: &Point| point.command.starts_with(command) && point.when == when;
    let point = every_point(scene).into_iter().rfind(is_it).expect("it calls git so");
    let env = (scene.set_up)();
    assert!(kill_at(&env, scene, &point), "it came to that");
    wait_until_quiet(&env);
    env
}

#[test]
fn the_users_next_commit_takes_nothing_of_the_loops_work_back() {
    let env = killed("commit", "update-ref", When::After);
    env.git(["commit", "--quiet", "--message=the user's"]);
    assert_eq!(env.git(["show", "--format=", "--name-only"]), "users.txt\n");
    assert_eq!(env.git(["status", "--porcelain"]), "");
    drop(env.windlass(["resume", "mine"]).success());
    assert_eq!(env.git(["status", "--porcelain"]), "");
    assert_clean(&env, "the user went on");
}

#[test]
fn what_the_user_stages_after_a_kill_stays_staged() {
    let env = killed("commit", "update-ref", When::Before);
    env.write("a.txt", "the user's\n");
    env.git(["add", "a.txt"]);
    drop(env.windlass(["cancel", "mine"]).success());
    assert_eq!(env.git(["diff", "--cached", "--name-status"]), "A\ta.txt\nM\tusers.txt\n");
    assert_eq!(env.git(["show", ":a.txt"]), "the user's\n");
    assert_clean(&env, "the user staged");
}

/// Kills a loop in the middle of a commit, cancels it, and looks what is left.
fn cancelled(by: &str, cancel: impl Fn(&Env)) {
    let env = killed("commit", "update-ref", When::Before);
    let begun = env.windlass_home().join("intents");
    assert!(begun.read_dir().is_ok_and(|mut begun| begun.next().is_some()), "it was cut off");
    cancel(&env);
    assert_eq!(env.git(["status", "--porcelain"]), " D gone.txt\nM  users.txt\n?? a.txt\n");
    assert_clean(&env, by);
}

#[test]
fn a_loop_that_is_cancelled_by_the_command_leaves_no_commit_half_made() {
    cancelled("the command", |env| drop(env.windlass(["cancel", "mine"]).success()));
}

#[test]
fn a_loop_that_is_cancelled_in_the_browser_leaves_no_commit_half_made() {
    cancelled("the browser", |env| {
        let (server, web) = serve(env);
        web.post("/api/v1/loops/mine/cancel", &json!({})).expect(200);
        end(server);
    });
}

#[test]
fn a_loop_that_is_cancelled_on_the_screen_leaves_no_commit_half_made() {
    if !has("tmux") {
        return;
    }
    cancelled("the screen", |env| {
        let terminal = env.terminal(["watch", "mine"]);
        terminal.wait_for("mine", LIMIT);
        terminal.press("c");
        terminal.wait_for("Cancel mine?", LIMIT);
        terminal.press("y");
        terminal.wait_for("mine had been cut off; it counts as cancelled now", LIMIT);
        terminal.press("q");
        terminal.wait_for("[exit 0]", LIMIT);
    });
}

#[test]
fn a_loop_that_is_started_after_a_kill_finds_the_index_of_a_submodule_whole() {
    let scene = scene("submodule");
    // The first is that of the submodule.
    let is_it =
        |point: &Point| point.command.starts_with("update-ref -m") && point.when == When::Before;
    let Some(point) = has_bwrap().then(|| every_point(scene).into_iter().find(is_it)) else {
        return;
    };
    let env = (scene.set_up)();
    assert!(kill_at(&env, scene, &point.expect("it calls git so")), "it came to that");
    wait_until_quiet(&env);
    env.install("mine-agent", &format!("echo '{COMPLETE}'"));
    drop(start(&env, &["iterate", "--name", "next"]).run().success());
    let staged = env.git(["-C", "vendor/lib", "diff", "--cached", "--name-only"]);
    assert_eq!(staged, "", "the index is as HEAD has it");
    assert_clean(&env, "another loop");
}

#[test]
fn a_loop_that_is_started_in_the_tree_of_a_killed_merge_finds_it_whole() {
    let env = killed("merge", "update-ref -m", When::Before);
    drop(start(&env, &["iterate", "--name", "next"]).run().success());
    assert!(env.git(["log", "--format=%s", "main"]).contains("loop: iteration 1"));
    assert_eq!(env.git(["diff", "--cached", "--name-only"]), "");
    drop(env.windlass(["gc"]).success());
    assert_clean(&env, "another loop");
}

#[test]
fn a_branch_that_the_user_has_gone_on_with_stays() {
    let env = killed("branch", "symbolic-ref -m", When::After);
    env.write("users.txt", "theirs\n");
    env.git(["add", "users.txt"]);
    env.git(["commit", "--quiet", "--message=the user's"]);
    drop(env.windlass(["gc"]).success());
    assert_eq!(env.git(["branch", "--show-current"]), "try/it\n");
    assert_eq!(env.git(["log", "-1", "--format=%s", "try/it"]), "the user's\n");
    assert_clean(&env, "the user went on");
}

#[test]
fn a_worktree_that_was_half_made_is_gone_after_gc() {
    let env = killed("worktree", "worktree add", When::After);
    assert_eq!(env.git(["worktree", "list"]).lines().count(), 2);
    drop(env.windlass(["gc"]).success());
    assert_eq!(env.git(["worktree", "list"]).lines().count(), 1);
    assert_eq!(env.git(["branch", "--format=%(refname:short)"]), "main\n");
    assert!(!env.windlass_home().join("worktrees/mine").exists());
    assert_clean(&env, "gc");
}
