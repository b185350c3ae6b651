//! Loops side by side in one repository, each in a worktree of its own, and merges at once.

use std::{fs, time::Duration};

use testkit::{Env, wait_until};

use crate::{
    merging::{assert_tidy, commit, committed, in_worktree},
    oracle::{aside, wait_for_lines},
    world,
};

/// How many loops there are.
const LOOPS: usize = 10;

/// Runs ten loops at once: none goes on before all have begun, so they do run at once.
fn ten_at_once(env: &Env) {
    let folder = aside(env, "begun");
    fs::create_dir_all(&folder).expect("the folder is ours");
    let start = |n: usize| {
        let body = format!(
            "touch {folder}/{n}; while [ ! -e {folder}/go ]; do sleep 0.3; done; \
             echo {n} > own-{n}.txt",
            folder = folder.display()
        );
        let check = format!("test -e own-{n}.txt");
        let args = ["--auto-commit", "--check", &check, "--commit-template", "by {name}"];
        let call = in_worktree(env, &format!("n{n}"), &body, &args);
        call.limit(Duration::from_secs(200)).spawn()
    };
    let running: Vec<_> = (0..LOOPS).map(start).collect();
    let all = || fs::read_dir(&folder).map_or(0, Iterator::count) == LOOPS;
    wait_until("all of them work", Duration::from_secs(120), all);
    fs::write(folder.join("go"), "").expect("the folder is ours");
    running.into_iter().for_each(|one| drop(one.wait().success()));
}

#[test]
fn ten_loops_at_once_are_merged_one_after_the_other_both_ways() {
    let env = world();
    ten_at_once(&env);
    env.git(["branch", "line"]);
    let home = |n: usize, args: &[&str]| {
        let name = format!("n{n}");
        let call = env.command(["merge", &name, "--json"]);
        let ran = args.iter().fold(call, |call, arg| call.arg(arg)).run().success();
        assert_eq!(ran.json()["verified"], true, "{ran}");
    };
    (0..LOOPS).for_each(|n| home(n, &["--rebase", "--into", "line", "--keep"]));
    (0..LOOPS).for_each(|n| home(n, &["--merge"]));
    for branch in ["main", "line"] {
        let log = env.git(["log", "--format=%s", branch]);
        let files = env.git(["ls-tree", "-r", "--name-only", branch]);
        for n in 0..LOOPS {
            assert_eq!(log.lines().filter(|line| *line == format!("by n{n}")).count(), 1, "{log}");
            assert!(files.contains(&format!("own-{n}.txt")), "{files}");
        }
    }
    let count =
        |args: &[&str]| env.git([&["rev-list", "--count"], args].concat()).trim().to_owned();
    assert_eq!(count(&["--merges", "line"]), "0");
    assert_eq!(count(&["line"]), (LOOPS + 1).to_string());
    assert_eq!(count(&["--merges", "main"]), (LOOPS - 1).to_string(), "the first moves it forward");
    assert_tidy(&env);
    assert_eq!(env.git(["worktree", "list"]).lines().count(), 1, "all of them are home");
}

#[test]
fn of_two_merges_at_once_one_is_refused_and_no_commit_is_lost() {
    let env = world();
    committed(&env, "one", "echo 1 > 1.txt", &[]);
    committed(&env, "two", "echo 2 > 2.txt", &[]);
    let began = aside(&env, "began");
    let check = format!("echo >> {0}; while [ ! -e {0}.go ]; do sleep 0.1; done", began.display());
    let first = env.command(["merge", "one", "--name", "first", "--check", &check]).spawn();
    wait_for_lines(&began, 1);
    let ran = env.windlass(["merge", "two"]).code(4);
    insta::assert_snapshot!(ran.snapshot(), @"
    exit: 4
    --- stdout
    --- stderr
    error: another merge into `main` is under way, by the loop first

    hint: wait for it, and merge again; `windlass list` shows all loops
    ");
    // The work of a loop that is being merged is left alone too.
    let ran = env.windlass(["merge", "one"]).code(4);
    assert!(ran.stderr.contains("is in use by the loop first"), "{ran}");
    fs::write(began.with_extension("go"), "").unwrap();
    drop(first.wait().success());
    env.windlass(["merge", "two"]).success();
    assert_eq!((env.read("1.txt"), env.read("2.txt")), ("1\n".into(), "2\n".into()));
    assert_tidy(&env);
}

#[test]
fn merges_that_race_lose_nothing() {
    let env = world();
    let names: Vec<String> = (0..4).map(|n| format!("n{n}")).collect();
    for name in &names {
        committed(&env, name, &format!("echo x > {name}.txt"), &[]);
    }
    commit(&env, "user.txt", "u\n");
    // Each tries until it is home; the others stand in its way, and never harm it.
    let mut open = names.clone();
    for _ in 0..8 {
        let running: Vec<_> =
            open.iter().map(|name| (name, env.command(["merge", name, "-q"]).spawn())).collect();
        let ended: Vec<_> = running.into_iter().map(|(name, one)| (name, one.wait())).collect();
        let failed = ended.into_iter().filter(|(_, ran)| {
            assert!(matches!(ran.code, Some(0 | 4)), "{ran}");
            ran.code != Some(0)
        });
        open = failed.map(|(name, _)| name.clone()).collect();
        if open.is_empty() {
            break;
        }
    }
    assert_eq!(open, Vec::<String>::new());
    for name in &names {
        assert_eq!(env.read(format!("{name}.txt")), "x\n");
    }
    assert_tidy(&env);
}
