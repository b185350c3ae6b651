//! What `pr` approves and where it pushes: only the head that was audited, and only where it came from.

use std::{fs, time::Duration};

use serde_json::{Value, json};
use testkit::github::Fault;

use crate::{
    oracle::aside,
    pr_local::finding,
    pr_loop::{found, pr, pulled, reviews, rounds},
    pr_loop_ends::origin,
    pr_post::says,
};

fn body(review: &Value) -> &str {
    review["body"].as_str().unwrap_or_default()
}

#[test]
fn an_approval_names_the_commit_that_was_audited() {
    let (env, github) = pulled();
    let head = env.git(["rev-parse", "HEAD"]).trim().to_owned();
    pr(&env, &github, &says(&[]), &["--approve"]).run().success();
    pr(&env, &github, &says(&[]), &["--approve", "--loop"]).run().success();
    for review in reviews(&github) {
        assert_eq!((&review["state"], &review["commit_id"]), (&json!("APPROVE"), &json!(head)));
        assert!(body(&review).contains(&format!("The audited commit is `{head}`.")), "{review:#}");
    }
}

#[test]
fn a_loop_needs_the_head_checked_out_and_clean() {
    let (env, github) = pulled();
    env.write("src/pump.rs", "fn pump() {}\n");
    let script = rounds(&[&["the valve leaks"], &[]]);
    let ran = pr(&env, &github, &script, &["--loop", "--approve"]).run().code(2);
    let told = "not all that is here is committed (src/pump.rs): check out the head";
    assert!(ran.stdout.contains(told) && ran.stdout.contains("`--dirty`"), "{ran}");
    assert_eq!(env.sql("SELECT count(*) FROM sessions"), "0\n");
    let args = ["--loop", "--approve", "--dirty", "--json"];
    let result = pr(&env, &github, &script, &args).run().success().json();
    let why = "what was audited is not the head: not all that is here is committed (src/pump.rs)";
    assert_eq!(
        (&result["posted"]["event"], &result["posted"]["why"]),
        (&json!("COMMENT"), &json!(why))
    );
    let reviews = reviews(&github);
    assert_eq!((reviews.len(), &reviews[0]["state"]), (1, &json!("COMMENT")));
    assert!(body(&reviews[0]).contains("This is no approval: what was audited is not the head"));
}

#[test]
fn fixes_that_nobody_can_see_are_not_approved() {
    let (env, github) = pulled();
    let script = rounds(&[&["the valve leaks"], &[]]);
    pr(&env, &github, &script, &["--loop", "--approve"]).run().success();
    let reviews = reviews(&github);
    assert_eq!(reviews[0]["state"], "COMMENT");
    let why = "This is no approval: the fixes are local and not pushed.";
    assert!(body(&reviews[0]).contains(why), "{:#}", reviews[0]);
    // The fixes of this loop are where the next one goes on.
    pr(&env, &github, &rounds(&[&[]]), &["--loop", "--approve"]).run().success();
    let reviews = crate::pr_loop::reviews(&github);
    assert_eq!((reviews.len(), &reviews[1]["state"]), (2, &json!("COMMENT")));
}

#[test]
fn findings_of_another_tool_alone_approve_nothing() {
    let (env, github) = pulled();
    let result = json!({"level": "note", "message": {"text": "a matter of taste"}});
    let sarif = json!({"version": "2.1.0", "runs": [
        {"tool": {"driver": {"name": "lint"}}, "results": [result]},
    ]});
    let file = env.root().join("tmp/found.sarif");
    fs::write(&file, sarif.to_string()).expect("the folder is ours");
    let file = file.display().to_string();
    let args = ["--findings", &file, "--min-severity", "high", "--approve"];
    pr(&env, &github, "exit 1", &args).run().success();
    let reviews = reviews(&github);
    assert_eq!(reviews[0]["state"], "COMMENT");
    assert!(body(&reviews[0]).contains("This is no approval: no auditor has looked at it."));
}

