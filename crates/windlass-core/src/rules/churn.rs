//! `churn`: several iterations in a row changed nothing but numbers, dates, ids, names or style, and neither
//! checks nor tasks moved. An iteration in other files than before counts half until it comes back to them; one
//! that changed nothing at all neither counts nor helps.

use super::{Judgement, Rule, RuleFacts, iterations_running, judge_halves};
use crate::{
    event::IterationSummary,
    progress::{Moved, Retouched},
};

/// The rule's name.
pub(super) const NAME: &str = "churn";

/// What there is to know about it.
pub(super) const FACTS: RuleFacts = RuleFacts {
    name: NAME,
    option: Some("churn_threshold"),
    spared_by: "a change of more than numbers, dates, names or style, or a check that says something new",
};

#[derive(Clone)]
pub(super) struct Churn {
    limit: u32,
    count: Count,
}

/// How long it has gone on.
#[derive(Clone, Copy, Default)]
struct Count {
    iterations: u32,
    halves: u32,
    /// Halves that were not counted because each time other files changed: the work may be to go through them.
    spared: u32,
}

impl Count {
    fn after(self, retouched: Retouched) -> Self {
        let Self { iterations, halves, spared } = self;
        match retouched {
            Retouched::Fresh => {
                Self { iterations: iterations + 1, halves: halves + 1, spared: spared + 1 }
            }
            Retouched::Again => {
                Self { iterations: iterations + 1, halves: halves + spared + 2, spared: 0 }
            }
        }
    }
}

impl Churn {
    pub(super) fn new(limit: u32) -> Self {
        Self { limit, count: Count::default() }
    }
}

impl Rule for Churn {
    fn name(&self) -> &'static str {
        NAME
    }

    fn judge(&mut self, _: &IterationSummary, moved: &Moved) -> Judgement {
        let Some(retouched) = moved.only_retouched() else {
            if moved.is_progress() {
                self.reset();
            }
            return Judgement::Fine;
        };
        self.count = self.count.after(retouched);
        judge_halves(self.count.halves, self.limit, || {
            let iterations = iterations_running(self.count.iterations);
            format!("nothing but numbers, dates, names or style changed in {iterations}")
        })
    }

    fn reset(&mut self) {
        self.count = Count::default();
    }

    fn wants_look(&self, _: &IterationSummary, moved: &Moved) -> bool {
        let count = moved.only_retouched().map(|retouched| self.count.after(retouched));
        count.is_some_and(|count| self.limit > 0 && count.halves + 2 >= 2 * self.limit)
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::testing::{Alone, again, failing_check, finished, reset, trips},
        *,
    };
    use crate::event::Event;
    use crate::evidence::{FileChange, FileKind, FileMark, FilesMark, TaskMark};

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
        let mut rule = Alone::new(Churn::new(5));
        assert!(matches!(again(&mut rule, 4, &numbers()), Judgement::Near(_)));
        let still = finished(|summary| summary.tree = Some("t".to_owned()));
        assert_eq!(again(&mut rule, 2, &still), Judgement::Fine);
        insta::assert_snapshot!(trips(&rule.observe(&numbers())), @"nothing but numbers, dates, names or style changed in 5 iterations in a row");
    }

    #[test]
    fn a_real_change_a_check_or_task_that_moved_and_a_reset_start_the_count_again() {
        let mut rule = Alone::new(Churn::new(3));
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

    /// An iteration in which only the style of this file changed.
    fn restyled(path: &str, id: u32) -> Event {
        changed(false, |summary| {
            let shape = Some("s".to_owned());
            summary.evidence.files = Some(FilesMark {
                changed: vec![FileMark {
                    path: path.to_owned(),
                    kind: FileKind::Work,
                    change: FileChange::Style,
                    id: Some(id.to_string()),
                    was: shape.clone(),
                    shape,
                }],
                ..FilesMark::default()
            });
        })
    }

    #[test]
    fn going_through_the_files_counts_half_until_one_comes_again() {
        let mut rule = Alone::new(Churn::new(5));
        for number in 1..=5 {
            let judgement = rule.observe(&restyled(&format!("{number}.rs"), number));
            assert!(!matches!(judgement, Judgement::Trip(_)), "{number}");
        }
        insta::assert_snapshot!(trips(&rule.observe(&restyled("1.rs", 9))), @"nothing but numbers, dates, names or style changed in 6 iterations in a row");
        let mut rule = Alone::new(Churn::new(5));
        for number in 1..=9 {
            let judgement = rule.observe(&restyled(&format!("{number}.rs"), number));
            assert!(!matches!(judgement, Judgement::Trip(_)), "{number}");
        }
    }
}
