//! What is killed: a command that changes the repository, and what must be so when it has been run
//! to its end after all.

use std::{fs, path::Path};

use serde_json::json;
use testkit::{Env, Invocation, Ran};

use super::killing::REAL;
use crate::{
    COMPLETE,
    merging::{assert_tidy, commit, committed},
    oracle::{has_store, wait_until_quiet},
    private_git::with_submodules,
    world,
};

/// A command that is killed.
pub(super) struct Scene {
    pub(super) name: &'static str,
    /// A world in which all that goes before it is done.
    pub(super) set_up: fn() -> Env,
    args: &'static [&'static str],
    /// That what it was to do is done, and nothing else.
    done: fn(&Env),
}

/// All of them.
pub(super) const SCENES: &[Scene] = &[
    Scene {
        name: "worktree",
        set_up: with_agent,
        args: &["iterate", "--name", "mine", "--worktree", "topic"],
        done: |env| {
            let tree = env.windlass_home().join("worktrees/mine");
            assert_eq!(env.git(["branch", "--format=%(refname:short)"]), "main\ntopic\n");
            assert_eq!(env.git(["worktree", "list"]).lines().count(), 2);
            assert_eq!(git_in(env, &tree, &["branch", "--show-current"]), "topic\n");
            assert_eq!(git_in(env, &tree, &["status", "--porcelain"]), "?? a.txt\n");
            let readme = fs::read_to_string(tree.join("README.md"));
            assert_eq!(readme.expect("it is checked out"), "# A project\n");
            assert_eq!(env.git(["rev-parse", "topic"]), env.git(["rev-parse", "main"]));
            assert_eq!(env.git(["status", "--porcelain"]), "");
        },
    },
    Scene {
        name: "branch",
        set_up: with_agent,
        args: &["iterate", "--name", "mine", "--create-branch", "--branch-template", "try/it"],
        done: |env| {
            assert_eq!(env.git(["branch", "--format=%(refname:short)"]), "main\ntry/it\n");
            assert_eq!(env.git(["branch", "--show-current"]), "try/it\n");
            assert_eq!(env.git(["status", "--porcelain"]), "?? a.txt\n");
        },
    },
    Scene {
        name: "commit",
        set_up: || {
            let env = with_agent();
            commit(&env, "gone.txt", "goes\n");
            commit(&env, "users.txt", "theirs\n");
            env.write("users.txt", "staged\n");
            env.git(["add", "users.txt"]);
            env
        },
        args: &["iterate", "--name", "mine", "--auto-commit"],
        done: |env| {
            let log = env.git(["log", "--format=%s", "--name-status", "-1"]);
            assert_eq!(log, "loop: iteration 1\n\nA\ta.txt\nD\tgone.txt\n");
            assert_eq!(env.git(["rev-list", "--count", "HEAD"]), "4\n");
            assert_eq!(env.git(["status", "--porcelain"]), "M  users.txt\n");
        },
    },
    Scene {
        name: "bring",
        set_up: committing,
        args: &["iterate", "--name", "mine", "--sandbox", "auto", "--refs"],
        done: |env| {
            let log = env.git(["log", "--format=%s", "--name-status", "-1"]);
            assert_eq!(log, "by the agent\n\nA\ta.txt\nD\tgone.txt\n");
            assert_eq!(env.git(["rev-list", "--count", "HEAD"]), "4\n");
            assert_eq!(env.git(["status", "--porcelain"]), "M  users.txt\n");
            let refs = env.git(["for-each-ref", "--format=%(refname) %(subject)"]);
            let refs = refs.lines().map(|line| match line.strip_prefix("refs/windlass/") {
                Some(kept) => kept.split_once('/').map_or(line, |(_, name)| name),
                None => line,
            });
            let expected = [
                "refs/heads/main by the agent",
                "refs/heads/side on the side",
                "refs/tags/v1 by the agent",
                "heads/main by the agent",
                "heads/side on the side",
                "tags/v1 by the agent",
            ];
            assert_eq!(refs.collect::<Vec<_>>(), expected);
        },
    },
    Scene {
        name: "submodule",
        set_up: || {
            let env = world();
            with_submodules(&env);
            let agent = "PATH=/usr/local/bin:/usr/bin:/bin\ncd vendor/lib; echo x >> file\n\
                         git commit -qam sub; cd ../..; git commit -qam all";
            drop(env.install("mine-agent", &format!("{agent}; echo '{COMPLETE}'")));
            env
        },
        args: &["iterate", "--name", "mine", "--sandbox", "auto"],
        done: |env| {
            let lib = env.work().join("vendor/lib");
            assert_eq!(git_in(env, &lib, &["log", "-1", "--format=%s"]), "sub\n");
            assert_eq!(env.git(["log", "-1", "--format=%s"]), "all\n");
            assert_eq!(env.git(["status", "--porcelain"]), "");
            let status = env.git(["submodule", "status", "--recursive"]);
            assert!(status.lines().all(|line| line.starts_with(' ')), "{status}");
        },
    },
    Scene {
        name: "merge",
        set_up: || {
            let env = with_agent();
            commit(&env, "old.txt", "old\n");
            let body = "echo x > a.txt; echo loop >> README.md; rm old.txt; mkdir d; echo y > d/e";
            committed(&env, "mine", body, &[]);
            commit(&env, "other.txt", "user\n");
            env
        },
        args: &["merge", "mine"],
        done: |env| {
            // Where it was cut off before it removed the loop's worktree, that is left to `gc`.
            drop(env.windlass(["gc"]).success());
            assert_tidy(env);
            assert_eq!(env.git(["ls-files"]), "README.md\na.txt\nd/e\nother.txt\n");
            assert_eq!(env.git(["worktree", "list"]).lines().count(), 1);
        },
    },
    Scene {
        name: "rm",
        set_up: with_worktree,
        args: &["rm", "mine"],
        done: |env| {
            assert_eq!(env.sql("SELECT count(*) FROM loops"), "0\n");
            assert_no_worktree(env);
        },
    },
    Scene {
        name: "release",
        set_up: || {
            let env = committing();
            let args = ["iterate", "--name", "mine", "--sandbox", "auto", "--refs"];
            drop(start(&env, &args).run().success());
            assert_ne!(env.git(["for-each-ref", "refs/windlass"]), "");
            env
        },
        args: &["rm", "mine"],
        done: |env| {
            assert_eq!(env.sql("SELECT count(*) FROM loops"), "0\n");
            assert_eq!(env.git(["for-each-ref", "refs/windlass"]), "");
            assert_eq!(env.git(["branch", "--format=%(refname:short)"]), "main\nside\n");
        },
    },
    Scene { name: "gc", set_up: with_worktree, args: &["gc"], done: assert_no_worktree },
    Scene {
        name: "accept",
        set_up: || {
            let env = with_agent();
            let args = ["iterate", "--name", "mine", "--check", "false", "--max-iterations", "1"];
            drop(start(&env, &args).run().code(1));
            env
        },
        args: &["accept", "mine"],
        done: |env| {
            let shown = env.windlass(["show", "mine", "--json"]).success().json();
            let ending = json!({"type": "done", "by": "user", "unverified": true});
            assert_eq!(shown["result"]["ending"], ending);
            assert_eq!(env.git(["status", "--porcelain"]), "?? a.txt\n");
            assert_eq!(env.git(["rev-list", "--count", "HEAD"]), "1\n");
        },
    },
    Scene {
        name: "rollback",
        set_up: || {
            let env = with_agent();
            commit(&env, "gone.txt", "goes\n");
            drop(start(&env, &["iterate", "--name", "mine"]).run().success());
            env
        },
        args: &["rollback", "mine", "0"],
        done: |env| {
            assert_eq!(env.git(["status", "--porcelain", "--ignored"]), "");
            assert_eq!(env.read("gone.txt"), "goes\n");
        },
    },
];

