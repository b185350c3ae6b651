//! The way from finished work to a pull request, and the way back.

use std::{ffi::OsStr, fs};

use testkit::Env;

use super::{bare, done};
use crate::{COMPLETE, scripted, shell, suggesting::commands, world};

/// The line that leads to a pull request.
#[track_caller]
fn line(screen: &str) -> String {
    let all = commands(screen);
    let line = all.iter().find(|command| command.contains("git "));
    line.unwrap_or_else(|| panic!("no such line: {screen}")).clone()
}

/// Gives the repository an origin on this machine that says to be on GitHub.
fn on_github(env: &Env) {
    let remote = env.root().join("engine.git");
    env.git([OsStr::new("init"), OsStr::new("--quiet"), OsStr::new("--bare"), remote.as_os_str()]);
    env.git(["remote", "add", "origin", "git@github.com:ada/engine.git"]);
    let short = format!("url.{}/.insteadOf", env.root().display());
    env.git(["config", &short, "git@github.com:ada/"]);
}

#[test]
fn without_a_remote_it_ends_after_the_commit_which_holds_the_loops_files_and_no_others() {
    let env = world();
    env.write("mine.txt", "before");
    env.write("kept.txt", "before");
    let script =
        format!("write a b.txt x\nwrite [id]*.txt x\nappend mine.txt more\nsay {COMPLETE}\n");
    let script = script.replace("a b.txt", "a-b.txt");
    scripted(&env, &script, &["--name", "mine"]).run().success();
    env.git(["add", "kept.txt"]);
    let line = line(&bare(&env));
    assert!(!line.contains("push") && !line.contains("gh "), "{line}");
    env.other("sh", ["-c", &line]).run().success();
    let committed = env.git(["show", "--name-only", "--format=%s"]);
    assert_eq!(committed, "mend it\n\n[id]*.txt\na-b.txt\n");
    assert_eq!(env.git(["branch", "--show-current"]), "windlass/mine\n");
    assert_eq!(env.git(["status", "--porcelain"]), "A  kept.txt\n?? mine.txt\n");
}

#[test]
fn it_pushes_and_opens_a_pull_request_where_gh_is_there_and_works_from_any_folder() {
    let env = done();
    on_github(&env);
    let without = line(&bare(&env));
    assert!(without.ends_with("git push -u origin windlass/mine"), "{without}");
    let calls = env.root().join("tmp/gh-calls");
    env.install("gh", &format!("pwd >> {0}; echo \"$@\" >> {0}", calls.display()));
    let below = env.work().join("below");
    fs::create_dir_all(&below).unwrap();
    let told = env.command(["report"]).directory(&below).run().success().stdout;
    let line = line(&told);
    assert!(line.starts_with("(cd ") && line.ends_with(" && gh pr create --fill)"), "{line}");
    env.other("sh", ["-c", &line]).directory(&below).run().success();
    let called = fs::read_to_string(calls).unwrap();
    assert_eq!(called, format!("{}\npr create --fill\n", env.work().display()));
    let told = bare(&env);
    assert!(told.contains("on branch windlass/mine"), "{told}");
    let remote = env.root().join("engine.git");
    let pushed = env.git(["--git-dir", remote.to_str().unwrap(), "log", "--format=%s", "--all"]);
    assert!(pushed.starts_with("mend it\n"), "{pushed}");
}

#[test]
fn commits_of_the_agent_are_named_with_whether_they_were_pushed_and_undo_says_that_they_stay() {
    let env = world();
    on_github(&env);
    let commit = "echo x > a.txt; git add a.txt; git commit --quiet --message='a step'";
    let body = format!("{commit}; echo y > b.txt; echo '{COMPLETE}'");
    shell(&env, &body, &["--check", "test -e a.txt", "--name", "mine"]).run().success();
    let told = bare(&env);
    assert!(told.contains("; nothing pushed\n"), "{told}");
    let start = env.git(["rev-parse", "--short=7", "HEAD~1"]);
    let made = env.git(["rev-parse", "--short=7", "HEAD"]);
    let (start, made) = (start.trim(), made.trim());
    assert!(told.contains(&format!("1 commit by the agent: {made} a step\n")), "{told}");
    let stays = format!("1 commit stays: {made} a step; the commit before the loop is {start})");
    assert!(told.contains(&stays), "{told}");
    env.git(["push", "--quiet", "origin", "HEAD:refs/heads/topic"]);
    assert!(bare(&env).contains("; pushed to origin/topic\n"), "{}", bare(&env));
    env.install("windlass", &format!("exec '{}' \"$@\"", env.program().display()));
    env.other("sh", ["-c", "windlass rollback mine 0"]).run().success();
    assert!(!env.work().join("b.txt").exists());
    assert_eq!(env.git(["rev-parse", "--short=7", "HEAD"]).trim(), made);
}
