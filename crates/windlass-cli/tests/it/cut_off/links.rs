//! Links in the git directory that lead to another place which windlass's helper may write: another
//! repository inside of the work tree. Nothing is written through them, and windlass says what is in
//! the way.

use std::{collections::BTreeMap, fs, path::Path};

use testkit::{Env, Ran};

use crate::{COMPLETE, shell, world};

/// A world with another repository in its tree, in which somebody has committed and staged.
fn with_another() -> Env {
    let env = world();
    env.write(".gitignore", "/other/\n");
    env.git(["add", ".gitignore"]);
    env.git(["commit", "--quiet", "--message=ignore"]);
    env.git(["init", "--quiet", "--initial-branch=main", "other"]);
    env.write("other/a.txt", "other\n");
    env.git(["-C", "other", "add", "--all"]);
    env.git(["-C", "other", "commit", "--quiet", "--message=other"]);
    env.write("other/b.txt", "staged\n");
    env.git(["-C", "other", "add", "--all"]);
    // As that of a submodule, in the git directory itself.
    drop(
        env.other("sh", ["-ec", "mkdir .git/modules; cp -a other/.git .git/modules/x"])
            .run()
            .success(),
    );
    env
}

/// Every file of a directory, with what it holds.
fn contents(directory: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        let name = entry.path().display().to_string();
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            found.extend(contents(&entry.path()));
            found.insert(name, Vec::new());
        } else {
            found.insert(name, fs::read(entry.path()).unwrap_or_default());
        }
    }
    found
}

/// All that is not this repository's own.
fn others(env: &Env) -> BTreeMap<String, Vec<u8>> {
    let mut found = contents(&env.work().join("other"));
    found.extend(contents(&env.work().join(".git/modules")));
    found
}

/// Does something in a world in which something was planted; the other repository is as it was.
#[track_caller]
fn untouched(plant: &str, act: impl Fn(&Env) -> Ran) -> Ran {
    let env = with_another();
    let before = others(&env);
    drop(env.other("sh", ["-ec", plant]).run().success());
    let ran = act(&env);
    let after = others(&env);
    for name in before.keys().chain(after.keys()) {
        assert_eq!(before.get(name), after.get(name), "{plant}: {name} was touched\n{ran}");
    }
    ran
}

/// A commit of a loop's work.
fn commit(env: &Env) -> Ran {
    let body = format!("date +%N > new.txt; echo '{COMPLETE}'");
    shell(env, &body, &["--auto-commit"]).run()
}

#[test]
fn a_commit_writes_nothing_into_another_repository_of_the_tree() {
    let plants = [
        "mv .git/index .git/was; ln -s ../other/.git/index .git/index",
        "rm -f .git/logs/HEAD; ln -s ../../other/.git/logs/HEAD .git/logs/HEAD",
        "mv .git/logs .git/was; ln -s ../other/.git/logs .git/logs",
        "mv .git/refs/heads .git/was; ln -s ../../other/.git/refs/heads .git/refs/heads",
        "for n in 0 1 2 3 4 5 6 7 8 9 a b c d e f; do for m in 0 1 2 3 4 5 6 7 8 9 a b c d e f; do \
         [ -e .git/objects/$n$m ] || ln -s ../../other/.git/objects/info .git/objects/$n$m; \
         done; done",
        "mv .git/index .git/was; ln -s modules/x/index .git/index",
        "mv .git/logs .git/was; ln -s modules/x/logs .git/logs",
        "mv .git/refs/heads .git/was; ln -s ../modules/x/refs/heads .git/refs/heads",
        "mv .git/logs/refs/heads .git/was; ln -s ../../modules/x/logs/refs/heads .git/logs/refs/heads",
        "rm -r .git/objects/pack; ln -s ../../other/.git/objects/pack .git/objects/pack",
    ];
    for plant in plants {
        let ran = untouched(plant, commit);
        assert!(ran.code != Some(0), "{plant}: it says what is in the way\n{ran}");
        let told = format!("{}{}", ran.stdout, ran.stderr);
        assert!(told.contains("link"), "{plant}: {ran}");
    }
}

#[test]
fn an_index_that_another_repository_shares_is_not_written_through() {
    // A second name of the same file: it is replaced, and not written.
    let plant = "cp .git/index .git/was; ln -f other/.git/index .git/index";
    drop(untouched(plant, commit));
}

#[test]
fn a_branch_is_not_made_in_another_repository_of_the_tree() {
    let plant = "ln -s ../../../other/.git/refs/heads .git/refs/heads/try";
    let ran = untouched(plant, |env| {
        let args = ["--create-branch", "--branch-template", "try/it"];
        shell(env, &format!("echo '{COMPLETE}'"), &args).run()
    });
    assert!(ran.code != Some(0) && ran.stderr.contains("refs/heads/try"), "{ran}");
    let plant = "mkdir -p .git/logs/refs/heads; \
                 ln -s ../../../../other/.git/logs/refs/heads .git/logs/refs/heads/try";
    let ran = untouched(plant, |env| {
        shell(env, &format!("echo '{COMPLETE}'"), &["--worktree", "try/it"]).run()
    });
    assert!(ran.code != Some(0) && ran.stderr.contains("refs/heads/try"), "{ran}");
}

#[test]
fn what_a_merge_puts_in_place_is_not_written_into_another_repository() {
    let plant = "ln -s ../other/.git/index .git/windlass-index; \
                 ln -s ../other/.git/HEAD .git/windlass-mark";
    let ran = untouched(plant, |env| {
        let body = format!("echo x > a.txt; echo '{COMPLETE}'");
        let args = ["--worktree", "topic", "--auto-commit", "--name", "mine"];
        drop(shell(env, &body, &args).run().success());
        env.windlass(["merge", "mine"])
    });
    drop(ran.success());
}

#[test]
fn a_worktree_is_not_listed_or_removed_through_a_link() {
    let plant = "git -C other worktree add -q -b side ../aside; mkdir -p .git/worktrees; \
                 ln -s ../../other/.git/worktrees/aside .git/worktrees/mine";
    let env = with_another();
    drop(env.other("sh", ["-ec", plant]).run().success());
    let before = contents(&env.work().join("other"));
    let args = ["--worktree", "topic", "--name", "mine"];
    let ran = shell(&env, &format!("echo '{COMPLETE}'"), &args).run();
    assert!(ran.code != Some(0) && ran.stderr.contains("worktrees/mine"), "{ran}");
    drop(env.windlass(["gc"]));
    assert_eq!(contents(&env.work().join("other")), before);
}
