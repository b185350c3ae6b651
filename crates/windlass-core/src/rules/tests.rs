//! The rules together: ties, proven claims, and what opens the circuit.

pub(crate) mod testing {
    //! Events for the tests of rules.

    use super::super::{Judgement, Rule};
    use crate::{
        event::{ClaimFate, Event, EventKind, IterationSummary},
        evidence::{CheckMark, ErrorMark, Evidence},
        ids::{LoopId, Place},
        step::{Fingerprints, StepResult},
        time::Timestamp,
        tree::Snapshot,
    };

    pub(crate) fn event(kind: EventKind) -> Event {
        Event {
            seq: 1,
            at: Timestamp(0),
            ran_ms: None,
            loop_id: LoopId::from("l".to_owned()),
            kind,
        }
    }

    pub(crate) fn iteration(number: u32, claim: ClaimFate, failure: Option<&str>) -> Event {
        finished(|summary| {
            summary.iteration = number;
            summary.claim = claim;
            summary.failure = failure.map(str::to_owned);
        })
    }

    /// An iteration that came to its end with nothing special in it, but for the change.
    pub(crate) fn finished(change: impl FnOnce(&mut IterationSummary)) -> Event {
        let mut summary = IterationSummary {
            iteration: 1,
            tree: None,
            head: None,
            files_changed: 0,
            lines_changed: 0,
            files_modified: 0,
            claim: ClaimFate::None,
            failure: None,
            evidence: Evidence::default(),
            duration_ms: 1,
        };
        change(&mut summary);
        event(EventKind::IterationFinished(summary))
    }

    /// A finished iteration in a session that failed.
    pub(crate) fn failed() -> Event {
        iteration(1, ClaimFate::None, Some("exited with code 1"))
    }

    /// The tree that the loop began with.
    pub(crate) fn start(tree: &str) -> Event {
        let snapshot = Snapshot { tree: tree.to_owned(), head: Some("a".to_owned()) };
        event(EventKind::StepFinished {
            place: Place::new(0, "tree"),
            result: StepResult::Snapshot {
                snapshot: Some(snapshot),
                changed: 0,
                modified: 0,
                paths: Vec::new(),
                lines: 0,
                only_numbers: false,
                programs: Fingerprints::new(),
                notes: Vec::new(),
            },
        })
    }

    pub(crate) fn failing_check(output: &str) -> Vec<CheckMark> {
        vec![CheckMark {
            command: "make".to_owned(),
            passed: false,
            output: output.to_owned(),
            failing: None,
        }]
    }

    pub(crate) fn error(key: &str) -> ErrorMark {
        ErrorMark { key: key.to_owned(), text: format!("{key} 7") }
    }

    pub(crate) fn reset() -> Event {
        event(EventKind::CircuitReset)
    }

    /// The last of what a rule makes of the same event, so many times.
    pub(crate) fn again(rule: &mut dyn Rule, times: u32, event: &Event) -> Judgement {
        (0..times).map(|_| rule.observe(event)).last().unwrap_or(Judgement::Fine)
    }

    #[track_caller]
    pub(crate) fn trips(judgement: &Judgement) -> String {
        match judgement {
            Judgement::Trip(reason) => reason.clone(),
            other => panic!("it did not trip: {other:?}"),
        }
    }
}

use self::testing::{finished, iteration};
use super::*;
use crate::status::{Status, StatusBlock};

fn book() -> RuleBook {
    RuleBook::new(&Rules::default(), Protocol::Promise)
}

/// An iteration after which nearly everything trips.
fn disaster(number: u32, claim: ClaimFate) -> Event {
    finished(|summary| {
        summary.iteration = number;
        summary.claim = claim;
        summary.tree = Some("t".to_owned());
        summary.evidence.denied = 1;
        summary.evidence.errors = vec![testing::error("no disk")];
        summary.evidence.checks = testing::failing_check("x");
        summary.evidence.status = Some(StatusBlock {
            status: Some(Status::Blocked),
            work_type: Some("TESTING".to_owned()),
            ..StatusBlock::default()
        });
    })
}

