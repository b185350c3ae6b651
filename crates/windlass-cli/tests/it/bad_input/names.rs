//! Names and branches that are taken, and branches where there is no git repository.

use testkit::Env;

use super::refused;
use crate::{shell, world};

#[test]
fn names_and_branches_that_are_taken() {
    let env = world();
    shell(&env, "true", &["--name", "taken", "--max-iterations", "1"]).run().code(1);
    env.git(["branch", "busy"]);
    let call =
        |args: &[&str]| refused(&env, &[&["iterate", "-p", "x", "-c", "true"], args].concat());
    insta::assert_snapshot!(call(&["--name", "taken"]), @"
    exit: 2
    --- stdout
    --- stderr
    error: the name `taken` is taken by another loop
    ");
    insta::assert_snapshot!(call(&["--create-branch", "--branch-template", "busy"]), @"
    exit: 2
    --- stdout
    --- stderr
    error: there is already a branch `busy`
    ");
    insta::assert_snapshot!(call(&["--create-branch", "--branch-template", "no..good"]), @"
    exit: 2
    --- stdout
    --- stderr
    error: `no..good` is not a name that a branch can have
    ");
    insta::assert_snapshot!(call(&["--worktree", "main"]), @"
    exit: 2
    --- stdout
    --- stderr
    error: the branch `main` is checked out at `/tmp/windlass-XXXXXX/work`
    ");
    insta::assert_snapshot!(call(&["--worktree", "new:nowhere"]), @"
    exit: 2
    --- stdout
    --- stderr
    error: there is no commit `nowhere` in this repository
    ");
    insta::assert_snapshot!(call(&["--worktree", "busy:main"]), @"
    exit: 2
    --- stdout
    --- stderr
    error: there is already a branch `busy`, so it cannot start at `main`
    ");
    insta::assert_snapshot!(call(&["--worktree", ""]), @"
    exit: 2
    --- stdout
    --- stderr
    error: `` is not a name that a branch can have
    ");
}

#[test]
fn git_flags_outside_git() {
    let env = Env::outside_git(env!("CARGO_BIN_EXE_windlass"));
    let call =
        |args: &[&str]| refused(&env, &[&["iterate", "-p", "x", "-c", "true"], args].concat());
    insta::assert_snapshot!(call(&["--auto-commit"]), @"
    exit: 2
    --- stdout
    --- stderr
    error: `--auto-commit` needs a git repository, and `/tmp/windlass-XXXXXX/work` is not in one
    ");
    insta::assert_snapshot!(call(&["--create-branch"]), @"
    exit: 2
    --- stdout
    --- stderr
    error: `--create-branch` needs a git repository, and `/tmp/windlass-XXXXXX/work` is not in one
    ");
    insta::assert_snapshot!(call(&["--worktree", "b"]), @"
    exit: 2
    --- stdout
    --- stderr
    error: `--worktree` needs a git repository, and `/tmp/windlass-XXXXXX/work` is not in one
    ");
}
