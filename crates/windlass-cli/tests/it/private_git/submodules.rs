//! Submodules have a private git directory in a sandbox too, at any depth: what an agent commits in
//! them comes to the user's, and nothing else does.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on must fail")]

use std::{collections::BTreeMap, fs};

use testkit::Env;

use super::{in_each_sandbox, iterations, planting::files};
use crate::{COMPLETE, shell};

/// The submodule, and the one in it.
const LIB: &str = "vendor/lib";
const DEEP: &str = "vendor/lib/inner/deep";

/// A repository with a submodule that is on a branch, and has one itself that is on none. Both have
/// names with slashes.
pub(crate) fn with_submodules(env: &Env) {
    let file = ["-c", "protocol.file.allow=always"];
    for name in ["deep", "lib"] {
        let at = env.root().join(name).display().to_string();
        env.git(["init", "-q", "-b", "main", &at]);
        fs::write(env.root().join(name).join("file"), name).unwrap();
        env.git(["-C", &at, "add", "-A"]);
        env.git(["-C", &at, "commit", "-q", "-m", &format!("{name} begins")]);
    }
    let (deep, lib) = (env.root().join("deep"), env.root().join("lib"));
    let (deep, lib) = (deep.display().to_string(), lib.display().to_string());
    env.git(["-C", &lib, file[0], file[1], "submodule", "--quiet", "add", &deep, "inner/deep"]);
    env.git(["-C", &lib, "commit", "-q", "-m", "with deep"]);
    env.git([file[0], file[1], "submodule", "--quiet", "add", &lib, LIB]);
    env.git([file[0], file[1], "submodule", "--quiet", "update", "--init", "--recursive"]);
    env.git(["commit", "-q", "-m", "with submodules"]);
}

/// The newest commit of a repository in the tree, by its subject.
fn newest(env: &Env, at: &str) -> String {
    env.git(["-C", at, "log", "-1", "--format=%s"]).trim().to_owned()
}

/// What the refs of loops in a repository are called, without the loop's name.
fn kept(env: &Env, at: &str) -> Vec<String> {
    let refs = env.git(["-C", at, "for-each-ref", "--format=%(refname)", "refs/windlass"]);
    refs.lines().map(|name| name.splitn(4, '/').nth(3).unwrap().to_owned()).collect()
}

/// That the user's git has nothing to complain of.
#[track_caller]
fn assert_clean(env: &Env) {
    assert_eq!(env.git(["status", "--porcelain"]), "");
    let status = env.git(["submodule", "status", "--recursive"]);
    assert_eq!(status.lines().count(), 2, "{status}");
    assert!(status.lines().all(|line| line.starts_with(' ')), "{status}");
    for at in [".", LIB, DEEP] {
        assert_eq!(env.git(["-C", at, "fsck", "--strict"]), "", "{at}");
    }
}

/// Commits in the submodules and in the repository, innermost first.
const WORK: &str = "
    set -e
    cd vendor/lib/inner/deep; echo more >> file; git commit -qam 'deep work'
    cd ../..; echo more >> file; git commit -qam 'lib work'
    cd ../..; git commit -qam 'work'
    test -z \"$(git status --porcelain)\"
    git submodule status --recursive | grep -qv '^ ' && exit 1
    git submodule --quiet update --recursive
    git submodule --quiet foreach --recursive 'git log -1 --format=%s' > ../said || true";

