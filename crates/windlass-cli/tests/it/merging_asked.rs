//! `windlass merge` of what should not be merged: each is refused in a sentence, with what to do.

use std::time::Duration;

use crate::{
    COMPLETE,
    merging::{assert_tidy, commit, committed, in_worktree},
    oracle::{aside, wait_for_lines},
    shell, world,
};

#[test]
fn work_that_is_not_committed_is_named_and_comes_with_commit() {
    let env = world();
    drop(in_worktree(&env, "mine", "echo x > a.txt; echo y >> README.md", &[]).run().success());
    insta::assert_snapshot!(env.windlass(["merge", "mine"]).snapshot(), @"
    exit: 2
    --- stdout
    --- stderr
    error: mine has left work that is not committed: `README.md`, `a.txt`

    hint: `windlass merge mine --commit` commits it to the loop's branch first
    ");
    env.windlass(["merge", "mine", "--commit", "-q"]).success();
    assert_eq!(env.git(["log", "--format=%s"]), "mine: what the loop left\nstart\n");
    assert_eq!(env.read("README.md"), "# A project\ny\n");
    assert_tidy(&env);
}

#[test]
fn a_loop_that_did_not_end_well_is_taken_only_when_asked() {
    let env = world();
    let args = ["--worktree", "topic", "--auto-commit", "--name", "mine", "--max-iterations", "1"];
    drop(shell(&env, "echo x > a.txt", &args).run().code(1));
    insta::assert_snapshot!(env.windlass(["merge", "mine"]).snapshot(), @"
    exit: 2
    --- stdout
    --- stderr
    error: the work of mine cannot be merged: it did not end well (max_iterations)

    hint: `windlass why mine` explains why; `windlass merge mine --any-ending` merges it anyway
    ");
    env.windlass(["merge", "mine", "--any-ending"]).success();
    assert_eq!(env.read("a.txt"), "x\n");
}

#[test]
fn a_loop_that_runs_or_was_cut_off_is_not_merged() {
    let env = world();
    let began = aside(&env, "began");
    let body = format!("echo x > a.txt; echo > {}; sleep 300", began.display());
    let running = in_worktree(&env, "mine", &body, &[]).spawn();
    wait_for_lines(&began, 1);
    let ran = env.windlass(["merge", "mine"]).code(4);
    assert!(ran.stderr.contains("the loop mine is run by process"), "{ran}");
    drop(running.kill9());
    let ran = env.windlass(["merge", "mine"]).code(2);
    assert!(ran.stderr.contains("it did not end well (interrupted)"), "{ran}");
}

#[test]
fn a_loop_without_a_branch_and_a_branch_that_is_not_there_are_told() {
    let env = world();
    drop(shell(&env, &format!("echo '{COMPLETE}'"), &["--name", "here"]).run().success());
    insta::assert_snapshot!(env.windlass(["merge", "here"]).stderr, @"
    error: the work of here cannot be merged: it has no branch: its work is where it ran

    hint: loops with `--worktree BRANCH` or `--create-branch` have one
    ");
    committed(&env, "mine", "echo x > a.txt", &[]);
    insta::assert_snapshot!(env.windlass(["merge", "mine", "--into", "nowhere"]).stderr, @"
    error: the work of mine cannot be merged: there is no branch `nowhere`

    hint: `git branch nowhere` makes one
    ");
    insta::assert_snapshot!(env.windlass(["merge", "mine", "--into", "topic-mine"]).stderr, @"
    error: the work of mine cannot be merged: `topic-mine` is its own branch

    hint: name another one with `--into BRANCH`
    ");
    insta::assert_snapshot!(env.windlass(["merge", "nobody"]).code(2).stderr, @"
    error: there is no loop `nobody`

    hint: `windlass list` shows all loops
    ");
    env.windlass(["merge", "mine", "--name", "home", "-q"]).success();
    insta::assert_snapshot!(env.windlass(["merge", "home"]).code(2).stderr, @"
    error: the work of home cannot be merged: it is a merge itself

    hint: name the loop whose work is to be merged; `windlass list` shows all
    ");
    let ran = env.windlass(["merge", "mine", "--rebase", "--resolve"]).code(2);
    assert!(ran.stderr.contains("cannot be used with"), "{ran}");
}

#[test]
fn a_merge_inside_a_loop_is_refused() {
    let env = world();
    committed(&env, "mine", "echo x > a.txt", &[]);
    let ran = env.command(["merge", "mine"]).env("WINDLASS_LOOP", "0123456789abcdef").run();
    assert!(ran.code(4).stderr.contains("refused inside a loop"));
}

#[test]
fn a_rebase_of_a_merge_is_refused() {
    let env = world();
    let merges = "git checkout -q -b side; echo 1 > s.txt; git add .; git commit -q -m side; \
                  git checkout -q topic-mine; echo 2 > t.txt; git add .; git commit -q -m t; \
                  git merge -q -m both side";
    let name = "git config user.name A; git config user.email a@b.c";
    committed(&env, "mine", &format!("{name}; {merges}"), &[]);
    commit(&env, "u.txt", "u\n");
    let ran = env.windlass(["merge", "mine", "--rebase"]).code(2);
    assert!(ran.stderr.contains("is a merge itself, so the commits cannot be rebased"), "{ran}");
    env.windlass(["merge", "mine"]).success();
}

#[test]
fn a_tree_in_which_a_loop_works_is_left_to_it() {
    let env = world();
    committed(&env, "mine", "echo x > a.txt", &[]);
    let began = aside(&env, "began");
    let body = format!("echo > {}; sleep 300", began.display());
    let running = shell(&env, &body, &["--name", "here"]).spawn();
    wait_for_lines(&began, 1);
    let ran = env.windlass(["merge", "mine"]).code(4);
    assert!(ran.stderr.contains("is in use by the loop here"), "{ran}");
    drop(env.command(["cancel", "here"]).limit(Duration::from_secs(30)).run().success());
    drop(running.wait());
    env.windlass(["merge", "mine"]).success();
}
