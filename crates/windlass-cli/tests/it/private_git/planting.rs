//! What an agent plants in its git directory stays there, and the user's is byte by byte as it was.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on must fail")]

use std::{collections::BTreeMap, fs, path::Path};

use testkit::Env;

use super::{in_each_sandbox, iterations};

/// Everything that is known to make git run something, hide something or write elsewhere.
const PLANT: &str = r#"
    run="sh -c 'echo ran >> $OUT/ran'"
    git config core.fsmonitor "$run"; git config core.hooksPath "$PWD/evil-hooks"
    git config core.pager "$run"; git config alias.status "!$run"; git config core.sshCommand "$run"
    mkdir -p .git/hooks evil-hooks; printf '#!/bin/sh\necho ran >> %s/ran\n' "$OUT" > .git/hooks/post-index-change
    cp .git/hooks/post-index-change evil-hooks/post-index-change
    chmod +x .git/hooks/* evil-hooks/*
    echo "$OUT" > .git/commondir; rm -f .git/commondir
    mkdir -p .git/rebase-merge; echo "exec $run" > .git/rebase-merge/git-rebase-todo
    echo refs/heads/main > .git/rebase-merge/head-name
    rm -rf .git/worktrees; ln -s "$HOME" .git/worktrees
    echo '*' >> .git/info/exclude; echo '* filter=x' > .git/info/attributes
    git update-index --assume-unchanged README.md; echo changed >> README.md
    for object in $(find .git/objects -type f | head -3); do echo forged > $object 2>/dev/null; done
    echo /nowhere > .git/objects/info/alternates
    git update-ref refs/heads/other HEAD; git update-ref -d refs/heads/keep
    git stash clear; git reflog expire --expire=now --all; git gc -q --prune=now
    mv .git/index .git/moved; ln -s "$OUT/index" .git/index
    mv .git .git-aside; mkdir .git; cp -r .git-aside/* .git/ 2>/dev/null
    rm -rf .git-aside; true
"#;

/// Every file of a directory with its bytes; links with where they lead.
pub(super) fn files(directory: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut open = vec![directory.to_owned()];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(directory).unwrap().to_string_lossy().into_owned();
            if path.is_symlink() {
                let target = fs::read_link(&path).unwrap();
                found.insert(name, target.to_string_lossy().into_owned().into_bytes());
            } else if path.is_dir() {
                open.push(path);
            } else {
                found.insert(name, fs::read(path).unwrap());
            }
        }
    }
    found
}

/// A repository with a branch, a stash and a file that could be hidden.
fn prepare(env: &Env) {
    env.write("README.md", "read me\n");
    env.git(["add", "-A"]);
    env.git(["commit", "-q", "-m", "files"]);
    env.git(["branch", "keep"]);
    env.write("README.md", "stashed\n");
    env.git(["stash", "-q"]);
    fs::create_dir_all(env.work().join(".git/info")).unwrap();
}

#[test]
fn a_hostile_session_leaves_the_users_git_directory_as_it_was_byte_by_byte() {
    in_each_sandbox(|env, sandbox| {
        prepare(env);
        let git = env.work().join(".git");
        let before = files(&git);
        let out = env.work().display().to_string();
        iterations(env, sandbox, &format!("OUT={out}\n{PLANT}"), "2").code(1);
        let after = files(&git);
        let changed: Vec<&String> = after
            .iter()
            .filter(|(name, bytes)| before.get(*name) != Some(*bytes))
            .map(|(name, _)| name)
            .collect();
        let is_loops = |name: &&String| name.starts_with("refs/windlass/");
        assert!(changed.iter().all(is_loops), "{changed:?}");
        assert!(before.keys().all(|name| after.contains_key(name)), "something is gone");
    });
}

#[test]
fn nothing_that_was_planted_runs_when_the_user_calls_git() {
    in_each_sandbox(|env, sandbox| {
        prepare(env);
        let out = env.work().display().to_string();
        let commit = "git add -A; git commit -qm 'with a gift'\n";
        iterations(env, sandbox, &format!("OUT={out}\n{commit}{PLANT}"), "2").code(1);
        drop(fs::remove_file(env.work().join("ran")));
        env.git(["status"]);
        env.git(["stash", "list"]);
        env.git(["gc", "-q"]);
        env.git(["commit", "-q", "-a", "-m", "mine"]);
        assert!(!env.work().join("ran").exists(), "the user's git ran what the agent planted");
        assert!(env.home().join(".gitconfig").exists(), "the home is still there");
    });
}

#[test]
fn a_nested_repository_in_a_commit_is_not_put_in_the_users_way() {
    in_each_sandbox(|env, sandbox| {
        let agent = r#"
            git init -q nested; cd nested
            git -c user.name=x -c user.email=x@x commit -q --allow-empty -m inner
            git config core.fsmonitor "touch $PWD/../ran"; cd ..
            git add nested 2>/dev/null; git commit -qm nested"#;
        let ran = iterations(env, sandbox, agent, "1").code(1);
        drop(fs::remove_file(env.work().join("ran")));
        assert!(ran.stderr.contains("add a repository inside of it, `nested`"), "{}", ran.stderr);
        env.git(["status"]);
        assert!(!env.work().join("ran").exists(), "the user's git entered the nested repository");
    });
}

#[test]
fn another_repositorys_history_does_not_come_in_by_links() {
    in_each_sandbox(|env, sandbox| {
        let other = env.root().join("other");
        fs::create_dir(&other).unwrap();
        env.git(["init", "-q", "-b", "main", &other.display().to_string()]);
        let at = other.display().to_string();
        env.git(["-C", &at, "commit", "-q", "--allow-empty", "-m", "private"]);
        let id = env.git(["-C", &at, "rev-parse", "HEAD"]).trim().to_owned();
        let agent = format!(
            "echo {at}/.git/objects >> .git/objects/info/alternates\n\
             rm -rf .git/refs/heads; ln -s {at}/.git/refs/heads .git/refs/heads\n\
             rm -f .git/packed-refs; echo '{id} refs/heads/main' > .git/packed-refs"
        );
        iterations(env, sandbox, &agent, "2").code(1);
        let log = env.git(["log", "--all", "--format=%s"]);
        assert!(!log.contains("private"), "{log}");
    });
}
