//! Every ending in words, and what to type next.

use insta::assert_snapshot;
use windlass_core::ending::ClaimedBy;

use windlass_core::ending::{BudgetKind, Undecided};

use super::*;

fn rule(rule: &str, reason: &str, undecided: Option<Undecided>) -> Ending {
    Ending::Rule { rule: rule.to_owned(), reason: reason.to_owned(), undecided }
}

fn all() -> Vec<State> {
    let by = ClaimedBy::Promise;
    vec![
        State::Ended(Ending::Done { by, unverified: false }),
        State::Ended(Ending::Done { by, unverified: true }),
        State::Ended(Ending::Done { by: ClaimedBy::User, unverified: true }),
        State::Ended(Ending::Approved { by: ClaimedBy::Verdict, unverified: false }),
        State::Ended(Ending::Clean { iteration: 3, left_out: 0 }),
        State::Ended(Ending::Clean { iteration: 3, left_out: 2 }),
        State::Ended(Ending::NothingToReview {
            reason: "nothing differs from main".to_owned(),
            allowed: false,
        }),
        State::Ended(Ending::Escalated {
            limit: 5,
            tasks: vec!["Write the parser".to_owned()],
            feedback: "The tests are missing.".to_owned(),
        }),
        State::Ended(Ending::Escalated {
            limit: 5,
            tasks: vec!["Write the parser".to_owned(), "Document it".to_owned()],
            feedback: "The tests are missing.".to_owned(),
        }),
        State::Ended(Ending::TestsFailed {
            iteration: 3,
            reason: "`cargo test` failed with exit code 101".to_owned(),
        }),
        State::Ended(Ending::FindingsLeft { left: 2 }),
        State::Ended(Ending::Stalled { left: 2 }),
        State::Ended(Ending::MaxIterations { limit: 3, left: Some(2) }),
        State::Ended(Ending::MaxIterations { limit: 3, left: None }),
        State::Ended(Ending::Rule {
            rule: "stagnation".to_owned(),
            reason: "nothing moved in 3 iterations".to_owned(),
            undecided: None,
        }),
        State::Ended(rule("blocked", "the agent says that it is blocked: no key", None)),
        State::Ended(rule(
            "safety-completion",
            "the work is finished; 1 existing test no longer passes: test_a",
            Some(Undecided::Originals { files: vec!["tests/a [b].py".to_owned()] }),
        )),
        State::Ended(rule(
            "safety-completion",
            "the work is finished; 1 existing test no longer passes: test_a",
            Some(Undecided::Originals { files: Vec::new() }),
        )),
        State::Ended(rule(
            "safety-completion",
            "only tests that failed before the loop still fail: test_a",
            Some(Undecided::KnownFailures),
        )),
        State::Ended(Ending::Budget {
            kind: BudgetKind::Cost,
            reason: "$4.80 of $5.00 spent, and an iteration costs $0.60".to_owned(),
            limit: "5".to_owned(),
        }),
        State::Ended(Ending::Limited { agent: "claude".to_owned(), until: None }),
        State::Ended(Ending::agent_failed("5 sessions exited with code 1".to_owned())),
        State::Ended(Ending::Cancelled { by: CancelledBy::Sigint }),
        State::Ended(Ending::Cancelled { by: CancelledBy::Request }),
        State::Ended(Ending::Error { message: "\u{1b}[2Jno space\u{202e}".to_owned(), code: 6 }),
        State::Running,
        State::Interrupted,
        State::Other("approved".to_owned()),
    ]
}

fn standing(state: State) -> Standing {
    Standing {
        state,
        name: "brave-otter".to_owned(),
        iterations: 3,
        max_iterations: Some(20),
        checks: Some(1),
        proven: Proven::default(),
        is_merge: false,
        has_trees: true,
    }
}

