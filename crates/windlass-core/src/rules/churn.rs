//! `churn`: so many iterations changed nothing but numbers, dates and ids, and neither checks nor
//! tasks moved. An iteration that changed nothing at all neither counts nor helps.

use super::{Judgement, Rule, iterations_running, judge};
use crate::{
    event::{Event, EventKind, IterationSummary},
    progress::churning::Churning,
};

/// The rule's name.
pub(super) const NAME: &str = "churn";

pub(super) struct Churn {
    limit: u32,
    churning: Churning,
}

impl Churn {
    pub(super) fn new(limit: u32) -> Self {
        Self { limit, churning: Churning::default() }
    }

    fn judge(&mut self, summary: &IterationSummary) -> Judgement {
        let Some(running) = self.churning.observe(summary) else { return Judgement::Fine };
        judge(running, self.limit, || {
            format!("nothing but numbers, dates and ids changed in {}", iterations_running(running))
        })
    }
}

impl Rule for Churn {
    fn name(&self) -> &'static str {
        NAME
    }

    fn observe(&mut self, event: &Event) -> Judgement {
        match &event.kind {
            EventKind::IterationFinished(summary) => self.judge(summary),
            EventKind::CircuitReset => {
                self.churning.reset();
                Judgement::Fine
            }
            _ => Judgement::Fine,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::testing::{again, failing_check, finished, reset, trips},
        *,
    };
    use crate::evidence::TaskMark;

    fn changed(only_numbers: bool, change: impl FnOnce(&mut IterationSummary)) -> Event {
        finished(|summary| {
            summary.tree = Some("t".to_owned());
            summary.files_changed = 1;
            summary.evidence.only_numbers = only_numbers;
            change(summary);
        })
    }

    fn numbers() -> Event {
        changed(true, |_| ())
    }

    #[test]
    fn so_many_changes_of_numbers_trip_and_standing_still_between_them_does_not_help() {
        let mut rule = Churn::new(5);
        assert!(matches!(again(&mut rule, 4, &numbers()), Judgement::Near(_)));
        let still = finished(|summary| summary.tree = Some("t".to_owned()));
        assert_eq!(again(&mut rule, 2, &still), Judgement::Fine);
        insta::assert_snapshot!(trips(&rule.observe(&numbers())), @"nothing but numbers, dates and ids changed in 5 iterations in a row");
    }

    #[test]
    fn a_real_change_a_check_or_task_that_moved_and_a_reset_start_the_count_again() {
        let mut rule = Churn::new(3);
        let tasks = |open| Some(TaskMark { open, done: 0, unworked: 0, only_file: false });
        rule.observe(&changed(false, |summary| {
            summary.evidence.checks = failing_check("x");
            summary.evidence.tasks = tasks(3);
        }));
        for between in [
            changed(false, |_| ()),
            changed(true, |summary| summary.evidence.checks = failing_check("y")),
            changed(true, |summary| summary.evidence.tasks = tasks(2)),
            reset(),
        ] {
            assert!(matches!(again(&mut rule, 2, &numbers()), Judgement::Near(_)));
            assert_eq!(rule.observe(&between), Judgement::Fine);
        }
    }
}
