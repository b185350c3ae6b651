//! `same-error`: the same error for several iterations in a row, whatever its numbers, paths, times and ids
//! are. Iterations with real work count half. It keeps the errors of the last iteration only.

use std::collections::HashMap;

use super::{Judgement, Rule, RuleFacts, judge_halves, times_running};
use crate::{event::IterationSummary, evidence::ErrorMark, progress::Moved};

/// The rule's name.
pub(super) const NAME: &str = "same-error";

/// What there is to know about it.
pub(super) const FACTS: RuleFacts = RuleFacts {
    name: NAME,
    option: Some("same_error_threshold"),
    spared_by: "another error, or a check that gets better; an iteration with changed files counts half",
};

#[derive(Clone)]
pub(super) struct SameError {
    limit: u32,
    /// How long each error of the last iteration has been there.
    running: HashMap<String, Running>,
}

/// How long an error has been there.
#[derive(Clone, Copy)]
struct Running {
    iterations: u32,
    halves: u32,
}

impl SameError {
    pub(super) fn new(limit: u32) -> Self {
        Self { limit, running: HashMap::new() }
    }

    fn count(&mut self, errors: &[ErrorMark], halves: u32) -> Judgement {
        let before = std::mem::take(&mut self.running);
        let mut longest: Option<(Running, &ErrorMark)> = None;
        for error in errors {
            let running = match before.get(&error.key) {
                Some(&Running { iterations, halves: so_far }) => Running {
                    iterations: iterations.saturating_add(1),
                    halves: so_far.saturating_add(halves),
                },
                None => Running { iterations: 1, halves: 2 },
            };
            self.running.insert(error.key.clone(), running);
            if longest.is_none_or(|(most, _)| running.halves > most.halves) {
                longest = Some((running, error));
            }
        }
        let Some((running, error)) = longest else { return Judgement::Fine };
        judge_halves(running.halves, self.limit, || {
            format!("the same error {}: {}", times_running(running.iterations), error.text)
        })
    }
}

impl Rule for SameError {
    fn name(&self) -> &'static str {
        NAME
    }

    fn judge(&mut self, summary: &IterationSummary, moved: &Moved) -> Judgement {
        // An error that stays while the checks get better does not keep the agent from its work.
        if summary.worked_though_cut_short() || moved.is_confirmed() {
            return self.count(&[], 0);
        }
        self.count(&summary.evidence.errors, moved.halves())
    }

    fn reset(&mut self) {
        self.running.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::testing::{Alone, again, error, failing_check, finished, reset, trips},
        *,
    };
    use crate::event::Event;

    fn with(keys: &[&str]) -> Event {
        finished(|summary| summary.evidence.errors = keys.iter().map(|key| error(key)).collect())
    }

    #[test]
    fn the_same_error_trips_among_others_that_come_and_go() {
        let mut rule = Alone::new(SameError::new(4));
        rule.observe(&with(&["a", "no disk"]));
        rule.observe(&with(&["no disk", "b"]));
        assert!(matches!(rule.observe(&with(&["c", "no disk"])), Judgement::Near(_)));
        insta::assert_snapshot!(trips(&rule.observe(&with(&["a", "no disk"]))), @"the same error 4 times in a row: no disk 7");
    }

    #[test]
    fn another_error_none_and_a_reset_start_the_count_again() {
        let mut rule = Alone::new(SameError::new(4));
        for between in [with(&["other"]), with(&[]), reset()] {
            assert!(matches!(again(&mut rule, 3, &with(&["no disk"])), Judgement::Near(_)));
            assert_eq!(rule.observe(&between), Judgement::Fine);
        }
    }

    #[test]
    fn two_errors_that_take_turns_are_not_the_same() {
        let mut rule = Alone::new(SameError::new(2));
        for _ in 0..9 {
            assert!(!matches!(rule.observe(&with(&["a"])), Judgement::Trip(_)));
            assert!(!matches!(rule.observe(&with(&["b"])), Judgement::Trip(_)));
        }
    }

    #[test]
    fn an_error_that_an_iteration_has_twice_counts_once() {
        let mut rule = Alone::new(SameError::new(3));
        assert!(matches!(again(&mut rule, 2, &with(&["a", "a"])), Judgement::Near(_)));
    }

    #[test]
    fn an_error_counts_half_next_to_real_work_and_not_at_all_next_to_better_checks() {
        let worked = finished(|summary| {
            summary.tree = Some("t".to_owned());
            summary.files_changed = 1;
            summary.evidence.errors = vec![error("no disk")];
        });
        let mut rule = Alone::new(SameError::new(3));
        assert!(matches!(again(&mut rule, 4, &worked), Judgement::Near(_)));
        insta::assert_snapshot!(trips(&rule.observe(&worked)), @"the same error 5 times in a row: no disk 7");
        let mut rule = Alone::new(SameError::new(3));
        for left in (0..9).rev() {
            let better = finished(|summary| {
                summary.evidence.errors = vec![error("no disk")];
                summary.evidence.checks = failing_check("x");
                summary.evidence.checks[0].failing = Some(left);
            });
            assert!(!matches!(rule.observe(&better), Judgement::Trip(_)), "{left}");
        }
    }
}
