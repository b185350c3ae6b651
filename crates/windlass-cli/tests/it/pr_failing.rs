//! `pr` with auditors that fail, and with auditors that take their time: an audit without one of
//! them is none, and all of them work at once.

use std::time::Duration;

use serde_json::json;
use testkit::Ran;

use crate::{
    oracle::{aside, lines},
    pr_local::{answers, auditor, finding, local, pump, report},
};

/// One audit in which `security` does `does`, and the others find nothing; all of it, and how
/// often `security` was asked.
fn with_one_that(does: &str) -> (Ran, usize) {
    let env = pump();
    let log = aside(&env, "log");
    let log_path = log.display();
    let before =
        format!("log={log_path}\nif [ $name = security ]; then echo x >> $log; {does}; fi");
    let agent = auditor(&env, &before);
    answers(&env, "correctness", &report(&[finding("LOW", 2, "small")]));
    let ran = local(&env, agent, &["--json"]).run();
    assert!(!env.work().join("windlass-findings.md").exists() || ran.code == Some(1), "{ran}");
    (ran, lines(&log))
}

#[test]
fn one_that_fails_is_asked_again() {
    let (ran, asked) = with_one_that("[ $(wc -l < $log) = 1 ] && exit 3");
    assert_eq!(ran.code(1).json()["ending"], json!({"type": "findings_left", "left": 1}));
    assert_eq!(asked, 2);
}

#[test]
fn four_of_five_are_no_audit() {
    for (does, why) in [
        ("exit 3", "exited with code 3"),
        ("kill -9 $$", "killed"),
        ("exit 0", ""),
        ("echo It is all fine; exit 0", ""),
        ("echo '{\"findings\": [{\"title\": \"cut'; exit 0", ""),
        ("printf '```json\\n{\"findings\": []'; exit 0", ""),
    ] {
        let (ran, asked) = with_one_that(does);
        let ran = ran.code(5);
        let reason = ran.json()["ending"]["reason"].as_str().unwrap_or_default().to_owned();
        assert_eq!(ran.json()["ending"]["type"], "agent_failed", "{does}: {ran}");
        let named = "the auditor security gave no answer that counts: ";
        assert!(reason.starts_with(named) && reason.contains(why), "{does}: {reason}");
        assert!(reason.len() > named.len(), "{does}: {reason}");
        assert_eq!(asked, 2, "{does}");
    }
}

#[test]
fn a_failed_audit_can_be_taken_up_again_and_asks_only_who_failed() {
    let env = pump();
    let (log, bad) = (aside(&env, "log"), aside(&env, "bad"));
    std::fs::write(&bad, "").expect("the folder is ours");
    let before = format!(
        "echo $name >> {}; [ $name = security ] && [ -e {} ] && exit 3",
        log.display(),
        bad.display()
    );
    local(&env, auditor(&env, &before), &[]).run().code(5);
    assert_eq!(lines(&log), 6);
    std::fs::remove_file(bad).expect("it is there");
    env.windlass(["resume"]).success();
    assert_eq!(lines(&log), 7, "four were answered already");
}

#[test]
fn five_that_take_a_second_take_one_together() {
    let env = pump();
    let slow = auditor(&env, "sleep 1");
    let ran = local(&env, slow.clone(), &[]).run().success();
    assert!(ran.duration < Duration::from_millis(2500), "{:?}", ran.duration);
    let ran = local(&env, slow, &["--jobs", "1"]).run().success();
    assert!(ran.duration > Duration::from_secs(5), "{:?}", ran.duration);
}
