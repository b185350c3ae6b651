//! Which worktrees `gc` and `rm` remove: those whose work is home, or that hold none.

use std::fs;

use crate::{
    COMPLETE,
    merging::{committed, in_worktree},
    shell, world,
};

#[test]
fn gc_removes_what_is_merged_or_empty_and_keeps_the_rest_and_says_why() {
    let env = world();
    committed(&env, "merged", "echo x > a.txt", &[]);
    committed(&env, "rebased", "echo x > b.txt", &[]);
    drop(in_worktree(&env, "empty", "true", &[]).run().success());
    committed(&env, "unmerged", "echo x > c.txt", &[]);
    drop(in_worktree(&env, "uncommitted", "echo x > d.txt", &[]).run().success());
    env.git(["merge", "--quiet", "topic-merged"]);
    env.windlass(["merge", "rebased", "--rebase", "--keep", "-q"]).success();
    let mine = env.root().join("mine").display().to_string();
    env.git(["worktree", "add", "--quiet", &mine]);
    let dry = env.windlass(["gc", "--dry-run"]).success();
    insta::assert_snapshot!(dry.masked_stdout().replace("would remove", "removed"), @"
    removed the worktree of empty
    removed the worktree of merged
    removed the worktree of rebased
    kept the worktree of uncommitted: 1 file in it is not committed
    kept the worktree of unmerged: `topic-unmerged` has commits that no other branch has
    ");
    let ran = env.windlass(["gc"]).success();
    insta::assert_snapshot!(ran.snapshot(), @"
    exit: 0
    --- stdout
    removed the worktree of empty
    removed the worktree of merged
    removed the worktree of rebased
    kept the worktree of uncommitted: 1 file in it is not committed
    kept the worktree of unmerged: `topic-unmerged` has commits that no other branch has
    --- stderr
    hint: `windlass merge uncommitted --commit` merges it
    hint: `windlass merge unmerged` merges it
    ");
    let left = fs::read_dir(env.windlass_home().join("worktrees")).unwrap().flatten();
    let mut left: Vec<_> = left.map(|entry| entry.file_name()).collect();
    left.sort();
    assert_eq!(left, ["uncommitted", "unmerged"]);
    assert!(fs::exists(&mine).unwrap(), "it is the user's");
    // A loop whose work is nowhere else stays with it, however old it is.
    env.windlass(["gc", "--older-than", "0s"]).success();
    assert_eq!(env.sql("SELECT name FROM loops ORDER BY name"), "uncommitted\nunmerged\n");
    env.windlass(["merge", "unmerged", "-q"]).success();
    env.windlass(["merge", "uncommitted", "--commit", "-q"]).success();
    assert_eq!((env.read("c.txt"), env.read("d.txt")), ("x\n".into(), "x\n".into()));
}

#[test]
fn rm_removes_a_worktree_by_the_same_rule() {
    let env = world();
    committed(&env, "merged", "echo x > a.txt", &[]);
    committed(&env, "unmerged", "echo x > b.txt", &[]);
    env.git(["merge", "--quiet", "topic-merged"]);
    insta::assert_snapshot!(env.windlass(["rm", "merged", "unmerged"]).snapshot(), @"
    exit: 0
    --- stdout
    removed merged
    removed unmerged
    --- stderr
    hint: its worktree stays: git worktree remove /tmp/windlass-XXXXXX/state/worktrees/unmerged
    ");
    let tree = env.windlass_home().join("worktrees/unmerged");
    assert!(tree.join("b.txt").exists());
    // Nobody knows its loop any more, and still it is kept while its work is nowhere else.
    let ran = env.windlass(["gc"]).success();
    assert!(ran.stdout.contains("kept the worktree of unmerged"), "{ran}");
    env.git(["merge", "--quiet", "-m", "m", "topic-unmerged"]);
    let ran = env.windlass(["gc"]).success();
    assert!(ran.stdout.contains("removed the worktree of unmerged"), "{ran}");
    assert!(!tree.exists());
}

#[test]
fn gc_leaves_a_loop_that_was_cut_off_its_worktree() {
    let env = world();
    let began = env.root().join("began");
    let body = format!("touch {}; [ -e go ] || sleep 300; echo '{COMPLETE}'", began.display());
    let running = shell(&env, &body, &["--name", "mine", "--worktree", "topic"]).spawn();
    testkit::wait_until("it runs", std::time::Duration::from_secs(30), || began.exists());
    let ran = env.windlass(["gc"]).success();
    assert!(!ran.stdout.contains("worktree"), "one that runs is not spoken of: {ran}");
    drop(running.kill9());
    let ran = env.windlass(["gc"]).success();
    assert!(ran.stdout.contains("kept the worktree of mine: its loop was interrupted"), "{ran}");
    env.windlass(["rm", "mine"]).success();
}
