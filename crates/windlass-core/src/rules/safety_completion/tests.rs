//! Claims that are rejected again and again, and those that only the user can decide about.

use super::{
    super::testing::{again, event, failed, failing_check, finished, reset, trips},
    *,
};
use crate::{
    event::{OptionChanged, OriginalsRan},
    step::guarded::{GuardedChange, GuardedHow},
};

fn claim(output: &str) -> Event {
    finished(|summary| {
        summary.claim = ClaimFate::Rejected;
        summary.evidence.checks = failing_check(output);
    })
}

fn names(tests: &[&str]) -> Vec<String> {
    tests.iter().map(|test| (*test).to_owned()).collect()
}

/// A claim that was rejected for one thing only.
fn only_for(only: OnlyFor) -> Event {
    finished(|summary| {
        summary.claim = ClaimFate::Rejected;
        summary.evidence.rejected_only_for = Some(only);
    })
}

fn originals(tests: &[&str]) -> Event {
    only_for(OnlyFor::Originals { failing: names(tests) })
}

fn known(tests: &[&str]) -> Event {
    only_for(OnlyFor::KnownFailures { failing: names(tests) })
}

fn blocked(task: Option<&str>) -> Event {
    finished(|summary| {
        summary.evidence.blocked = Some("the task asks for other tests".to_owned());
        summary.evidence.blocked_task = task.map(str::to_owned);
    })
}

#[track_caller]
fn leaves(judgement: Judgement) -> (String, Undecided) {
    match judgement {
        Judgement::Leave(reason, undecided) => (reason, undecided),
        other => panic!("it left nothing to the user: {other:?}"),
    }
}

#[test]
fn so_many_claims_with_the_same_failure_trip_and_failed_sessions_do_not_count() {
    let mut rule = SafetyCompletion::new(5);
    assert!(matches!(again(&mut rule, 4, &claim("x")), Judgement::Near(_)));
    assert_eq!(rule.observe(&failed()), Judgement::Fine);
    insta::assert_snapshot!(trips(&rule.observe(&claim("x"))), @"5 claims in a row were rejected; `make` still fails the same way");
}

#[test]
fn a_check_that_moved_work_without_a_claim_and_a_reset_start_the_count_again() {
    let mut rule = SafetyCompletion::new(3);
    for between in [finished(|_| ()), reset(), claim("y")] {
        assert!(matches!(again(&mut rule, 2, &claim("x")), Judgement::Near(_)));
        assert_eq!(rule.observe(&between), Judgement::Fine);
    }
    assert!(matches!(rule.observe(&claim("y")), Judgement::Near(_)));
}

#[test]
fn claims_that_protected_files_speak_against_count_too() {
    let mut rule = SafetyCompletion::new(2);
    let claim = finished(|summary| summary.claim = ClaimFate::Rejected);
    rule.observe(&claim);
    insta::assert_snapshot!(trips(&rule.observe(&claim)), @"2 claims in a row were rejected for the same reason");
}

#[test]
fn two_claims_in_a_row_that_only_the_originals_reject_leave_it_to_the_user_at_any_threshold() {
    for limit in [0, 1, 2, 5] {
        let mut rule = SafetyCompletion::new(limit);
        let change = GuardedChange {
            path: "tests/test_a.py".to_owned(),
            how: GuardedHow::Changed,
            what: "a test".to_owned(),
            keys: Vec::new(),
        };
        let ran = OriginalsRan { changes: vec![change], ..OriginalsRan::default() };
        rule.observe(&event(EventKind::Originals(ran)));
        let first = rule.observe(&originals(&["a"]));
        assert!(!matches!(first, Judgement::Leave(..)), "{first:?}");
        // An iteration that works on without a claim is none.
        rule.observe(&finished(|_| ()));
        let (reason, undecided) = leaves(rule.observe(&originals(&["a", "b", "c", "d", "e"])));
        assert_eq!(
            reason,
            "the work is finished; 5 existing tests no longer pass: a, b, c and 2 more"
        );
        assert_eq!(undecided, Undecided::Originals { files: vec!["tests/test_a.py".to_owned()] });
        let next = rule.observe(&originals(&["a"]));
        assert!(
            !matches!(next, Judgement::Leave(..)),
            "a loop that goes on has two more: {next:?}"
        );
    }
}

#[test]
fn an_agent_that_is_blocked_after_the_originals_rejected_its_claim_is_finished() {
    let mut rule = SafetyCompletion::new(0);
    assert_eq!(rule.observe(&blocked(None)), Judgement::Fine);
    rule.observe(&originals(&["a"]));
    assert_eq!(rule.observe(&blocked(Some("deploy"))), Judgement::Fine);
    let (reason, _) = leaves(rule.observe(&blocked(None)));
    insta::assert_snapshot!(reason, @"the work is finished; 1 existing test no longer passes: a; the agent says: the task asks for other tests");
    rule.observe(&known(&["a"]));
    assert_eq!(rule.observe(&blocked(None)), Judgement::Fine);
}

#[test]
fn known_failures_that_do_not_get_fewer_in_two_claims_leave_it_to_the_user() {
    let mut rule = SafetyCompletion::new(0);
    assert_eq!(rule.observe(&known(&["a", "b"])), Judgement::Fine);
    assert_eq!(rule.observe(&known(&["a"])), Judgement::Fine);
    let (reason, undecided) = leaves(rule.observe(&known(&["b"])));
    assert_eq!(reason, "only tests that failed before the loop still fail: b");
    assert_eq!(undecided, Undecided::KnownFailures);
}

#[test]
fn another_reason_a_reset_and_a_changed_option_break_the_row() {
    let change =
        OptionChanged { option: "unguard".to_owned(), from: None, to: Some("tests/**".into()) };
    let changed = event(EventKind::OptionChanged(change));
    for between in [claim("x"), known(&["b"]), reset(), changed] {
        let mut rule = SafetyCompletion::new(0);
        rule.observe(&originals(&["a"]));
        rule.observe(&between);
        assert_eq!(rule.observe(&originals(&["a"])), Judgement::Fine, "{between:?}");
    }
}
