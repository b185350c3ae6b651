//! `windlass merge` from outside: where a loop's work goes, both ways, and what it says.

use std::fs;

use testkit::{Env, Invocation, Ran};

use crate::{COMPLETE, sandboxes::has_bwrap, shell, world};

/// Runs a loop of that name in a worktree of its own, on the branch `topic-NAME`: it does `body`, and
/// claims.
pub(crate) fn in_worktree<'a>(
    env: &'a Env,
    name: &str,
    body: &str,
    args: &[&str],
) -> Invocation<'a> {
    let body = format!("{body}; echo '{COMPLETE}'");
    let branch = format!("topic-{name}");
    let call = shell(env, &body, &["--name", name, "--worktree", &branch]);
    args.iter().fold(call, |call, arg| call.arg(arg))
}

/// The same, and what it did is committed.
#[track_caller]
pub(crate) fn committed(env: &Env, name: &str, body: &str, args: &[&str]) {
    drop(in_worktree(env, name, body, args).arg("--auto-commit").run().success());
}

/// Commits a file of the user's.
pub(crate) fn commit(env: &Env, path: &str, text: &str) {
    env.write(path, text);
    env.git(["add", "--", path]);
    env.git(["commit", "--quiet", "--message", &format!("user: {path}")]);
}

/// The subjects of the commits of `main`, without those of the other parents of merges.
fn line(env: &Env) -> Vec<String> {
    let log = env.git(["log", "--first-parent", "--format=%s", "main"]);
    log.lines().map(str::to_owned).collect()
}

/// That nothing is left of any merge, and the user's tree is as its branch has it.
#[track_caller]
pub(crate) fn assert_tidy(env: &Env) {
    assert_eq!(env.git(["status", "--porcelain"]), "");
    let left = fs::read_dir(env.windlass_home().join("merging")).map_or(0, Iterator::count);
    assert_eq!(left, 0, "a worktree of a merge is left");
    assert!(!env.git(["worktree", "list"]).contains("/merging/"));
    for file in ["index.lock", "windlass-index", "windlass-index.lock", "windlass-mark"] {
        assert!(!env.work().join(".git").join(file).exists(), "{file} is left");
    }
}

/// What a merge printed, with the commit that `main` is at now masked.
pub(crate) fn calm(env: &Env, ran: &Ran) -> String {
    let commit = env.git(["rev-parse", "--short=7", "main"]);
    ran.snapshot().replace(commit.trim(), "[commit]")
}