fn trips(said: Vec<(&'static str, Judgement)>) -> Vec<&'static str> {
    said.into_iter().filter_map(Trip::of).map(|trip| trip.rule).collect()
}

#[test]
fn the_book_has_every_rule_in_the_order_of_the_list() {
    let book: Vec<&str> = book().0.iter().map(|rule| rule.name()).collect();
    let list: Vec<&str> = ALL.iter().map(|(name, _)| *name).collect();
    assert_eq!(book, list);
    let options = serde_json::to_value(Rules {
        max_cost: crate::options::Money::new(1.0),
        max_tokens: Some(1),
        max_duration: Some(crate::options::Span::seconds(1)),
        ..Rules::default()
    });
    let options = options.unwrap();
    for (name, option) in ALL {
        assert!(option.is_none_or(|option| options.get(option).is_some()), "{name}: {option:?}");
    }
}

#[test]
fn rules_that_trip_together_stand_in_the_order_of_ties() {
    let mut book = book();
    for number in 1..5 {
        book.observe(&disaster(number, ClaimFate::Rejected));
    }
    assert_eq!(
        trips(book.observe(&disaster(5, ClaimFate::Rejected))),
        ["blocked", "permission", "safety-completion", "test-only", "same-error", "stagnation"]
    );
}

#[test]
fn a_proven_claim_beats_every_rule() {
    let mut book = book();
    for number in 1..20 {
        book.observe(&disaster(number, ClaimFate::Rejected));
    }
    assert_eq!(book.observe(&disaster(20, ClaimFate::Accepted)), []);
}

#[test]
fn the_allowed_iterations_decide_before_all_rules_but_blocked_and_agent_failing() {
    let mut book = book();
    for number in 1..20 {
        book.observe(&disaster(number, ClaimFate::Rejected));
    }
    let said = book.observe(&disaster(20, ClaimFate::Rejected));
    let trips: Vec<Trip> = said.into_iter().filter_map(Trip::of).collect();
    assert_eq!(deciding(&trips).map(|trip| trip.rule), Some("blocked"));
    assert_eq!(deciding(&trips[1..]).map(|trip| trip.rule), Some(MAX_ITERATIONS));
    let failing = Trip { rule: AGENT_FAILING, reason: String::new(), undecided: None };
    let with_it: Vec<Trip> = trips[1..].iter().cloned().chain([failing]).collect();
    assert_eq!(deciding(&with_it).map(|trip| trip.rule), Some(AGENT_FAILING));
}

#[test]
fn finished_work_that_is_left_to_the_user_decides_before_all_others() {
    let left = Trip {
        rule: "safety-completion",
        reason: String::new(),
        undecided: Some(Undecided::KnownFailures),
    };
    let other = |rule| Trip { rule, reason: String::new(), undecided: None };
    let trips = [other("blocked"), left.clone(), other("stagnation"), other(MAX_ITERATIONS)];
    assert_eq!(deciding(&trips), Some(&left));
    assert!(left.goes_before_the_limit() && !left.opens_circuit());
    assert!(other("safety-completion").opens_circuit());
    let tripped = |undecided| EventKind::RuleTripped {
        rule: "safety-completion".to_owned(),
        reason: String::new(),
        undecided,
    };
    assert!(is_opening(&tripped(None)));
    assert!(!is_opening(&tripped(Some(Undecided::KnownFailures))));
}

#[test]
fn outside_a_repository_rules_about_the_tree_say_nothing() {
    let mut book = book();
    for number in 1..20 {
        assert_eq!(book.observe(&iteration(number, ClaimFate::None, None)), []);
    }
}

#[test]
fn what_only_ends_a_loop_leaves_the_circuit_alone() {
    let ends =
        ["blocked", "agent-failing", "max-cost", "max-tokens", "max-duration", "max-iterations"];
    for (name, _) in ALL {
        assert_eq!(opens_circuit(name), !ends.contains(name), "{name}");
    }
}

#[test]
fn a_rule_with_limit_zero_never_trips() {
    let limits = Rules {
        max_iterations: 0,
        failure_threshold: 0,
        stagnation_threshold: 0,
        churn_threshold: 0,
        oscillation_threshold: 0,
        same_error_threshold: 0,
        output_decline_threshold: crate::options::Percent::new(0),
        max_test_loops: 0,
        safety_completion_threshold: 0,
        permission_threshold: 0,
        max_cost: crate::options::Money::new(0.0),
        max_tokens: Some(0),
        max_duration: Some(crate::options::Span::seconds(0)),
    };
    let mut book = RuleBook::new(&limits, Protocol::Status);
    for number in 1..50 {
        assert_eq!(trips(book.observe(&disaster(number, ClaimFate::Rejected))), ["blocked"]);
    }
}
