//! `stagnation`: so many iterations running brought no progress in evidence: neither the tree, nor
//! the open tasks, nor the failing checks moved. Sessions that failed do not count.

use super::{Judgement, Rule, judge};
use crate::{
    event::{Event, EventKind, IterationSummary},
    progress::{Progress, start_of},
    text::count::count,
};

/// The rule's name.
pub(super) const NAME: &str = "stagnation";

pub(super) struct Stagnation {
    limit: u32,
    progress: Progress,
}

impl Stagnation {
    pub(super) fn new(limit: u32) -> Self {
        Self { limit, progress: Progress::default() }
    }

    fn judge(&mut self, summary: &IterationSummary) -> Judgement {
        let running = self.progress.observe(summary);
        if summary.failure.is_some() || summary.tree.is_none() {
            return Judgement::Fine;
        }
        let seen = format!("no progress in {}", count(running, "iteration"));
        match judge(running, self.limit, || seen) {
            Judgement::Trip(seen) => Judgement::Trip(format!("{seen}: {}", what_stayed(summary))),
            judgement => judgement,
        }
    }
}

/// What would have been progress: "no files, tasks or check results changed".
fn what_stayed(summary: &IterationSummary) -> String {
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

    fn observe(&mut self, event: &Event) -> Judgement {
        if let Some(start) = start_of(event) {
            self.progress = Progress::from(start.head.clone());
        }
        match &event.kind {
            EventKind::IterationFinished(summary) => return self.judge(summary),
            EventKind::CircuitReset => self.progress.reset(),
            EventKind::LoopResumed { .. } => self.progress.resume(),
            _ => (),
        }
        Judgement::Fine
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::testing::{again, failed, failing_check, finished, reset, start, trips},
        *,
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
        let mut rule = Stagnation::new(2);
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
        let mut rule = Stagnation::new(3);
        rule.observe(&start("t"));
        assert!(matches!(again(&mut rule, 2, &still()), Judgement::Near(_)));
        assert_eq!(again(&mut rule, 5, &failed()), Judgement::Fine);
        insta::assert_snapshot!(trips(&rule.observe(&still())), @"no progress in 3 iterations: no files changed");
    }

    #[test]
    fn a_file_a_commit_a_check_that_moved_and_a_reset_start_the_count_again() {
        let mut rule = Stagnation::new(3);
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
        let mut rule = Stagnation::new(2);
        rule.observe(&start("t"));
        assert_eq!(rule.observe(&with(|s| s.head = Some("b".to_owned()))), Judgement::Fine);
    }
}