#[test]
fn commits_in_submodules_come_to_the_users_and_leave_everything_clean() {
    in_each_sandbox(|env, sandbox| {
        with_submodules(env);
        let ran = iterations(env, sandbox, WORK, "2").code(1);
        let told: Vec<&str> =
            ran.stderr.lines().filter(|line| line.contains("submodule")).collect();
        let unseen = |line: &&str| line.starts_with("note: uncommitted work in submodules");
        assert!(matches!(told[..], [only] if unseen(&only)), "{}", ran.stderr);
        for (at, subject) in [(".", "work"), (LIB, "lib work"), (DEEP, "deep work")] {
            let log = env.git(["-C", at, "log", "--format=%s"]);
            assert_eq!(log.lines().take(2).collect::<Vec<_>>(), [subject; 2], "{at}");
        }
        assert_eq!(env.git(["-C", LIB, "symbolic-ref", "HEAD"]).trim(), "refs/heads/main");
        assert_eq!(kept(env, LIB), ["heads/main"]);
        assert_eq!(kept(env, DEEP), ["HEAD"]);
        assert_clean(env);
    });
}

#[test]
fn a_detached_submodule_follows_an_agent_that_went_onto_a_branch() {
    in_each_sandbox(|env, sandbox| {
        with_submodules(env);
        let agent = "cd vendor/lib/inner/deep; git checkout -q -b topic; echo more >> file\n\
                     git commit -qam 'on a branch'; cd ../..; git commit -qam lib; cd ../..; git commit -qam all";
        let ran = iterations(env, sandbox, agent, "1").code(1);
        let told = format!("in the submodule `{DEEP}`, the agent made the branch `topic`, kept as");
        assert!(ran.stderr.contains(&told), "{}", ran.stderr);
        assert_eq!(newest(env, DEEP), "on a branch");
        assert_eq!(env.git(["-C", DEEP, "branch", "--show-current"]).trim(), "");
        assert_clean(env);
    });
}

#[test]
fn rewritten_commits_of_a_submodule_are_kept_and_told_and_its_branch_stays() {
    in_each_sandbox(|env, sandbox| {
        with_submodules(env);
        let agent =
            "cd vendor/lib; git commit -q --amend -m rewritten; cd ../..; git commit -qam all";
        let ran = iterations(env, sandbox, agent, "1").code(1);
        let told = format!(
            "in the submodule `{LIB}`, `main` stays where it is: the agent's commits do not follow \
             the last one of yours"
        );
        assert!(ran.stderr.contains(&told), "{}", ran.stderr);
        assert_eq!(newest(env, LIB), "with deep");
        assert_eq!(kept(env, LIB), ["heads/main"]);
        // The commit that the repository names is there, to be checked out.
        assert_eq!(newest(env, "."), "all");
        env.git(["submodule", "--quiet", "update"]);
        assert_eq!(newest(env, LIB), "rewritten");
        assert_clean(env);
    });
}

#[test]
fn a_commit_that_names_what_a_submodule_has_not_got_does_not_move_the_branch() {
    in_each_sandbox(|env, sandbox| {
        with_submodules(env);
        let agent = "id=$(git rev-parse HEAD); git update-index --cacheinfo 160000,$id,vendor/lib\n\
                     git commit -qm 'names nothing'";
        let ran = iterations(env, sandbox, agent, "1").code(1);
        let told = format!("they name a commit of the submodule `{LIB}` that you do not have");
        assert!(ran.stderr.contains(&told), "{}", ran.stderr);
        assert_eq!(newest(env, "."), "with submodules");
        assert_clean(env);
    });
}

#[test]
fn a_check_asks_git_in_submodules_and_finds_no_agent_there() {
    in_each_sandbox(|env, sandbox| {
        with_submodules(env);
        let agent = format!(
            "cd {LIB}; echo more >> file; git commit -qam more; git config alias.log '!true'\n\
             git branch planted; cd ../..; git commit -qam more; echo '{COMPLETE}'"
        );
        let check = format!(
            "git submodule status --recursive | grep -qv '^ ' && exit 1\n\
             git -C {LIB} log -1 --format=%s | grep -qx more && git -C {DEEP} log -1 | grep -q begins\n\
             test $(git -C {LIB} branch | wc -l) = 1"
        );
        let args = ["--sandbox", sandbox, "--max-iterations", "1", "--check", &check];
        shell(env, &agent, &args).run().success();
        assert_clean(env);
    });
}