#[test]
fn every_ending_has_its_words_and_a_next_command() {
    let mut out = String::new();
    for standing in all().into_iter().map(standing) {
        out.push_str(&format!("{}\n", standing.words(Paint::default())));
        out.push_str(&format!("    {}\n", standing.next().join("\n    ")));
    }
    assert_snapshot!(out, @r#"
    ✓ done after 3 iterations, proven by 1 check
        windlass show brave-otter
        windlass diff brave-otter
    ✓ done after 3 iterations, unverified: no check was given
        windlass show brave-otter
        windlass diff brave-otter
    ✓ done after 3 iterations: accepted by you, not verified
        windlass show brave-otter
        windlass diff brave-otter
    ✓ approved after 3 iterations, proven by 1 check
        windlass show brave-otter
        windlass diff brave-otter
    ✓ Clean review on iteration 3
        windlass findings brave-otter
        windlass diff brave-otter
    ✓ Clean review on iteration 3, 2 less severe findings left out
        windlass findings brave-otter
        windlass diff brave-otter
    ✗ nothing to review: nothing differs from main
        windlass show brave-otter
    ✗ escalated after 3 iterations: no approval of the task "Write the parser" that stood
        windlass log brave-otter
        windlass diff brave-otter
        windlass resume brave-otter --max-iterations 10
    ✗ escalated after 3 iterations: 2 tasks were not approved in time
        windlass log brave-otter
        windlass diff brave-otter
        windlass resume brave-otter --max-iterations 10
    ✗ Tests failed on iteration 3: `cargo test` failed with exit code 101
        windlass log brave-otter
        windlass findings brave-otter
        windlass accept brave-otter
    ✗ not done: 2 findings left
        windlass findings brave-otter --open
        windlass diff brave-otter
    ✗ stalled after 3 iterations: an audit was no better than the one before, 2 findings are left
        windlass findings brave-otter --open
        windlass diff brave-otter
    ✗ Reached max iterations, 2 issues remain
        windlass resume brave-otter --max-iterations 6
        windlass why brave-otter
    ✗ not done: iteration limit (3) reached
        windlass resume brave-otter --max-iterations 6
        windlass why brave-otter
    ✗ stopped after 3 iterations by the rule stagnation: nothing moved in 3 iterations
        windlass why brave-otter
        windlass resume brave-otter --reset-circuit
    ✗ stopped after 3 iterations by the rule blocked: the agent says that it is blocked: no key
        windlass why brave-otter
        windlass resume brave-otter
        windlass accept brave-otter
    ✗ stopped after 3 iterations by the rule safety-completion: the work is finished; 1 existing test no longer passes: test_a
        windlass diff brave-otter
        windlass accept brave-otter
        windlass resume brave-otter --unguard 'tests/a [[]b[]].py'
    ✗ stopped after 3 iterations by the rule safety-completion: the work is finished; 1 existing test no longer passes: test_a
        windlass diff brave-otter
        windlass accept brave-otter
        windlass resume brave-otter --test-policy free
    ✗ stopped after 3 iterations by the rule safety-completion: only tests that failed before the loop still fail: test_a
        windlass accept brave-otter
        windlass resume brave-otter --known-failures allow
    ✗ stopped after 3 iterations by its budget: $4.80 of $5.00 spent, and an iteration costs $0.60
        windlass resume brave-otter --max-cost 10
        windlass show brave-otter
    ✗ stopped after 3 iterations by the limit of claude
        windlass resume brave-otter
        windlass log brave-otter
    ✗ stopped after 3 iterations: the agent failed: 5 sessions exited with code 1
        windlass log brave-otter
        windlass resume brave-otter
    ■ cancelled by Ctrl-C in iteration 3
        windlass resume brave-otter
        windlass show brave-otter
    ■ cancelled by `windlass cancel` in iteration 3
        windlass resume brave-otter
        windlass show brave-otter
    ✗ could not go on after 3 iterations: no space
        windlass why brave-otter
        windlass resume brave-otter
    ● running, iteration 3 of at most 20
        windlass log brave-otter --follow
        windlass cancel brave-otter
    ! interrupted in iteration 3: the process that ran it is gone
        windlass resume brave-otter
        windlass log brave-otter
    ? ended after 3 iterations: approved
        windlass show brave-otter
    "#);
}

#[test]
fn every_ending_has_a_few_words_for_the_row_of_a_list() {
    let all = all().into_iter().map(|state| standing(state).short());
    assert_snapshot!(all.collect::<Vec<_>>().join("\n"), @"
    done
    done
    accepted by you
    approved
    clean review
    clean review
    nothing to review
    escalated
    escalated
    tests failed
    2 findings left
    stalled
    iteration limit
    iteration limit
    stopped: stagnation
    blocked
    needs your decision
    needs your decision
    needs your decision
    budget reached
    provider's limit
    agent failed
    cancelled
    cancelled
    error
    running
    interrupted
    approved
    ");
}