fn assert_no_worktree(env: &Env) {
    assert_eq!(env.git(["worktree", "list"]).lines().count(), 1);
    assert!(!env.windlass_home().join("worktrees/mine").exists());
    assert_eq!(env.git(["branch", "--format=%(refname:short)"]), "main\ntopic\n");
    assert_eq!(env.git(["status", "--porcelain"]), "");
}

/// A world with an agent that changes files and claims.
fn with_agent() -> Env {
    let env = world();
    // It may be called twice, when its first session was cut off.
    drop(env.install("mine-agent", &format!("echo x > a.txt; rm -f gone.txt; echo '{COMPLETE}'")));
    env
}

/// A world with an agent that commits, in a sandbox: a branch, another one, and a tag.
fn committing() -> Env {
    let env = world();
    commit(&env, "gone.txt", "goes\n");
    commit(&env, "users.txt", "theirs\n");
    env.write("users.txt", "staged\n");
    env.git(["add", "users.txt"]);
    // It may be called twice, when its first session was cut off; its git is not the one that counts.
    let agent = format!(
        "export {REAL}\n\
         if ! git rev-parse -q --verify v1 > /dev/null; then\n\
         echo x > a.txt; git add a.txt; git rm -q gone.txt\n\
         git commit -q -m 'by the agent' -- a.txt gone.txt\n\
         git branch side $(git commit-tree -p HEAD -m 'on the side' 'HEAD^{{tree}}')\n\
         git tag v1; fi\n\
         echo '{COMPLETE}'"
    );
    drop(env.install("mine-agent", &agent));
    env
}

