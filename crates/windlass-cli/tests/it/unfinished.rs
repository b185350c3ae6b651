//! What stands in a loop's way and is found before the first session: an unfinished merge or rebase
//! where the loop is to commit, and a store in the work tree.

use std::{fs, os::unix::fs::symlink};

use testkit::{Env, Ran};

use crate::{COMPLETE, oracle::has_store, shell, world};

/// Two branches that change the same line.
fn at_odds(env: &Env) {
    env.write("file.txt", "one\n");
    env.git(["add", "-A"]);
    env.git(["commit", "-qm", "one"]);
    env.git(["checkout", "-qb", "other"]);
    env.write("file.txt", "theirs\n");
    env.git(["commit", "-qam", "theirs"]);
    env.git(["checkout", "-q", "-"]);
    env.write("file.txt", "ours\n");
    env.git(["commit", "-qam", "ours"]);
}

/// Runs git, which stops half-way.
fn half_way(env: &Env, args: &[&str]) {
    assert_ne!(env.other("git", args).run().code, Some(0), "{args:?} was to stop half-way");
}

fn sessions(env: &Env) -> String {
    if has_store(env) { env.sql("SELECT count(*) FROM sessions") } else { "0\n".to_owned() }
}

fn commits(env: &Env, args: &[&str]) -> Ran {
    shell(env, &format!("echo x >> work; echo '{COMPLETE}'"), args).run()
}

#[test]
fn a_loop_that_is_to_commit_does_not_begin_in_an_unfinished_merge() {
    let env = world();
    at_odds(&env);
    half_way(&env, &["merge", "-q", "other"]);
    insta::assert_snapshot!(commits(&env, &["--auto-commit"]).snapshot(), @"
    exit: 4
    --- stdout
    --- stderr
    error: a merge is under way in this repository; finish or abort it first

    hint: `git status` tells how to finish or abort it
    hint: or start the loop without commits and branches, or in a tree of its own with `--worktree BRANCH`
    ");
    commits(&env, &["--create-branch"]).code(4);
    assert_eq!(sessions(&env), "0\n");
    // It may work there all the same, or commit elsewhere.
    commits(&env, &[]).success();
    commits(&env, &["--auto-commit", "--worktree", "apart"]).success();
}

#[test]
fn neither_does_it_in_whatever_else_git_has_not_finished() {
    let pick: &[&[&str]] = &[
        &["rebase", "-q", "other"],
        &["cherry-pick", "other"],
        &["revert", "--no-edit", "HEAD~1"],
    ];
    for (stopped, what) in pick.iter().zip(["rebase", "cherry-pick", "revert"]) {
        let env = world();
        at_odds(&env);
        if what == "revert" {
            env.write("file.txt", "later\n");
            env.git(["commit", "-qam", "later"]);
        }
        half_way(&env, stopped);
        let ran = commits(&env, &["--auto-commit"]).code(4);
        assert!(ran.stderr.contains(&format!("a {what} is under way")), "{what}: {ran}");
        assert_eq!(sessions(&env), "0\n");
    }
    let env = world();
    at_odds(&env);
    env.write("file.txt", "stashed\n");
    env.git(["stash", "-q"]);
    env.write("file.txt", "and committed\n");
    env.git(["commit", "-qam", "more"]);
    half_way(&env, &["stash", "pop"]);
    let ran = commits(&env, &["--auto-commit"]).code(4);
    assert!(ran.stderr.contains("`file.txt` is in conflict in this repository"), "{ran}");
    assert_eq!(sessions(&env), "0\n");
}

#[test]
fn a_loop_that_commits_is_not_resumed_there_either() {
    let env = world();
    at_odds(&env);
    let args = ["--auto-commit", "--max-iterations", "1", "--name", "mine"];
    shell(&env, "echo x >> work", &args).run().code(1);
    half_way(&env, &["merge", "-q", "other"]);
    let ran = env.windlass(["resume", "mine", "--max-iterations", "2"]).code(4);
    assert!(ran.stderr.contains("a merge is under way"), "{ran}");
    assert_eq!(sessions(&env), "1\n");
    env.git(["merge", "--abort"]);
    env.windlass(["resume", "mine", "--max-iterations", "2"]).code(1);
    assert_eq!(sessions(&env), "2\n");
}

#[test]
fn a_store_in_the_work_tree_is_refused_and_left_unmade() {
    let env = world();
    let home = env.work().join(".windlass");
    let start = ["iterate", "-p", "x", "-c", "true", "--max-iterations", "1"];
    let at = |home: &std::path::Path| env.command(start).env("WINDLASS_HOME", home);
    insta::assert_snapshot!(at(&home).run().snapshot(), @"
    exit: 2
    --- stdout
    --- stderr
    error: windlass's home `/tmp/windlass-XXXXXX/work/.windlass` lies in the work tree `/tmp/windlass-XXXXXX/work`: it would count as work, and an agent's `git clean` would delete it

    hint: set WINDLASS_HOME to a directory outside of it; where it is not set, that is `~/.local/state/windlass`
    ");
    // By whatever way it leads there.
    fs::create_dir(env.work().join("sub")).unwrap();
    symlink(env.work(), env.root().join("link")).unwrap();
    at(&home).directory(env.work().join("sub")).run().code(2);
    at(&env.root().join("link/.windlass")).run().code(2);
    at(&home).arg("--worktree=apart").run().code(2);
    at(&home).arg("--sandbox=landlock").run().code(2);
    assert!(!home.exists(), "nothing was made there");
    assert_eq!(env.git(["status", "--porcelain", "--", ".windlass"]), "");
    // Where there is no work tree, nothing is committed or cleaned.
    let env = Env::outside_git(env!("CARGO_BIN_EXE_windlass"));
    let there = env.work().join(".windlass");
    env.command(start).env("WINDLASS_HOME", there).run().code(1);
}