#[test]
fn a_submodule_that_is_not_checked_out_can_be_and_the_users_stays() {
    in_each_sandbox(|env, sandbox| {
        with_submodules(env);
        env.git(["submodule", "--quiet", "deinit", "-f", LIB]);
        let agent = "git submodule --quiet update --init && test -f vendor/lib/file && touch worked\n\
                     cd vendor/lib; echo more >> file; git commit -qam 'in vain'";
        let ran = iterations(env, sandbox, agent, "1").code(1);
        assert!(env.work().join("worked").exists(), "{}", ran.stderr);
        let told = format!("in the submodule `{LIB}`, the agent committed on no branch, kept as");
        assert!(ran.stderr.contains(&told), "{}", ran.stderr);
        let module = env.work().join(".git/modules/vendor/lib").display().to_string();
        let heads = env.git(["-C", &module, "log", "--format=%s", "--branches"]);
        assert!(!heads.contains("in vain"), "{heads}");
        assert_eq!(kept(env, &module), ["HEAD"]);
    });
}

#[test]
fn submodules_that_an_agent_adds_or_removes_are_told_and_run_nothing() {
    in_each_sandbox(|env, sandbox| {
        with_submodules(env);
        let agent = r#"
            git init -q local; git -C local commit -q --allow-empty -m local
            git -c protocol.file.allow=always submodule --quiet add ./local added
            git -C added config core.fsmonitor "touch $PWD/ran"
            rm -rf local .git/modules/vendor/lib; git rm -q --cached vendor/lib; git commit -qm 'other ones'"#;
        let ran = iterations(env, sandbox, agent, "2").code(1);
        for told in [
            "the agent removed the git directory of the submodule `vendor/lib` from its own",
            "the agent removed the git directory of the submodule `vendor/lib/inner/deep`",
            "the agent added the submodule `added`, whose git directory is only in its own",
            "`main` stays where it is: they add a repository inside of it, `added`",
        ] {
            assert_eq!(ran.stderr.matches(told).count(), 1, "{told}\n{}", ran.stderr);
        }
        drop(fs::remove_file(env.work().join("ran")));
        fs::remove_dir_all(env.work().join("added")).unwrap();
        for name in [".gitmodules", LIB] {
            env.git(["checkout", "-q", "--", name]);
        }
        assert_clean(env);
        assert!(!env.work().join("ran").exists());
    });
}

#[test]
fn removing_a_loop_removes_its_refs_in_submodules_but_for_work_that_is_nowhere_else() {
    in_each_sandbox(|env, sandbox| {
        with_submodules(env);
        iterations(env, sandbox, WORK, "1").code(1);
        let list = env.windlass(["list", "--json"]).success().json();
        let ran = env.windlass(["rm", list[0]["name"].as_str().unwrap()]).success();
        assert_eq!(kept(env, LIB), [] as [&str; 0]);
        assert_eq!(kept(env, DEEP), ["HEAD"]);
        let told = format!("HEAD` in the submodule `{DEEP}` stays: its commits are in no branch");
        assert!(ran.stderr.contains(&told), "{}", ran.stderr);
    });
}

#[test]
fn a_linked_worktree_has_submodules_of_its_own() {
    in_each_sandbox(|env, sandbox| {
        with_submodules(env);
        let at = env.root().join("linked");
        let shown = at.display().to_string();
        env.git(["worktree", "add", "-q", "-b", "linked", &shown]);
        let file = "protocol.file.allow=always";
        let update = ["submodule", "--quiet", "update", "--init", "--recursive"];
        env.git(["-C", &shown, "-c", file].into_iter().chain(update));
        let before = files(&env.work().join(".git/modules"));
        let args = ["--sandbox", sandbox, "--max-iterations", "1"];
        shell(env, WORK, &args).directory(&at).run().code(1);
        assert_eq!(env.git(["-C", &shown, "status", "--porcelain"]), "");
        let status = env.git(["-C", &shown, "submodule", "status", "--recursive"]);
        assert!(status.lines().count() == 2 && !status.contains('+'), "{status}");
        for (inner, subject) in [("", "work"), (LIB, "lib work"), (DEEP, "deep work")] {
            assert_eq!(newest(env, &at.join(inner).display().to_string()), subject);
        }
        assert_eq!(kept(env, &at.join(DEEP).display().to_string()), ["HEAD"]);
        assert!(before == files(&env.work().join(".git/modules")), "the other work tree's changed");
    });
}