#[test]
fn a_branch_that_stood_still_moves_forward_and_the_files_come_along() {
    let env = world();
    committed(&env, "mine", "mkdir -p src; echo x > src/new.txt; rm README.md", &[]);
    let ran = env.windlass(["merge", "mine", "--name", "home", "--check", "test -e src/new.txt"]);
    insta::assert_snapshot!(calm(&env, &ran), @"
    exit: 0
    --- stdout
    Loop home: merge in /tmp/windlass-XXXXXX/work
    claim: git finds no conflict
    check `test -e src/new.txt`: passed ([time])
    claim accepted: 1 check passed on tree 9dbc9bd
    `main` is at [commit] now, and so are the files in /tmp/windlass-XXXXXX/work
    ✓ merged, proven by 1 check
      no sessions, 1 check, no files modified, [time]
      proof: 1 check passed; no baseline
    --- stderr
    note: `main` moves forward to `topic-mine`
    next: windlass show home
    hint: `main` has it; the branch `topic-mine` stays
    ");
    assert_eq!(env.read("src/new.txt"), "x\n");
    assert!(!env.work().join("README.md").exists());
    assert_eq!(line(&env), ["loop: iteration 1", "start"]);
    assert_tidy(&env);
    assert!(!env.windlass_home().join("worktrees/mine").exists(), "its work is home");
    assert_eq!(env.git(["branch", "--list", "topic-mine"]), "  topic-mine\n");
}

#[test]
fn a_branch_that_went_on_is_merged_and_a_second_merge_has_nothing_to_do() {
    let env = world();
    committed(&env, "mine", "echo x > new.txt", &[]);
    commit(&env, "other.txt", "user\n");
    let ran = env.windlass(["merge", "mine", "--json"]).success();
    let result = ran.json();
    assert_eq!(result["kind"], "merge");
    assert_eq!(result["ending"]["type"], "done");
    assert_eq!(result["ending"]["by"], "merge");
    assert_eq!(result["verified"], false, "the loop had no checks");
    assert_eq!(line(&env), ["Merge branch 'topic-mine' into main", "user: other.txt", "start"]);
    assert_eq!((env.read("new.txt"), env.read("other.txt")), ("x\n".into(), "user\n".into()));
    assert_tidy(&env);
    insta::assert_snapshot!(env.windlass(["merge", "mine"]).snapshot(), @"
    exit: 0
    --- stdout
    there is nothing to merge: `main` has all of `topic-mine`
    --- stderr
    ");
    let again = env.windlass(["merge", "mine", "--json"]).success().json();
    assert_eq!(again["merged"], false);
}

#[test]
fn a_rebase_makes_one_line_and_keeps_who_wrote_what_when() {
    let env = world();
    let body = "echo $(ls | wc -l) > \"f$(ls | wc -l).txt\"";
    let git = "git -c user.name=Ann -c user.email=ann@example.com";
    let body = format!(
        "{body}; git add .; GIT_AUTHOR_DATE='1600000000 +0200' {git} commit -q -m 'by Ann'; echo y > y.txt"
    );
    committed(&env, "mine", &body, &[]);
    commit(&env, "other.txt", "user\n");
    env.windlass(["merge", "mine", "--rebase", "-q"]).success();
    assert_eq!(line(&env), ["loop: iteration 1", "by Ann", "user: other.txt", "start"]);
    let ann = env.git(["log", "-1", "--format=%an %ae %ad %cn", "--date=raw", "main~1"]);
    assert_eq!(ann, "Ann ann@example.com 1600000000 +0200 Tester\n");
    assert_tidy(&env);
    // Its commits are others now, and still it is known that they are home.
    assert!(!env.windlass_home().join("worktrees/mine").exists());
    let ran = env.windlass(["merge", "mine", "--rebase"]).success();
    assert!(ran.stdout.contains("there is nothing to merge"), "{ran}");
}

#[test]
fn the_checks_of_the_loop_run_on_the_result_and_decide() {
    let env = world();
    // Each side is right by itself, and the two together are not.
    let check = "test $(ls *.txt | wc -l) -le 1";
    committed(&env, "mine", "echo x > a.txt", &["--check", check]);
    commit(&env, "b.txt", "user\n");
    let before = env.git(["rev-parse", "main"]);
    let ran = env.windlass(["merge", "mine", "--name", "home"]);
    insta::assert_snapshot!(ran.snapshot(), @"
    exit: 1
    --- stdout
    Loop home: merge in /tmp/windlass-XXXXXX/work
    claim: git finds no conflict
    check `test $(ls *.txt | wc -l) -le 1`: failed (exit 1, [time])
    claim rejected: the check `test $(ls *.txt | wc -l) -le 1` failed with exit code 1
    ✗ not merged, for the checks fail on the result: the check `test $(ls *.txt | wc -l) -le 1` failed with exit code 1
      no sessions, 1 check, no files modified, [time]
      not proven: 0 of 1 check passed; no baseline
    --- stderr
    note: `topic-mine` is brought to `main`
    next: windlass log home
    ");
    assert_eq!(env.git(["rev-parse", "main"]), before);
    assert!(!env.work().join("a.txt").exists());
    assert!(env.windlass_home().join("worktrees/mine").exists(), "its work is nowhere else");
    assert_tidy(&env);
    // The user decides what counts.
    env.windlass(["merge", "mine", "--check", "test -e a.txt"]).success();
}

#[test]
fn checks_that_change_what_they_check_prove_nothing() {
    let env = world();
    committed(&env, "mine", "echo x > a.txt", &[]);
    let ran = env.windlass(["merge", "mine", "--check", "echo formatted > a.txt"]).code(1);
    assert!(ran.stdout.contains("the checks change tracked files"), "{ran}");
    assert_eq!(line(&env), ["start"]);
}

#[test]
fn the_work_goes_where_it_is_sent_whether_that_is_checked_out_or_not() {
    let env = world();
    env.git(["branch", "next"]);
    committed(&env, "mine", "echo x > a.txt", &[]);
    env.windlass(["merge", "mine", "--into", "next", "--keep"]).success();
    assert_eq!(env.git(["log", "--format=%s", "next"]), "loop: iteration 1\nstart\n");
    assert_eq!(line(&env), ["start"]);
    assert!(!env.work().join("a.txt").exists());
    assert!(env.windlass_home().join("worktrees/mine").exists(), "it was to be kept");
    // A branch that another work tree of the user's has checked out.
    let other = env.root().join("other");
    let path = other.display().to_string();
    env.git(["worktree", "add", "--quiet", "-b", "side", &path]);
    env.windlass(["merge", "mine", "--into", "side"]).success();
    assert_eq!(fs::read_to_string(other.join("a.txt")).unwrap(), "x\n");
    assert_eq!(env.git(["-C", &path, "status", "--porcelain"]), "");
}

#[test]
fn a_branch_of_create_branch_goes_back_to_where_it_began() {
    let env = world();
    let body = format!("echo x > a.txt; echo '{COMPLETE}'");
    let args = ["--create-branch", "--auto-commit", "--name", "mine"];
    drop(shell(&env, &body, &args).run().success());
    env.write("mine.txt", "the user goes on");
    let ran = env.windlass(["merge", "mine"]).code(2);
    assert!(ran.stderr.contains("not committed: `mine.txt`"), "{ran}");
    env.git(["checkout", "--quiet", "main"]);
    env.windlass(["merge", "mine"]).success();
    assert_eq!(env.read("a.txt"), "x\n");
    assert_eq!(env.git(["status", "--porcelain"]), "?? mine.txt\n");
}

#[test]
fn a_base_that_is_a_branch_is_where_the_work_goes() {
    let env = world();
    env.git(["branch", "next"]);
    let body = format!("echo x > a.txt; echo '{COMPLETE}'");
    let args = ["--worktree", "topic:next", "--auto-commit", "--name", "mine"];
    drop(shell(&env, &body, &args).run().success());
    env.windlass(["merge", "mine"]).success();
    assert_eq!(env.git(["log", "--format=%s", "next"]), "loop: iteration 1\nstart\n");
    assert_eq!(line(&env), ["start"]);
}

#[test]
fn the_checks_run_in_the_sandbox_of_the_loop() {
    if !has_bwrap() {
        return;
    }
    let env = world();
    let secret = env.home().join("secret");
    fs::write(&secret, "secret").unwrap();
    let check = format!("test -e a.txt && ! test -e {}", secret.display());
    committed(&env, "mine", "echo x > a.txt", &["--sandbox", "bwrap", "--check", &check]);
    let result = env.windlass(["merge", "mine", "--json"]).success().json();
    assert_eq!(result["verified"], true);
    assert_tidy(&env);
}
