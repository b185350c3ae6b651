//! `windlass merge` into a branch that the user has checked out, with changes of theirs: those that
//! are not in the way stay as they are, and those that are keep the merge away.

use std::fs;

use crate::{
    merging::{assert_tidy, commit, committed},
    world,
};

#[test]
fn changes_that_are_not_in_the_way_stay_as_they_are() {
    let env = world();
    commit(&env, "kept.txt", "kept\n");
    committed(&env, "mine", "echo x > a.txt", &[]);
    env.write("README.md", "# Changed by the user\n");
    env.write("staged.txt", "staged\n");
    env.git(["add", "staged.txt"]);
    env.write("untracked.txt", "untracked\n");
    let before = env.git(["status", "--porcelain"]);
    env.windlass(["merge", "mine"]).success();
    assert_eq!(env.read("a.txt"), "x\n");
    assert_eq!(env.git(["status", "--porcelain"]), before);
    assert_eq!(env.read("README.md"), "# Changed by the user\n");
}

#[test]
fn changes_that_are_in_the_way_keep_the_merge_away() {
    let env = world();
    let body = "echo x >> README.md; echo x > a.txt; echo x > b.txt; mkdir d; echo x > d/e";
    committed(&env, "mine", body, &[]);
    env.write(".git/info/exclude", "b.txt\nd\n");
    for (path, text) in
        [("README.md", "the user's\n"), ("a.txt", "new\n"), ("b.txt", "ignored\n"), ("d", "file\n")]
    {
        let whole = env.git(["rev-parse", "HEAD"]);
        let before = fs::read(env.work().join("README.md")).unwrap();
        env.write(path, text);
        let status = env.git(["status", "--porcelain", "--ignored"]);
        let ran = env.windlass(["merge", "mine"]).code(4);
        let named = if path == "d" { "d/e" } else { path };
        assert!(ran.stderr.contains(&format!("has changes of yours in `{named}`")), "{ran}");
        assert_eq!(env.read(path), text);
        assert_eq!(env.git(["status", "--porcelain", "--ignored"]), status);
        assert_eq!(env.git(["rev-parse", "HEAD"]), whole);
        fs::remove_file(env.work().join(path)).unwrap();
        fs::write(env.work().join("README.md"), before).unwrap();
    }
    env.windlass(["merge", "mine"]).success();
    assert_tidy(&env);
}

#[test]
fn changes_that_come_while_the_checks_run_are_seen_too() {
    let env = world();
    committed(&env, "mine", "echo x > a.txt", &[]);
    let path = env.work().join("a.txt").display().to_string();
    let ran = env.windlass(["merge", "mine", "--check", &format!("echo user > {path}")]).code(4);
    assert!(ran.stdout.contains("has changes of yours in `a.txt`"), "{ran}");
    assert_eq!(env.read("a.txt"), "user\n");
    assert_eq!(env.git(["log", "--format=%s"]), "start\n");
    fs::remove_file(path).unwrap();
    // And so is a branch that moves in the meantime.
    let git = env.work().display().to_string();
    let moves =
        format!("git -C {git} -c user.name=U -c user.email=u@x commit -q --allow-empty -m u");
    let ran = env.windlass(["merge", "mine", "--check", &moves]).code(4);
    assert!(ran.stdout.contains("the branch `main` has moved in the meantime"), "{ran}");
    assert_eq!(env.git(["log", "--format=%s"]), "u\nstart\n");
    env.windlass(["merge", "mine"]).success();
    assert_tidy(&env);
}

#[test]
fn what_the_user_has_under_way_is_not_cut_off() {
    let env = world();
    committed(&env, "mine", "echo x > a.txt", &[]);
    env.write(".git/MERGE_HEAD", env.git(["rev-parse", "HEAD"]));
    let ran = env.windlass(["merge", "mine"]).code(4);
    assert!(ran.stderr.contains("a merge is under way in this repository"), "{ran}");
    fs::remove_file(env.work().join(".git/MERGE_HEAD")).unwrap();
    env.write(".git/index.lock", "another git");
    let ran = env.windlass(["merge", "mine"]).code(4);
    assert!(ran.stdout.contains("the index is locked by another git"), "{ran}");
    assert_eq!(env.read(".git/index.lock"), "another git");
    fs::remove_file(env.work().join(".git/index.lock")).unwrap();
    env.windlass(["merge", "mine"]).success();
}

#[test]
fn a_filter_is_not_run_and_hooks_neither() {
    let env = world();
    let canary = env.root().join("canary");
    let trap = env.install("trap", &format!("echo ran >> {}; cat", canary.display()));
    for hook in ["post-merge", "post-checkout", "reference-transaction", "post-index-change"] {
        fs::copy(&trap, env.work().join(".git/hooks").join(hook)).ok();
    }
    env.git(["config", "merge.trap.driver", &trap.display().to_string()]);
    env.git(["config", "core.fsmonitor", &trap.display().to_string()]);
    env.write(".git/info/attributes", "*.txt merge=trap\n");
    commit(&env, "a.txt", "1\n2\n3\n");
    committed(&env, "mine", "echo x >> a.txt", &[]);
    let text = env.read("a.txt").replace("1\n", "0\n1\n");
    env.git(["config", "--unset", "core.fsmonitor"]);
    commit(&env, "a.txt", &text);
    env.git(["config", "core.fsmonitor", &trap.display().to_string()]);
    fs::remove_file(&canary).ok();
    env.windlass(["merge", "mine"]).success();
    assert_eq!(env.read("a.txt"), "0\n1\n2\n3\nx\n");
    assert!(!canary.exists(), "a program of the repository ran");
}