/// What a hostile agent does to its submodules' git directories, and to what names them.
const PLANT: &str = r#"
    run="sh -c 'echo ran >> $OUT/ran'"
    git config submodule.vendor/lib.update "!$run"
    for at in vendor/lib vendor/lib/inner/deep; do
        git -C $at config core.fsmonitor "$run"; git -C $at config core.hooksPath "$PWD/evil-hooks"
        git -C $at config core.pager "$run"; git -C $at config submodule.inner/deep.update "!$run"
        own=$(cd $at && git rev-parse --absolute-git-dir)
        mkdir -p $own/hooks; printf '#!/bin/sh\n%s\n' "$run" > $own/hooks/post-checkout; chmod +x $own/hooks/*
        echo "* filter=x" > $own/info/attributes
    done
    for at in vendor/lib/inner/deep vendor/lib; do
        own=$(cd $at && git rev-parse --absolute-git-dir)
        git config --file $own/config core.worktree "$HOME"
        rm -rf $own/worktrees $own/refs/heads; ln -s "$HOME" $own/worktrees
        ln -s "$OUT/.git/refs/heads" $own/refs/heads; rm -f $own/index; ln -s "$OUT/index" $own/index
    done
    git init -q evil; git -C evil config core.fsmonitor "$run"
    for at in vendor/lib vendor/lib/inner/deep; do
        echo "gitdir: $PWD/evil/.git" > $at/.git; rm -f $at/.git; mv $at $at-aside; rm -rf $at
        mkdir -p $at; cp -r evil/.git $at/.git
    done
    mv vendor aside; mkdir -p vendor/lib; cp -r evil/.git vendor/lib/.git
    mv .git/modules .git/moved; ln -s "$OUT/.git/moved" .git/modules; true
"#;

#[test]
fn a_hostile_session_leaves_the_git_directories_of_submodules_as_they_were_byte_by_byte() {
    in_each_sandbox(|env, sandbox| {
        with_submodules(env);
        let git = env.work().join(".git");
        let links = || [LIB, DEEP].map(|at| env.read(format!("{at}/.git")));
        let (before, linked) = (files(&git), links());
        let out = env.work().display().to_string();
        iterations(env, sandbox, &format!("OUT={out}\n{PLANT}"), "2").code(1);
        let after = files(&git);
        let differs = |(name, bytes): &(&String, &Vec<u8>)| before.get(*name) != Some(*bytes);
        let changed: BTreeMap<_, _> = after.iter().filter(differs).collect();
        let is_loops = |name: &&&String| name.contains("refs/windlass/");
        let others: Vec<_> = changed.keys().filter(|name| !is_loops(name)).collect();
        assert!(others.is_empty(), "{others:?}");
        assert!(before.keys().all(|name| after.contains_key(name)), "something is gone");
        assert_eq!(links(), linked);
        drop(fs::remove_file(env.work().join("ran")));
        env.git(["status"]);
        env.git(["submodule", "status", "--recursive"]);
        env.git(["submodule", "update", "--recursive", "--force"]);
        env.git(["-C", DEEP, "gc", "-q"]);
        assert!(!env.work().join("ran").exists(), "the user's git ran what the agent planted");
        assert!(env.home().join(".gitconfig").exists(), "the home is still there");
    });
}