/// A world with a loop in a worktree of its own that has left no work.
fn with_worktree() -> Env {
    let env = world();
    drop(env.install("mine-agent", &format!("echo '{COMPLETE}'")));
    let args = ["iterate", "--name", "mine", "--worktree", "topic"];
    drop(start(&env, &args).run().success());
    env
}

/// A call, with the agent of this world where it starts a loop.
pub(super) fn start<'a>(env: &'a Env, args: &[&str]) -> Invocation<'a> {
    let call = env.command(args);
    if args[0] != "iterate" {
        return call;
    }
    call.args(["-p", "x", "--grace", "1s", "-c"]).arg(env.root().join("bin/mine-agent"))
}

fn git_in(env: &Env, tree: &Path, args: &[&str]) -> String {
    env.git(["-C", &tree.display().to_string()].iter().chain(args))
}

impl Scene {
    /// The command.
    pub(super) fn call<'a>(&self, env: &'a Env) -> Invocation<'a> {
        start(env, self.args)
    }

    /// Before anybody has done anything about it: the user's next commit would take nothing back.
    #[track_caller]
    fn assert_index_is_not_behind(&self, env: &Env, what: &str) {
        let log = env.git(["log", "-1", "--format=%s"]);
        if ["loop: iteration 1\n", "by the agent\n"].contains(&log.as_str()) {
            let staged = env.git(["diff", "--cached", "--name-only"]);
            assert_eq!(staged, "users.txt\n", "{}, {what}: the index is behind HEAD", self.name);
        }
    }

    /// That the command comes to its end after all, with `gc` before it or without.
    #[track_caller]
    pub(super) fn assert_recovers(&self, env: &Env, by_gc: bool, what: &str) {
        wait_until_quiet(env);
        self.assert_index_is_not_behind(env, what);
        if by_gc {
            drop(env.windlass(["gc"]).success());
        }
        let ran = self.again(env);
        if let Some(ran) = &ran {
            assert_eq!(ran.code, Some(0), "{}, {what}, again: {ran}", self.name);
        }
        let what = format!("{}, {what}{}", self.name, if by_gc { ", gc" } else { "" });
        assert_clean(env, &what);
        (self.done)(env);
    }

    /// The same once more, or `resume` where the loop is there.
    fn again(&self, env: &Env) -> Option<Ran> {
        let query = "SELECT coalesce(json_extract(ending, '$.type'), '-') FROM loops
                     WHERE name = 'mine' AND kind = 'iterate'";
        let mine = if has_store(env) { env.sql(query) } else { String::new() };
        Some(match (self.args[0], mine.trim()) {
            ("iterate", "") | ("merge" | "gc" | "rollback", _) => self.call(env).run(),
            ("iterate" | "accept", "done") | ("rm", "") => return None,
            ("iterate", _) => env.windlass(["resume", "mine"]),
            _ => self.call(env).run(),
        })
    }
}

/// Nothing of windlass's is left in the git directory, nor is anything written down as begun.
#[track_caller]
pub(super) fn assert_clean(env: &Env, what: &str) {
    for entry in walkdir(&env.work().join(".git")) {
        let name = entry.rsplit('/').next().unwrap_or_default();
        let is_left = name.ends_with(".lock") || name.contains("windlass-");
        assert!(!is_left, "{what}: {entry} is left");
    }
    let begun = walkdir(&env.windlass_home().join("intents"));
    assert!(begun.is_empty(), "{what}: {begun:?}");
    drop(env.git(["fsck", "--strict", "--no-dangling"]));
}

/// The files below a directory.
fn walkdir(directory: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            found.extend(walkdir(&entry.path()));
        } else {
            found.push(entry.path().display().to_string());
        }
    }
    found
}
