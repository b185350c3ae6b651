//! Whole screens of `why`.

use insta::assert_snapshot;
use windlass_store::store::IterationRecord;

use super::*;
use crate::{commands::samples, report};

fn why(record: &LoopRecord, alive: bool, history: &[Event]) -> String {
    let mut standing = samples::standing(record, alive);
    let iterations = samples::iterations();
    let seen = Seen::of(&iterations, history);
    standing.prove(proving(&iterations), seen.view.proof.as_ref());
    let advice = advice(&standing, record);
    screen(record, &standing, &seen, (advice.words, &Next::of(advice.commands)), Paint::default())
}

#[test]
fn a_rule_that_tripped_is_told_with_its_evidence() {
    let mut history = report::samples::good();
    let event = |n, kind| report::samples::event(n, kind);
    let (rule, reason) = ("stagnation".to_owned(), "3 iterations without progress".to_owned());
    history.push(event(40, EventKind::RuleTripped { rule, reason, undecided: None }));
    let (rule, reason) = ("churn".to_owned(), "the same lines came and went".to_owned());
    history.push(event(41, EventKind::RuleTripped { rule, reason, undecided: None }));
    assert_snapshot!(why(&samples::tripped(), false, &history), @"
    brave-otter  iterate with command in /work/shop
    ✗ stopped after 2 iterations by the rule stagnation: 3 iterations without progress

      rule churn tripped: the same lines came and went

      ITERATION  CLAIM     CHECKS    FILES      TREE
      1          rejected  1 failed  2 changed  1a2b3c4
      2          accepted  1 passed  2 changed  1a2b3c4

    The agent was stuck. See on what, fix that by hand or in the prompt, then resume:
      windlass log brave-otter --iteration 2
      windlass diff brave-otter
      windlass resume brave-otter --reset-circuit
    ");
}

#[test]
fn the_last_claim_is_told_with_its_tests_and_the_flags_that_unguard() {
    assert_snapshot!(why(&samples::tripped(), false, &report::samples::refuted()), @"
    brave-otter  iterate with command in /work/shop
    ✗ stopped after 2 iterations by the rule stagnation: 3 iterations without progress
      not proven: 1 of 41 tests fails; the check failed before the loop; failed on the original tests

      `pytest` failed: 1 of 41 tests fails: test_c
      the checks also ran on the original tests: failed: test_a, test_b
      guarded: tests/test_a.py was changed (a test); to let the agent change it: --unguard 'tests/test_a.py'
      guarded: pyproject.toml was changed, in its guarded keys tool.pytest.ini_options; to let the agent change it: --unguard 'pyproject.toml'
      to guard nothing: --test-policy free

      ITERATION  CLAIM     CHECKS    FILES
      1          rejected  1 failed  2 changed
      2          accepted  1 passed  2 changed

    The agent was stuck. See on what, fix that by hand or in the prompt, then resume:
      windlass log brave-otter --iteration 2
      windlass diff brave-otter
      windlass resume brave-otter --reset-circuit
    ");
    assert_snapshot!(why(&samples::done(), false, &report::samples::proven()), @"
    brave-otter  iterate with command in /work/shop
    ✓ done after 2 iterations, proven by 1 check, with 2 doubts
      proof: 41 tests pass, 2 skipped; the check failed before the loop; passed on the original tests, too
      flaky: pytest (it passed and failed on the same files)
      doubt: tests/fixtures/a.json: a watched file changed
      doubt: 2 tests are skipped that ran before

      the checks also ran on the original tests: passed
      guarded: tests/test_a.py was changed (a test)

      ITERATION  CLAIM     CHECKS    FILES
      1          rejected  1 failed  2 changed
      2          accepted  1 passed  2 changed

    The checks passed. What to do with the work:
      windlass show brave-otter
      windlass diff brave-otter
    ");
}

#[test]
fn a_warning_counts_until_the_next_iteration_and_a_trip_until_the_reset() {
    let mut history = report::samples::good();
    assert_eq!(judgements(&history), []);
    history.retain(|event| event.kind.word() != "iteration_finished");
    assert_eq!(judgements(&history).len(), 1);
    let (rule, reason) = ("churn".to_owned(), String::new());
    history
        .push(report::samples::event(40, EventKind::RuleTripped { rule, reason, undecided: None }));
    assert_eq!(judgements(&history).len(), 2);
    history.push(report::samples::event(41, EventKind::CircuitReset));
    assert_eq!(judgements(&history), []);
}

#[test]
fn every_other_ending_has_its_advice() {
    let mut told = String::new();
    let record = |ending| LoopRecord { ending: Some(ending), ..samples::done() };
    let by = windlass_core::ending::ClaimedBy::Promise;
    for (record, alive) in [
        (samples::done(), false),
        (record(Ending::Done { by, unverified: true }), false),
        (record(Ending::MaxIterations { limit: 20, left: None }), false),
        (record(Ending::agent_failed("5 sessions crashed".to_owned())), false),
        (record(Ending::Cancelled { by: windlass_core::ending::CancelledBy::Sigterm }), false),
        (record(Ending::Error { message: "the store is full".to_owned(), code: 6 }), false),
        (samples::running(), true),
        (samples::running(), false),
    ] {
        let standing = samples::standing(&record, alive);
        let advice = advice(&standing, &record);
        told.push_str(&format!("{}: {}\n", standing.word(), advice.words));
        told.push_str(&format!("  {}\n", advice.commands.join("\n  ")));
    }
    assert_snapshot!(told, @"
    done: The checks passed. What to do with the work:
      windlass show brave-otter
      windlass diff brave-otter
    done: Only the agent says that it is done. Look at what it changed, and give the next loop a `--check`, so that windlass can prove it:
      windlass show brave-otter
      windlass diff brave-otter
    max_iterations: If the last iterations made progress, allow more; otherwise change the prompt or the checks first:
      windlass resume brave-otter --max-iterations 40
      windlass log brave-otter --iteration 2
    agent_failed: Find out why the agent fails: read its last output, and check that it is installed and signed in. Then resume:
      windlass log brave-otter --iteration 2
      windlass doctor
      windlass resume brave-otter
    cancelled: It can be resumed where it stopped:
      windlass resume brave-otter
      windlass show brave-otter
    error: Fix what windlass could not do, then resume:
      windlass doctor
      windlass resume brave-otter
    running: Still running. Follow or cancel it:
      windlass log calm-heron --follow
      windlass cancel calm-heron
    interrupted: No finished step is lost: at most the step that was running is repeated. Resume it:
      windlass resume calm-heron
      windlass log calm-heron
    ");
}

#[test]
fn hostile_words_are_shown_and_do_nothing() {
    let shown = why(&samples::evil(), false, &report::samples::evil());
    assert_eq!(sanitise::text(&shown), shown);
}

#[test]
fn only_the_last_iterations_of_a_long_loop_are_shown() {
    let record = samples::tripped();
    let standing = samples::standing(&record, false);
    let one = samples::iterations().remove(0);
    let many: Vec<_> = (1..=100).map(|number| IterationRecord { number, ..one.clone() }).collect();
    let seen = Seen { rejected: Vec::new(), ..Seen::of(&many, &[]) };
    let advice = advice(&standing, &record);
    let shown = screen(
        &record,
        &standing,
        &seen,
        (advice.words, &Next::of(advice.commands)),
        Paint::default(),
    );
    assert!(shown.contains("and 88 iterations before"), "{shown}");
    assert!(shown.lines().count() < 25, "{shown}");
}
