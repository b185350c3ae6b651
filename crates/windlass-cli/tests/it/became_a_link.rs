//! A loop's directory that was replaced by a symbolic link: no command that is about the loop reads
//! or writes where the link leads, and each says what is there and what to do.

use std::{fs, os::unix::fs::symlink, path::Path};

use testkit::{Env, Ran};

use crate::{COMPLETE, change_store, shell, world};

/// What opens the tree of a loop.
const ABOUT: [&[&str]; 4] = [
    &["diff", "mine"],
    &["rollback", "mine", "0"],
    &["resume", "mine", "--max-iterations", "3"],
    &["merge", "mine", "--any-ending", "--commit"],
];

/// Says what is there now, and what to do about it.
#[track_caller]
fn assert_refused(ran: &Ran, link: &Path, target: &str) {
    let words = format!(
        "error: `{}` was a directory and is a symbolic link to `{target}` now, so nothing is read or \
         written there; an agent could have put it there\n",
        link.display()
    );
    assert_eq!(ran.code, Some(4), "{ran}");
    assert!(ran.stderr.contains(&words), "{ran}");
    let hint = format!("put the directory back where it was: `{}`", link.display());
    assert!(ran.stderr.contains(&hint), "{ran}");
}

fn call(env: &Env, args: &[&str]) -> Ran {
    env.command(args).directory(env.root()).run()
}

/// Everything below a directory, with what it holds.
fn all_of(env: &Env, directory: &Path) -> String {
    let list = "find . -type f | sort | xargs md5sum";
    env.other("/bin/sh", ["-c", list]).directory(directory).run().success().stdout
}

#[test]
fn a_tree_that_became_a_link_to_another_is_refused_by_all() {
    let env = world();
    let (work, other) = (env.work(), env.root().join("other"));
    let args = ["--name", "mine", "--max-iterations", "1", "--create-branch"];
    drop(shell(&env, "date +%N >> a.txt", &args).run().code(1));
    // The same repository in another place, with work of the user's that is not committed.
    drop(env.other("/bin/cp", [Path::new("-a"), &work, &other]).run().success());
    fs::write(other.join("mine.txt"), "x").unwrap();
    let before = all_of(&env, &other);
    fs::rename(&work, env.root().join("aside")).unwrap();
    symlink("other", &work).unwrap();
    for args in ABOUT {
        assert_refused(&call(&env, args), &work, "other");
        assert_eq!(all_of(&env, &other), before, "{args:?}");
    }
    for args in [&["show", "mine"][..], &["log", "mine"], &["why", "mine"], &["gc"]] {
        drop(call(&env, args).success());
    }
    fs::remove_file(&work).unwrap();
    fs::rename(env.root().join("aside"), &work).unwrap();
    let shown = call(&env, &["diff", "mine"]).success().stdout;
    assert!(shown.contains("+++ b/a.txt"), "with the directory back, all is well: {shown}");
}

#[test]
fn a_loop_in_a_directory_of_the_tree_that_became_a_link_is_refused() {
    for target in ["../elsewhere", "nowhere"] {
        let env = world();
        let sub = env.work().join("sub");
        env.write("sub/file", "x");
        fs::create_dir(env.root().join("elsewhere")).unwrap();
        let args = ["--name", "mine", "--max-iterations", "1", "--create-branch"];
        drop(shell(&env, "date +%N >> a.txt", &args).directory(&sub).run().code(1));
        fs::remove_dir_all(&sub).unwrap();
        symlink(target, &sub).unwrap();
        for args in ABOUT {
            assert_refused(&call(&env, args), &sub, target);
        }
    }
}

#[test]
fn a_worktree_that_became_a_link_to_its_user_s_tree_leaves_that_alone() {
    let env = world();
    let body = format!("date +%N >> a.txt; echo '{COMPLETE}'");
    drop(shell(&env, &body, &["--name", "mine", "--worktree", "topic"]).run().success());
    let worktree = env.windlass_home().join("worktrees/mine");
    fs::rename(&worktree, env.root().join("aside")).unwrap();
    symlink(env.work(), &worktree).unwrap();
    env.write("mine.txt", "not committed");
    let target = env.work().display().to_string();
    for args in ABOUT.iter().filter(|args| args[0] != "resume") {
        assert_refused(&call(&env, args), &worktree, &target);
        assert_eq!(env.git(["status", "--porcelain"]), "?? mine.txt\n", "{args:?}");
    }
    let swept = call(&env, &["gc"]).success();
    assert!(swept.stdout.contains("is a symbolic link to"), "{swept}");
    drop(call(&env, &["rm", "mine"]).success());
    assert_eq!(env.git(["status", "--porcelain"]), "?? mine.txt\n");
}

#[test]
fn a_home_of_windlass_that_is_reached_by_a_link_is_no_reason_to_refuse() {
    let env = world();
    let real = env.root().join("elsewhere");
    fs::create_dir(&real).unwrap();
    symlink(&real, env.windlass_home()).unwrap();
    let args = ["--name", "mine", "--worktree", "topic", "--max-iterations", "1"];
    drop(shell(&env, "date +%N >> a.txt", &args).run().code(1));
    drop(call(&env, &["gc"]).success());
    for args in ABOUT.iter().take(2) {
        drop(call(&env, args).success());
    }
}

#[test]
fn an_agent_that_puts_a_link_in_the_place_of_its_directory_ends_the_loop() {
    let env = world();
    env.write("sub/file", "x");
    fs::create_dir(env.root().join("elsewhere")).unwrap();
    let (sub, body) = (env.work().join("sub"), "cd ..; rm -r sub; ln -s ../elsewhere sub");
    let ran = shell(&env, body, &["--json"]).directory(&sub).run().code(4);
    let told =
        format!("`{}` was a directory and is a symbolic link to `../elsewhere` now", sub.display());
    assert!(ran.json()["ending"]["message"].to_string().contains(&told), "{ran}");
}

#[test]
fn a_cut_off_merge_whose_directory_became_a_link_does_not_keep_others_from_merging() {
    let env = world();
    let body = format!("date +%N >> a.txt; echo '{COMPLETE}'");
    let args = ["--name", "mine", "--worktree", "topic", "--auto-commit"];
    drop(shell(&env, &body, &args).run().success());
    drop(env.windlass(["merge", "mine", "--check", "true", "--keep"]).success());
    // As if it had been cut off, in a place that is a link by now.
    let elsewhere = env.root().join("elsewhere");
    symlink(env.work(), &elsewhere).unwrap();
    let at = elsewhere.display();
    change_store(
        &env,
        &format!(
            "UPDATE loops SET ending = NULL, sessions = 0, owner_pid = 999999999 WHERE kind = 'merge'; \
             UPDATE loop_options SET options = json_set(options, '$.home', '{at}') \
             WHERE loop = (SELECT id FROM loops WHERE kind = 'merge')"
        ),
    );
    drop(shell(&env, &body, &["--name", "two", "--worktree", "other", "--auto-commit"]).run());
    drop(env.windlass(["merge", "two"]).success());
}
