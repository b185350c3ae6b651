//! A review is posted once, whatever becomes of the answer, of GitHub or of windlass itself.

use std::time::{Duration, Instant};

use rustix::process::Signal;
use serde_json::json;
use testkit::{
    Env,
    github::{Fault, GitHub},
    wait_until,
};

use crate::{
    oracle::{LIMIT, assert_sound, has_store, standing, wait_until_quiet},
    pr_local::finding,
    pr_loop::{asking, pr, pulled, reviews, rounds},
    pr_post::says,
};

fn one() -> String {
    says(&[finding("HIGH", 2, "the valve leaks")])
}

/// Takes the loop up again, which posts what was kept, and asks no auditor for it.
fn resumes_and_posts_once(env: &Env, github: &GitHub, code: i32) {
    let sessions = env.sql("SELECT count(*) FROM sessions");
    asking(env, github, &["resume"]).run().code(code);
    assert_eq!(reviews(github).len(), 1);
    assert_eq!(env.sql("SELECT count(*) FROM sessions"), sessions, "the audit was over");
    assert_sound(env);
    asking(env, github, &["resume"]).run().code(2);
    assert_eq!(reviews(github).len(), 1);
}

#[test]
fn a_head_that_moves_as_the_review_is_posted_is_told_and_nothing_is_posted() {
    let (env, github) = pulled();
    // The first look at it is before the audit, the second after it.
    github.fault("GET", "/7", Fault::Slow(Duration::ZERO));
    github.fault("GET", "/7", Fault::Slow(Duration::ZERO));
    github.fault("GET", "/7", Fault::MoveHead("f".repeat(40)));
    let ran = pr(&env, &github, &one(), &[]).run().code(7);
    let told = "pull request 7 has moved on since the audit";
    assert!(ran.stderr.contains(told) || ran.stdout.contains(told), "{ran}");
    assert!(reviews(&github).is_empty());
    assert!(!github.lines().iter().any(|line| line.starts_with("POST")), "{:?}", github.lines());
}

#[test]
fn a_lost_answer_is_read_back_and_not_posted_again() {
    for fault in [Fault::LoseTheAnswer, Fault::CutTheAnswer, Fault::DoneBut(502)] {
        let (env, github) = pulled();
        github.fault("POST", "/reviews", fault);
        pr(&env, &github, &one(), &[]).run().code(1);
        assert_eq!(reviews(&github).len(), 1);
    }
}

#[test]
fn a_github_with_trouble_has_what_was_kept_later() {
    let (env, github) = pulled();
    for _ in 0..10 {
        github.fault("POST", "/reviews", Fault::status(503, "later"));
    }
    let ran = pr(&env, &github, &one(), &["--json"]).run().code(7);
    assert_eq!(ran.json()["ending"]["code"], 7, "{ran}");
    assert!(ran.stderr.contains("windlass resume"), "{ran}");
    assert!(reviews(&github).is_empty());
    github.clear_faults();
    resumes_and_posts_once(&env, &github, 1);
}

#[test]
fn a_kill_before_the_post_costs_nothing() {
    let (env, github) = pulled();
    github.fault("GET", "/reviews", Fault::Slow(Duration::from_secs(20)));
    let running = pr(&env, &github, &one(), &[]).spawn();
    let is_asked = || github.lines().iter().any(|line| line == "GET 7/reviews");
    wait_until("a look at the reviews", LIMIT, is_asked);
    drop(running.kill9());
    wait_until_quiet(&env);
    assert_eq!(standing(&env), "interrupted");
    resumes_and_posts_once(&env, &github, 1);
}

#[test]
fn a_kill_after_the_post_posts_nothing_twice() {
    let (env, github) = pulled();
    github.fault("POST", "/reviews", Fault::Slow(Duration::from_secs(20)));
    let running = pr(&env, &github, &one(), &[]).spawn();
    wait_until("a review", LIMIT, || !reviews(&github).is_empty());
    drop(running.kill9());
    wait_until_quiet(&env);
    resumes_and_posts_once(&env, &github, 1);
}

