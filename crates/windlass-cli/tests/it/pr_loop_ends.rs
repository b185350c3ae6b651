//! How `pr --loop` ends where it is not approved, and what it commits and pushes where it may.

use std::{fs, os::unix::fs::PermissionsExt, path::PathBuf};

use serde_json::json;
use testkit::{Env, wait_until};

use crate::{
    oracle::{LIMIT, aside},
    pr_loop::{pr, pulled, reviews, rounds},
};

const RETRY: &str =
    "Run `windlass pr 7 --loop` to retry or `windlass pr 7` to post the current state";

#[test]
fn as_many_findings_twice_running_are_a_stall() {
    let (env, github) = pulled();
    let script = rounds(&[&["the valve leaks", "a wheel cannot turn"], &["one", "another"], &[]]);
    let ran = pr(&env, &github, &script, &["--loop"]).run().code(1);
    assert!(ran.stdout.contains("\nIteration 2: 2 findings -> STALLED\n"), "{ran}");
    assert!(ran.stdout.contains(RETRY), "{ran}");
    let result = env.windlass(["show", "--json"]).success().json()["result"].clone();
    assert_eq!(result["ending"], json!({"type": "stalled", "left": 2}));
    assert_eq!(
        (&result["task_list"], &result["exit_code"]),
        (&json!("windlass-findings.md"), &1.into())
    );
    let list = env.read("windlass-findings.md");
    assert!(list.contains("src/pump.rs:2: one\n") && !list.contains("valve"), "{list}");
    assert!(reviews(&github).is_empty());
    assert!(github.lines().iter().all(|line| line.starts_with("GET")), "{:?}", github.lines());
}

#[test]
fn only_the_same_findings_are_a_stall_where_that_is_asked_for() {
    let (env, github) = pulled();
    let script =
        rounds(&[&["the valve leaks"], &["a wheel cannot turn"], &["a wheel cannot turn"]]);
    let args = ["--loop", "--stall", "same", "--json"];
    let result = pr(&env, &github, &script, &args).run().code(1).json();
    assert_eq!(result["ending"], json!({"type": "stalled", "left": 1}));
    assert_eq!(result["iterations"], 3);
    let script = rounds(&[&["the valve leaks"], &["a wheel cannot turn"], &[]]);
    pr(&env, &github, &script, &args).run().success();
}

