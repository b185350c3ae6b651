//! Git itself is killed between its own renames, and windlass with it: the locks that such a git
//! leaves on refs are cleared away as well.

use std::{
    fs,
    sync::atomic::{AtomicUsize, Ordering},
};

use testkit::{Env, has, pass_by};

use super::{
    helper_killed::RENAMES,
    killing::{REAL, counting_git, end, every_point, on_two_threads, wait_for_it},
    scenes::{SCENES, Scene},
};
use crate::oracle::within_reach;

/// More than any git command does here.
const MOST: usize = 40;

#[test]
fn a_git_that_is_killed_while_it_moves_head_leaves_no_lock() {
    before_renames("commit", |command| command.starts_with("update-ref"));
}

#[test]
fn a_git_that_is_killed_while_it_brings_commits_over_leaves_no_lock() {
    before_renames("bring", |command| {
        command.starts_with("fetch") || command.starts_with("update-ref")
    });
}

#[test]
fn a_git_that_is_killed_while_it_gives_up_refs_leaves_no_lock() {
    before_renames("release", |command| command.starts_with("update-ref"));
}

#[test]
fn a_git_that_is_killed_while_it_makes_a_branch_leaves_no_lock() {
    before_renames("branch", |command| {
        command.starts_with("update-ref") || command.starts_with("symbolic-ref -m")
    });
}

#[test]
fn a_git_that_is_killed_while_it_makes_a_worktree_leaves_nothing() {
    before_renames("worktree", |command| command.starts_with("worktree add"));
}

#[test]
fn a_git_that_is_killed_while_it_removes_a_worktree_leaves_nothing() {
    before_renames("gc", |command| command.starts_with("worktree remove"));
}

#[test]
fn a_git_that_is_killed_while_it_moves_a_branch_leaves_no_lock() {
    before_renames("merge", |command| command.starts_with("update-ref -m"));
}

/// Kills those git commands of a scene before each of their renames, and windlass with them.
fn before_renames(name: &str, is_meant: impl Fn(&str) -> bool) {
    if !has("strace") {
        return;
    }
    let scene = SCENES.iter().find(|scene| scene.name == name).expect("there is such a scene");
    let mut numbers: Vec<usize> = every_point(scene)
        .into_iter()
        .filter(|point| is_meant(&point.command))
        .map(|point| point.number)
        .collect();
    numbers.dedup();
    assert!(!numbers.is_empty(), "`{name}` has no such git command");
    let reached = AtomicUsize::new(0);
    on_two_threads(&numbers, |number| {
        for nth in 1..=MOST {
            let env = (scene.set_up)();
            match kill_git(&env, scene, *number, nth) {
                Some(true) => {
                    reached.fetch_add(1, Ordering::Relaxed);
                    let what = format!("git command {number}, killed before rename {nth}");
                    scene.assert_recovers(&env, nth.is_multiple_of(2), &what);
                }
                Some(false) => break,
                None => {
                    reached.fetch_add(1, Ordering::Relaxed);
                    pass_by("strace may not trace here, so no git was killed");
                    break;
                }
            }
        }
    });
    assert!(reached.into_inner() > 0, "git renames nothing there");
}

/// Kills a git command before its n-th rename; says whether it came to that, where it can be traced.
fn kill_git(env: &Env, scene: &Scene, number: usize, nth: usize) -> Option<bool> {
    let tracer = format!(
        "strace -f -qq -o /dev/null -e trace={RENAMES} -e inject={RENAMES}:signal=KILL:when={nth}"
    );
    let act = format!(
        "if [ $n = {number} ]; then {REAL} {tracer} git \"$@\" 2> $held.said; echo $? > $held.new; \
         mv $held.new $held; exec sleep 300; fi"
    );
    counting_git(env, &act);
    let mut running = scene.call(env).spawn();
    let is_held = wait_for_it(env, &mut running);
    let code = fs::read_to_string(within_reach(env, "held")).unwrap_or_default();
    let said = within_reach(env, "held.said");
    let told = fs::read_to_string(&said).unwrap_or_default();
    drop(fs::remove_file(said));
    end(env, running);
    if told.contains("Operation not permitted") {
        return None;
    }
    // One that is killed by a child that was killed says so itself.
    Some(is_held && code.trim() != "0")
}