#[test]
fn a_loop_that_is_killed_at_its_description_tells_everything_once() {
    let (env, github) = pulled();
    github.fault("PATCH", "/7", Fault::Slow(Duration::from_secs(20)));
    let script = rounds(&[&["the valve leaks"], &[]]);
    let running = pr(&env, &github, &script, &["--loop", "--title", "A pump"]).spawn();
    let is_told = || github.lines().iter().any(|line| line == "PATCH 7");
    wait_until("a description", LIMIT, is_told);
    drop(running.kill9());
    wait_until_quiet(&env);
    resumes_and_posts_once(&env, &github, 0);
    let (title, body) =
        github.world(|world| (world.pull(7).title.clone(), world.pull(7).body.clone()));
    let told = "*Reviewed and auto-fixed in 2 iterations (1 -> 0 findings)*";
    assert_eq!(title, "A pump");
    assert_eq!(body.unwrap_or_default().matches(told).count(), 1);
    assert_eq!(reviews(&github)[0]["state"], json!("COMMENT"));
}

#[test]
fn waits_for_githubs_limit_are_shown_with_their_end_and_cancelled_at_once() {
    let secondary = Fault::with_headers(429, "slow down", &[("retry-after", "100")]);
    for (method, path) in [("GET", "/7"), ("POST", "/reviews")] {
        let (env, github) = pulled();
        github.fault(method, path, secondary.clone());
        let running = pr(&env, &github, &one(), &["--name", "mine"]).spawn();
        let phase = || env.sql("SELECT phase FROM loops");
        wait_until("a wait", LIMIT, || has_store(&env) && phase().starts_with("waits"));
        let status = env.windlass(["status"]).success();
        let told = "GitHub's limit on requests to reset";
        assert!(status.stdout.contains(told), "{status}");
        let shown = env.windlass(["show", "--json"]).success().json();
        assert_eq!(shown["result"]["ending"]["type"], "running");
        let began = Instant::now();
        let code = if method == "GET" {
            env.windlass(["cancel"]).success();
            143
        } else {
            running.signal(Signal::INT);
            130
        };
        let ran = running.wait();
        assert!(began.elapsed() < Duration::from_secs(1), "{:?}", began.elapsed());
        assert_eq!(ran.code, Some(code));
        let line = ran.stdout.lines().find(|line| line.contains(told)).unwrap_or_default();
        assert!(line.starts_with("Waiting for") && line.contains("(1 min"), "{ran}");
        assert!(reviews(&github).is_empty());
        asking(&env, &github, &["resume"]).run().code(1);
        assert_eq!(reviews(&github).len(), 1, "it is posted once the limit is over");
    }
}

#[test]
fn a_short_limit_is_waited_for_and_then_posted_once() {
    let (env, github) = pulled();
    let secondary = Fault::with_headers(429, "slow down", &[("retry-after", "1")]);
    for (method, path) in [("GET", "/7"), ("POST", "/reviews"), ("GET", "/files")] {
        github.fault(method, path, secondary.clone());
    }
    let ran = pr(&env, &github, &one(), &[]).run().code(1);
    assert_eq!(ran.stdout.matches("Waiting for GitHub's limit").count(), 3, "{ran}");
    assert_eq!(reviews(&github).len(), 1);
}

#[test]
fn a_head_that_moved_between_a_failed_post_and_the_resume_is_not_approved() {
    let (env, github) = pulled();
    github.fault("POST", "/reviews", Fault::status(403, "not today"));
    pr(&env, &github, &crate::pr_post::says(&[]), &["--approve"]).run().code(7);
    let moved = "f".repeat(40);
    github.world(|world| world.pull(7).head_sha.clone_from(&moved));
    let result = asking(&env, &github, &["resume", "--json"]).run().success().json();
    assert_eq!(result["posted"]["event"], "COMMENT");
    assert_eq!(result["posted"]["commit"], env.git(["rev-parse", "HEAD"]).trim());
    let review = &reviews(&github)[0];
    assert_eq!((&review["state"], &review["commit_id"]), (&json!("COMMENT"), &json!(moved)));
}
