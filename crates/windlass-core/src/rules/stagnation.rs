//! `stagnation`: several iterations in a row brought no progress: no work, and no check, task or finding
//! moved. An iteration with a hint of progress counts half, and failed sessions do not count.

use super::{Judgement, Rule, RuleFacts, judge_halves};
use crate::{
    event::IterationSummary,
    progress::{Moved, Weight},
    text::count::count,
};

/// The rule's name.
pub(super) const NAME: &str = "stagnation";

/// What there is to know about it.
pub(super) const FACTS: RuleFacts = RuleFacts {
    name: NAME,
    option: Some("stagnation_threshold"),
    spared_by: "a file that holds something new, a commit, a task done, or a check that says something new; a new report counts half",
};

#[derive(Clone)]
pub(super) struct Stagnation {
    limit: u32,
    iterations: u32,
    halves: u32,
}

impl Stagnation {
    pub(super) fn new(limit: u32) -> Self {
        Self { limit, iterations: 0, halves: 0 }
    }

    /// How many halves an iteration adds; `None` where it is progress.
    fn adds(moved: &Moved) -> Option<u32> {
        match moved.weight() {
            Weight::Result | Weight::Work => None,
            Weight::Hint => Some(1),
            Weight::Nothing => Some(2),
        }
    }
}

/// Whether the iteration says anything: outside a repository nothing can be said, and a failed session says
/// nothing.
fn speaks(summary: &IterationSummary) -> bool {
    summary.failure.is_none() && summary.tree.is_some()
}

/// What would have been progress, or what there was in its place.
fn what_stayed(summary: &IterationSummary, moved: &Moved) -> String {
    if let Some(instead) = moved.instead() {
        return instead;
    }
    let tasks = summary.evidence.tasks.is_some();
    let checks = !summary.evidence.checks.is_empty();
    let stayed = match (tasks, checks) {
        (true, true) => "files, tasks or check results",
        (true, false) => "files or tasks",
        (false, true) => "files or check results",
        (false, false) => "files",
    };
    format!("no {stayed} changed")
}

impl Rule for Stagnation {
    fn name(&self) -> &'static str {
        NAME
    }

    fn judge(&mut self, summary: &IterationSummary, moved: &Moved) -> Judgement {
        let Some(adds) = Self::adds(moved) else {
            self.reset();
            return Judgement::Fine;
        };
        if !speaks(summary) {
            return Judgement::Fine;
        }
        self.iterations += 1;
        self.halves += adds;
        let seen = format!("no progress in {}", count(self.iterations, "iteration"));
        match judge_halves(self.halves, self.limit, || seen) {
            Judgement::Trip(seen) => {
                Judgement::Trip(format!("{seen}: {}", what_stayed(summary, moved)))
            }
            judgement => judgement,
        }
    }

    fn reset(&mut self) {
        (self.iterations, self.halves) = (0, 0);
    }

    fn wants_look(&self, summary: &IterationSummary, moved: &Moved) -> bool {
        let adds = Self::adds(moved).filter(|_| speaks(summary));
        adds.is_some_and(|adds| self.limit > 0 && self.halves + adds + 2 >= 2 * self.limit)
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::testing::{Alone, again, failed, failing_check, finished, reset, start, trips},
        *,
    };
    use crate::{
        event::{Event, EventKind, IterationSummary},
        evidence::Words,
    };

    fn still() -> Event {
        finished(|summary| {
            summary.tree = Some("t".to_owned());
            summary.head = Some("a".to_owned());
        })
    }

    #[test]
    fn a_task_that_is_reported_as_blocked_for_the_first_time_is_progress() {
        let blocked = |task: &str| {
            finished(|summary| {
                summary.tree = Some("t".to_owned());
                summary.head = Some("a".to_owned());
                summary.evidence.blocked_task = Some(task.to_owned());
            })
        };
        let resumed = super::super::testing::event(EventKind::LoopResumed {
            epoch: 2,
            max_iterations: 0,
            start: None,
            accepting: false,
        });
        let mut rule = Alone::new(Stagnation::new(2));
        for task in ["a", "b", "c", "d"] {
            assert_eq!(rule.observe(&blocked(task)), Judgement::Fine, "{task}");
        }
        assert!(matches!(rule.observe(&blocked("a")), Judgement::Near(_)));
        rule.observe(&resumed);
        assert_eq!(rule.observe(&blocked("a")), Judgement::Fine);
        rule.observe(&blocked("a"));
        assert!(matches!(rule.observe(&blocked("a")), Judgement::Trip(_)));
    }

    fn with(change: impl FnOnce(&mut IterationSummary)) -> Event {
        finished(|summary| {
            summary.tree = Some("t".to_owned());
            summary.head = Some("a".to_owned());
            change(summary);
        })
    }

    #[test]
    fn so_many_iterations_without_progress_trip_and_failed_ones_do_not_count() {
        let mut rule = Alone::new(Stagnation::new(3));
        rule.observe(&start("t"));
        assert!(matches!(again(&mut rule, 2, &still()), Judgement::Near(_)));
        assert_eq!(again(&mut rule, 5, &failed()), Judgement::Fine);
        insta::assert_snapshot!(trips(&rule.observe(&still())), @"no progress in 3 iterations: no files changed");
    }

    #[test]
    fn a_file_a_commit_a_check_that_moved_and_a_reset_start_the_count_again() {
        let mut rule = Alone::new(Stagnation::new(3));
        rule.observe(&start("t"));
        rule.observe(&with(|s| s.evidence.checks = failing_check("x")));
        for between in [
            with(|s| s.files_changed = 1),
            with(|s| s.evidence.checks = failing_check("y")),
            reset(),
            with(|s| s.head = Some("b".to_owned())),
        ] {
            again(&mut rule, 2, &still());
            assert_eq!(rule.observe(&between), Judgement::Fine);
        }
    }

    #[test]
    fn a_commit_in_the_first_iteration_is_progress() {
        let mut rule = Alone::new(Stagnation::new(2));
        rule.observe(&start("t"));
        assert_eq!(rule.observe(&with(|s| s.head = Some("b".to_owned()))), Judgement::Fine);
    }

    #[test]
    fn news_makes_an_iteration_count_half_and_is_named() {
        let says = |text: &str| with(|s| s.evidence.words = Words::of(text));
        let mut rule = Alone::new(Stagnation::new(3));
        rule.observe(&start("t"));
        for text in
            ["the parser is in parse.rs", "nobody empties the cache", "locks are never freed"]
        {
            assert!(!matches!(rule.observe(&says(text)), Judgement::Trip(_)), "{text}");
        }
        assert!(matches!(rule.observe(&says("tests wait for threads")), Judgement::Near(_)));
        insta::assert_snapshot!(trips(&rule.observe(&says("errors vanish silently"))), @"no progress in 5 iterations: no files changed");
    }
}
