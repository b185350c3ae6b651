//! `same-error`: the same error so many iterations running, whatever its numbers, paths, times and
//! ids are. It keeps the errors of the last iteration only.

use std::collections::HashMap;

use super::{Judgement, Rule, judge, times_running};
use crate::{
    event::{Event, EventKind},
    evidence::ErrorMark,
};

/// The rule's name.
pub(super) const NAME: &str = "same-error";

pub(super) struct SameError {
    limit: u32,
    /// How many iterations running each error of the last one has been there.
    running: HashMap<String, u32>,
}

impl SameError {
    pub(super) fn new(limit: u32) -> Self {
        Self { limit, running: HashMap::new() }
    }

    fn judge(&mut self, errors: &[ErrorMark]) -> Judgement {
        let before = std::mem::take(&mut self.running);
        let mut longest: Option<(u32, &ErrorMark)> = None;
        for error in errors {
            let count = before.get(&error.key).copied().unwrap_or(0).saturating_add(1);
            self.running.insert(error.key.clone(), count);
            if longest.is_none_or(|(most, _)| count > most) {
                longest = Some((count, error));
            }
        }
        let Some((count, error)) = longest else { return Judgement::Fine };
        judge(count, self.limit, || {
            format!("the same error {}: {}", times_running(count), error.text)
        })
    }
}

impl Rule for SameError {
    fn name(&self) -> &'static str {
        NAME
    }

    fn observe(&mut self, event: &Event) -> Judgement {
        match &event.kind {
            EventKind::IterationFinished(summary) if summary.worked_though_cut_short() => {
                self.judge(&[])
            }
            EventKind::IterationFinished(summary) => self.judge(&summary.evidence.errors),
            EventKind::CircuitReset => {
                self.running.clear();
                Judgement::Fine
            }
            _ => Judgement::Fine,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::testing::{again, error, finished, reset, trips},
        *,
    };

    fn with(keys: &[&str]) -> Event {
        finished(|summary| summary.evidence.errors = keys.iter().map(|key| error(key)).collect())
    }

    #[test]
    fn the_same_error_trips_among_others_that_come_and_go() {
        let mut rule = SameError::new(4);
        rule.observe(&with(&["a", "no disk"]));
        rule.observe(&with(&["no disk", "b"]));
        assert!(matches!(rule.observe(&with(&["c", "no disk"])), Judgement::Near(_)));
        insta::assert_snapshot!(trips(&rule.observe(&with(&["a", "no disk"]))), @"the same error 4 times in a row: no disk 7");
    }

    #[test]
    fn another_error_none_and_a_reset_start_the_count_again() {
        let mut rule = SameError::new(4);
        for between in [with(&["other"]), with(&[]), reset()] {
            assert!(matches!(again(&mut rule, 3, &with(&["no disk"])), Judgement::Near(_)));
            assert_eq!(rule.observe(&between), Judgement::Fine);
        }
    }

    #[test]
    fn two_errors_that_take_turns_are_not_the_same() {
        let mut rule = SameError::new(2);
        for _ in 0..9 {
            assert!(!matches!(rule.observe(&with(&["a"])), Judgement::Trip(_)));
            assert!(!matches!(rule.observe(&with(&["b"])), Judgement::Trip(_)));
        }
    }

    #[test]
    fn an_error_that_an_iteration_has_twice_counts_once() {
        let mut rule = SameError::new(3);
        assert!(matches!(again(&mut rule, 2, &with(&["a", "a"])), Judgement::Near(_)));
    }
}
