//! Budgets that trip, and budgets that just do not.

use super::{
    super::testing::{event, finished, reset, trips},
    *,
};
use crate::{claim::ClaimReading, ids::Place, process::StreamStats, time::Timestamp};

fn session(cost_usd: Option<f64>, tokens: u64) -> Event {
    let report = SessionReport {
        outcome: Outcome::Finished,
        final_text: String::new(),
        claim: ClaimReading::default(),
        problem: None,
        usage: Usage { input_tokens: tokens, output_tokens: 0, cost_usd },
        model: None,
        tools: 0,
        denied: 0,
        denied_tools: Vec::new(),
        session_id: None,
        said: 0,
        exit_code: Some(0),
        stdout: StreamStats::default(),
        stderr: StreamStats::default(),
        leftovers: Vec::new(),
        lost_background: Vec::new(),
        overage: None,
        duration_ms: 1,
    };
    let place = Place::new(1, "agent");
    event(EventKind::StepFinished { place, result: StepResult::Session(Box::new(report)) })
}

/// What the rule says after an iteration with one session.
fn after(rule: &mut Budget, cost: f64, tokens: u64) -> Judgement {
    assert_eq!(rule.observe(&session(Some(cost), tokens)), Judgement::Fine);
    rule.observe(&finished(|_| ()))
}

fn at(seconds: i64, kind: EventKind) -> Event {
    Event { at: Timestamp(seconds * 1000), ..event(kind) }
}

#[test]
fn it_ends_before_the_iteration_that_would_likely_go_over() {
    let mut rule = Budget::cost(Money::new(5.0));
    for _ in 0..6 {
        assert_eq!(after(&mut rule, 0.6, 0), Judgement::Fine);
    }
    assert!(matches!(after(&mut rule, 0.6, 0), Judgement::Near(_)));
    insta::assert_snapshot!(trips(&after(&mut rule, 0.6, 0)), @"$4.80 of $5.00 spent (about $0.60 per iteration)");
}

#[test]
fn one_iteration_over_the_limit_is_the_last() {
    let mut rule = Budget::cost(Money::new(5.0));
    insta::assert_snapshot!(trips(&after(&mut rule, 7.5, 0)), @"$7.50 of $5.00 spent");
}

#[test]
fn a_budget_that_the_next_iteration_just_fits_into_does_not_trip() {
    let mut rule = Budget::tokens(Some(2000));
    assert!(matches!(after(&mut rule, 0.0, 1000), Judgement::Near(_)));
    insta::assert_snapshot!(trips(&after(&mut rule, 0.0, 1000)), @"2,000 of 2,000 tokens used (about 1,000 per iteration)");
}

#[test]
fn only_the_time_that_the_loop_ran_counts() {
    let mut rule = Budget::duration(Some(Span::seconds(200)));
    let resumed =
        || EventKind::LoopResumed { epoch: 2, max_iterations: 9, start: None, accepting: false };
    let ending = crate::ending::Ending::MaxIterations { limit: 1, left: None };
    let over = || finished(|_| ()).kind;
    rule.observe(&at(0, EventKind::IterationStarted { iteration: 1 }));
    assert_eq!(rule.observe(&at(60, over())), Judgement::Fine);
    rule.observe(&at(60, EventKind::LoopFinished { ending }));
    rule.observe(&at(5000, resumed()));
    assert!(matches!(rule.observe(&at(5060, over())), Judgement::Near(_)));
    // The process was killed here, and somebody took the loop up later.
    rule.observe(&at(9000, resumed()));
    insta::assert_snapshot!(trips(&rule.observe(&at(9060, over()))), @"3 min of 3 min 20 s elapsed (about 1 min per iteration)");
}

#[test]
fn an_agent_that_does_not_tell_what_it_takes_is_noted_once() {
    let mut rule = Budget::cost(Money::new(5.0));
    let Judgement::Note(note) = rule.observe(&session(None, 10)) else { panic!("no note") };
    insta::assert_snapshot!(note, @"the agent does not tell what a session costs, so `--max-cost` cannot be held; `--max-duration` can");
    assert_eq!(rule.observe(&session(None, 10)), Judgement::Fine);
    assert_eq!(rule.observe(&finished(|_| ())), Judgement::Fine);
}

#[test]
fn a_reset_does_not_give_money_back() {
    let mut rule = Budget::cost(Money::new(5.0));
    after(&mut rule, 2.0, 0);
    rule.observe(&reset());
    assert!(matches!(after(&mut rule, 2.0, 0), Judgement::Trip(_)));
}

#[test]
fn without_a_limit_and_with_a_limit_of_zero_nothing_trips() {
    for mut rule in [Budget::cost(None), Budget::cost(Money::new(0.0)), Budget::tokens(Some(0))] {
        assert_eq!(after(&mut rule, 1e6, 1 << 40), Judgement::Fine);
    }
}

#[test]
fn amounts_are_shown_as_people_read_them() {
    assert_eq!([0, 999, 1000, 1_250_000].map(grouped), ["0", "999", "1,000", "1,250,000"]);
    let shown = [300, 7000, 125_000, 3_900_000].map(|ms| clock(Duration::from_millis(ms)));
    assert_eq!(shown, ["300 ms", "7 s", "2 min 5 s", "1 h 5 min"]);
}