#[test]
fn used_up_iterations_leave_a_list_and_say_how_to_go_on() {
    let (env, github) = pulled();
    let script = rounds(&[&["the valve leaks", "a wheel cannot turn"], &["a wheel cannot turn"]]);
    let args = ["--loop", "--max-iterations", "2", "--output", "left.md", "--jobs", "1"];
    let ran = pr(&env, &github, &script, &args).arg("--name").arg("mine").run();
    insta::assert_snapshot!(ran.snapshot(), @r"
    exit: 1
    --- stdout
    Loop mine: pr with scripted in /tmp/windlass-XXXXXX/work
    Pull request 7: Add a pump by ada, pump into main
    ━━━ Iteration 1 of at most 2 ━━━
    auditor correctness: finished in [time]
    auditor security: finished in [time]
    auditor architecture: finished in [time]
    auditor api-stability: finished in [time]
    auditor project-rules: finished in [time]
    2 findings
      HIGH src/pump.rs:2: the valve leaks
      HIGH src/pump.rs:2: a wheel cannot turn
    fixer: finished in [time]
    Iteration 1: 2 findings -> 2 fixed, 0 skipped
    iteration 1: [time], 1 file changed
    ━━━ Iteration 2 of at most 2 ━━━
    auditor correctness: finished in [time]
    auditor security: finished in [time]
    auditor architecture: finished in [time]
    auditor api-stability: finished in [time]
    auditor project-rules: finished in [time]
    1 finding (1 still open, 1 fixed since)
      HIGH src/pump.rs:2: a wheel cannot turn
    Iteration 2: 1 finding -> no iteration is left to fix them
    iteration 2: [time], no files changed
    written: left.md
    ✗ Reached max iterations, 1 issue remains
      11 sessions, no checks, 1 file modified, 2 findings, 1 fixed, 1 left, [time]
      findings: 2 → 1, 2 fixes applied in loop mode
      left: HIGH src/pump.rs:2: a wheel cannot turn
      what remains is in left.md
      Run `windlass pr 7 --loop` to retry or `windlass pr 7` to post the current state
    --- stderr
      agent        scripted (auditor, fixer)
      sandbox      none
      budget       none, at most 2 iterations
      checks       none
    note: no check found: claims are accepted unproven; give one with `--check CMD`
    note: the fixer says that it fixed 2, and at least 1 of them is still there
    next: windlass resume mine --max-iterations 4
    next: windlass why mine
    ");
    assert_eq!(env.read("left.md").matches("- [ ]").count(), 1);
    assert!(reviews(&github).is_empty());
    let result = env.windlass(["show", "--json"]).success().json()["result"].clone();
    assert_eq!(result["ending"], json!({"type": "max_iterations", "limit": 2, "left": 1}));
    assert_eq!(result["task_list"], "left.md");
}

#[test]
fn a_loop_that_is_given_more_iterations_fixes_what_was_left_and_goes_on() {
    let (env, github) = pulled();
    let script =
        rounds(&[&["the valve leaks", "a wheel cannot turn"], &["a wheel cannot turn"], &[]]);
    let args = ["--loop", "--max-iterations", "2", "--jobs", "1"];
    pr(&env, &github, &script, &args).run().code(1);
    let fixed = env.read("src/pump.rs");
    let resume = ["resume", "--max-iterations", "4"];
    let ran = crate::pr_loop::asking(&env, &github, &resume).run().success();
    assert!(ran.stdout.contains("Iteration 3: 0 findings -> APPROVED"), "{ran}");
    assert_eq!(env.read("src/pump.rs"), format!("{fixed}// x\n"), "{ran}");
    let fixers = "SELECT place FROM sessions WHERE role = 'fixer' ORDER BY started_at";
    assert_eq!(env.sql(fixers), "1/fixer\n2/fixer\n");
    let result = env.windlass(["show", "--json"]).success().json()["result"].clone();
    assert_eq!(result["findings"], json!({"total": 2, "open": 0, "fixed": 2, "skipped": 0}));
    assert_eq!((&result["iterations"], &result["fixes"]), (&3.into(), &2.into()));
    assert_eq!(reviews(&github).len(), 1);
}

#[test]
fn fixes_are_committed_where_that_is_asked_for_and_nothing_of_the_users() {
    let (env, github) = pulled();
    env.write("mine.txt", "mine\n");
    env.write("README.md", "# Mine\n");
    let script = rounds(&[&["the valve leaks"], &[]]).replace("say Mended.", "write new.rs x");
    pr(&env, &github, &script, &["--loop", "--commit", "--dirty"]).run().success();
    assert_eq!(
        env.git(["log", "--format=%s", "--name-only", "-1"]).lines().skip(2).collect::<Vec<_>>(),
        ["new.rs", "src/pump.rs"]
    );
    assert_eq!(env.git(["status", "--porcelain"]), " M README.md\n?? mine.txt\n");
    assert_eq!(reviews(&github).len(), 1);

    let script = rounds(&[&["one"], &["two"]]).replace("say Mended.", "append new.rs y");
    pr(&env, &github, &script, &["--loop", "--commit", "--dirty"]).run().code(1);
    let last = env.git(["show", "--format=%s", "--name-only", "HEAD"]);
    assert!(last.ends_with("\nnew.rs\nsrc/pump.rs\n"), "{last}");
    assert_eq!(env.git(["status", "--porcelain"]), " M README.md\n?? mine.txt\n");
    assert!(env.work().join("windlass-findings.md").exists());
}

/// A bare repository as `origin`, which waits after a push until [`aside`] has a file `go`.
pub(crate) fn origin(env: &Env) -> PathBuf {
    let bare = aside(env, "origin.git");
    let path = bare.display().to_string();
    env.git(["init", "--quiet", "--bare", &path]);
    env.git(["remote", "add", "origin", &path]);
    env.git(["push", "--quiet", "origin", "main", "pump"]);
    let hook = bare.join("hooks/post-receive");
    fs::create_dir_all(bare.join("hooks")).expect("the folder is ours");
    let go = aside(env, "go").display().to_string();
    fs::write(&hook, format!("#!/bin/sh\nwhile ! [ -e {go} ]; do sleep 0.05; done\n"))
        .expect("the folder is ours");
    fs::set_permissions(&hook, fs::Permissions::from_mode(0o755)).expect("the file is ours");
    bare
}

#[test]
fn pushed_fixes_are_what_the_review_is_about() {
    let (env, github) = pulled();
    let bare = origin(&env);
    // What a repository's config names must not run with the user's keys.
    for key in ["remote.origin.receivepack", "core.sshCommand", "credential.helper"] {
        env.git(["config", key, "touch canary; false"]);
    }
    let head = || fs::read_to_string(bare.join("refs/heads/pump")).unwrap_or_default();
    let before = head();
    let script = rounds(&[&["the valve leaks"], &[]]);
    let running = pr(&env, &github, &script, &["--loop", "--push", "--approve"]).spawn();
    wait_until("a push", LIMIT, || head() != before);
    let pushed = head().trim().to_owned();
    github.world(|world| world.pull(7).head_sha.clone_from(&pushed));
    fs::write(aside(&env, "go"), "").expect("the folder is ours");
    running.wait().success();
    assert_eq!(env.git(["rev-parse", "HEAD"]).trim(), pushed);
    assert_eq!(env.git(["status", "--porcelain"]), "");
    let reviews = reviews(&github);
    assert_eq!(reviews.len(), 1);
    assert_eq!(
        (&reviews[0]["commit_id"], &reviews[0]["state"]),
        (&json!(pushed), &json!("APPROVE"))
    );
    let body = reviews[0]["body"].as_str().unwrap_or_default();
    assert!(body.starts_with("The audit finds nothing to change; the fixes are pushed."), "{body}");
}

#[test]
fn what_is_not_approved_is_not_pushed() {
    let (env, github) = pulled();
    let bare = origin(&env);
    let before = fs::read_to_string(bare.join("refs/heads/pump")).unwrap();
    let script = rounds(&[&["one"], &["two"]]);
    pr(&env, &github, &script, &["--loop", "--push"]).run().code(1);
    assert_eq!(fs::read_to_string(bare.join("refs/heads/pump")).unwrap(), before);
    assert_ne!(env.git(["rev-parse", "HEAD"]), before, "it is committed");
}

#[test]
fn a_push_that_is_refused_leaves_the_fixes_here_and_approves_nothing() {
    let (env, github) = pulled();
    let bare = origin(&env);
    fs::write(aside(&env, "go"), "").expect("the folder is ours");
    let hook = bare.join("hooks/pre-receive");
    fs::write(&hook, "#!/bin/sh\necho You may not >&2\nexit 1\n").expect("the folder is ours");
    fs::set_permissions(&hook, fs::Permissions::from_mode(0o755)).expect("the file is ours");
    let script = rounds(&[&["the valve leaks"], &[]]);
    let head = env.git(["rev-parse", "HEAD"]).trim().to_owned();
    let args = ["--loop", "--push", "--approve", "--json"];
    let ran = pr(&env, &github, &script, &args).run().success();
    let why = "the push was refused ([remote rejected] (pre-receive hook declined): You may not)";
    assert!(ran.stderr.contains(&format!("{why}: the fixes stay local")), "{ran}");
    let posted = &ran.json()["posted"];
    assert_eq!(
        (&posted["event"], &posted["commit"], &posted["why"]),
        (&json!("COMMENT"), &json!(head), &json!(why))
    );
    assert_eq!(env.git(["rev-parse", "HEAD^"]).trim(), head, "they are committed");
    let [review] = &reviews(&github)[..] else { panic!("one review") };
    let body = review["body"].as_str().unwrap_or_default();
    assert!(body.starts_with("The fixes of this audit are local and not pushed."), "{body}");
    assert!(body.contains(&format!("This is no approval: {why}.")), "{body}");
}

#[test]
fn a_branch_that_is_not_at_the_head_is_not_pushed_to() {
    let (env, github) = pulled();
    let bare = origin(&env);
    fs::write(aside(&env, "go"), "").expect("the folder is ours");
    // It has the name, and the history, but is the branch of somebody else.
    env.git(["push", "--quiet", "--force", "origin", "main:pump"]);
    let before = fs::read_to_string(bare.join("refs/heads/pump")).expect("it is there");
    let script = rounds(&[&["the valve leaks"], &[]]);
    let ran = pr(&env, &github, &script, &["--loop", "--push", "--approve"]).run().success();
    assert!(ran.stderr.contains("the push was refused ([rejected] (stale info))"), "{ran}");
    assert_eq!(fs::read_to_string(bare.join("refs/heads/pump")).expect("it is there"), before);
    assert_eq!(reviews(&github)[0]["state"], "COMMENT");
}