#[test]
fn a_head_that_moved_is_commented_on_and_not_approved() {
    let (env, github) = pulled();
    // The first look at it is before the audit.
    github.fault("GET", "/7", Fault::Slow(Duration::ZERO));
    github.fault("GET", "/7", Fault::MoveHead("f".repeat(40)));
    let ran = pr(&env, &github, &says(&[]), &["--approve"]).run().success();
    assert!(ran.stderr.contains("the pull request has moved on to fffffff since"), "{ran}");
    let reviews = reviews(&github);
    assert_eq!((reviews.len(), &reviews[0]["state"]), (1, &json!("COMMENT")));
    assert!(body(&reviews[0]).contains("This is no approval: the pull request has moved on"));
}

#[test]
fn nothing_is_pushed_to_a_branch_of_the_same_name_elsewhere() {
    let (env, github) = pulled();
    let bare = origin(&env);
    fs::write(aside(&env, "go"), "").expect("the folder is ours");
    github.world(|world| {
        world.pull(7).head_repository = (2, "stranger/engine".to_owned());
    });
    let before = fs::read_to_string(bare.join("refs/heads/pump")).expect("it is there");
    let script = rounds(&[&["the valve leaks"], &[]]);
    let ran = pr(&env, &github, &script, &["--loop", "--push", "--approve"]).run().success();
    let told = "the pull request comes from stranger/engine, and `origin` is another repository: the \
                fixes stay local";
    assert!(ran.stderr.contains(told), "{ran}");
    assert_eq!(fs::read_to_string(bare.join("refs/heads/pump")).expect("it is there"), before);
    assert_ne!(env.git(["rev-parse", "HEAD"]), before, "they are committed");
    let reviews = reviews(&github);
    assert_eq!(reviews[0]["state"], "COMMENT");
    assert!(
        body(&reviews[0]).contains("This is no approval: the pull request comes from stranger")
    );
}

#[test]
fn the_last_allowed_iteration_fixes_nothing_that_nobody_would_audit() {
    let (env, github) = pulled();
    let script = rounds(&[&["the valve leaks"]]);
    let before = env.read("src/pump.rs");
    let ran = pr(&env, &github, &script, &["--loop", "--max-iterations", "1"]).run().code(1);
    let told = "Iteration 1: 1 finding -> no iteration is left to fix them";
    assert!(ran.stdout.contains(told), "{ran}");
    assert_eq!(env.read("src/pump.rs"), before);
    assert_eq!(env.sql("SELECT count(*) FROM sessions WHERE role = 'fixer'"), "0\n");
    assert_eq!(env.git(["status", "--porcelain"]), "", "the list is none of the work");
    let script = rounds(&[&["the valve leaks"], &[]]);
    let ran = pr(&env, &github, &script, &["--loop"]).run().success();
    assert!(!ran.stdout.contains("what remains"), "{ran}");
}

#[test]
fn a_fixer_that_crashes_is_asked_once_more_and_then_given_up() {
    let (env, github) = pulled();
    let script = format!("as auditor\n{}\nas fixer\nexit 3\n", found(&["the valve leaks"]));
    let result = pr(&env, &github, &script, &["--loop", "--json"]).run().code(5).json();
    let reason = "2 sessions of the fixer failed, the last one: exited with code 3";
    assert_eq!(result["ending"], json!({"type": "agent_failed", "reason": reason}));
    assert_eq!(env.sql("SELECT count(*) FROM sessions WHERE role = 'fixer'"), "2\n");
}

#[test]
fn a_pull_request_that_is_closed_is_not_posted_to() {
    let (env, github) = pulled();
    github.world(|world| world.pull(7).is_open = false);
    let script = says(&[finding("HIGH", 2, "the valve leaks")]);
    let ran = pr(&env, &github, &script, &[]).run().code(2);
    assert!(ran.stdout.contains("pull request 7 is closed, so nothing is posted to it"), "{ran}");
    assert_eq!(env.sql("SELECT count(*) FROM sessions"), "0\n");
    let ran = pr(&env, &github, &script, &["--local"]).run().code(1);
    assert!(ran.stderr.contains("note: pull request 7 is closed\n"), "{ran}");
    assert!(reviews(&github).is_empty());
}
