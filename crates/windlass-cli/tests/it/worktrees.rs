//! `--worktree`: what a relative program means there, that nothing is left of a loop that did not
//! come to be, and the way home for the work.

use std::{fs, os::unix::fs::PermissionsExt};

use testkit::{Env, Ran};

use crate::{COMPLETE, oracle::has_store, shell, world};

/// Writes a program into the work tree that says a word and claims.
fn program(env: &Env, word: &str) {
    let path = env.write("agent.sh", format!("#!/bin/sh\necho {word}; echo '{COMPLETE}'\n"));
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("the file is ours");
}

fn commit(env: &Env, message: &str) {
    env.git(["add", "--all"]);
    env.git(["commit", "--quiet", "--message", message]);
}

fn call(env: &Env, worktree: &str, args: &[&str]) -> Ran {
    let start = ["iterate", "-p", "x", "-c", "./agent.sh", "--worktree", worktree];
    args.iter().fold(env.command(start), |call, arg| call.arg(arg)).run()
}

/// No loop, no worktree, no branch but main.
#[track_caller]
fn assert_nothing_left(env: &Env, ran: &Ran) {
    if has_store(env) {
        assert_eq!(env.sql("SELECT count(*) FROM loops"), "0\n", "{ran}");
    }
    assert_eq!(env.git(["worktree", "list"]).lines().count(), 1, "{ran}");
    assert_eq!(env.git(["branch", "--format=%(refname:short)"]), "main\n", "{ran}");
    let left = fs::read_dir(env.windlass_home().join("worktrees"));
    assert_eq!(left.map_or(0, Iterator::count), 0, "{ran}");
}

#[test]
fn a_relative_program_is_the_one_of_the_worktree() {
    let env = world();
    program(&env, "committed");
    commit(&env, "an agent");
    program(&env, "changed since");
    let result = call(&env, "topic", &["--json"]).success().json();
    assert!(result["final_text"].as_str().unwrap().starts_with("committed"), "{result}");

    // One that the user does not have, and the worktree has, is found as well.
    env.git(["branch", "older"]);
    env.git(["rm", "--quiet", "--force", "agent.sh"]);
    commit(&env, "no agent");
    drop(call(&env, "older", &[]).success());
}

#[test]
fn a_relative_program_that_the_worktree_does_not_have_is_told_and_leaves_nothing() {
    let env = world();
    program(&env, "never committed");
    let ran = call(&env, "topic", &[]);
    insta::assert_snapshot!(ran.snapshot(), @"
    exit: 4
    --- stdout
    --- stderr
    error: the agent `command` cannot be started: the worktree has no `./agent.sh`

    hint: a worktree has what is committed: commit the program, or name it by its whole path
    ");
    assert_nothing_left(&env, &ran);
    drop(env.windlass(["iterate", "-p", "x", "-c", "./agent.sh"]).success());
}

#[test]
fn a_loop_that_does_not_come_to_be_takes_its_worktree_with_it() {
    let env = world();
    let template = ["--worktree", "topic", "--create-branch", "--branch-template", "main"];
    let ran = shell(&env, "true", &template).run().code(2);
    assert!(ran.stderr.contains("there is already a branch `main`"), "{ran}");
    assert_nothing_left(&env, &ran);
    // A branch that was there before stays.
    env.git(["branch", "mine"]);
    let template = ["--worktree", "mine", "--create-branch", "--branch-template", "main"];
    drop(shell(&env, "true", &template).run().code(2));
    assert_eq!(env.git(["branch", "--list", "mine"]), "  mine\n");
    assert_eq!(env.git(["worktree", "list"]).lines().count(), 1);
}
