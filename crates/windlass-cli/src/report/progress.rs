//! How far a loop is, by what is done: tasks, findings, tests that failed. Iterations used are no
//! progress, so nothing here counts them.

use windlass_core::{
    event::TestsCounted,
    view::{LoopView, TasksView},
};

use super::{summary, words::proof};

/// How much of something is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Done {
    pub(crate) done: u64,
    pub(crate) of: u64,
}

impl Done {
    /// How many of `of` are done; `None` where there is nothing to do.
    fn new(done: u32, of: u32) -> Option<Self> {
        (of > 0).then(|| Self { done: u64::from(done.min(of)), of: u64::from(of) })
    }

    /// How many in a hundred.
    pub(crate) fn percent(self) -> u64 {
        self.done.saturating_mul(100).checked_div(self.of).unwrap_or(0)
    }
}

/// What is done of what can be counted, and the same in words: tasks where the loop has some, else
/// findings, else tests that failed before it.
pub(crate) fn of(view: &LoopView) -> Option<(Done, String)> {
    if let Some(TasksView { open, done, .. }) = &view.tasks {
        let all = open.saturating_add(*done);
        return Done::new(*done, all).map(|bar| (bar, summary::tasks(*open, *done)));
    }
    let counts = view.ledger.counts();
    if let Some(bar) = Done::new(counts.fixed, counts.total) {
        let noun = if counts.total == 1 { "finding" } else { "findings" };
        return Some((bar, format!("{} of {} {noun} fixed", counts.fixed, counts.total)));
    }
    let bar = tests(&view.tests)?;
    Some((bar, tests_in_words(&view.tests)?))
}

/// How many of the tests that failed before the loop do not fail any more.
pub(crate) fn tests(counted: &[TestsCounted]) -> Option<Done> {
    let known = || counted.iter().filter_map(|one| Some((one, one.failed_at_baseline?)));
    let first = known().fold(0_u32, |sum, (_, first)| sum.saturating_add(first));
    let now = known().fold(0_u32, |sum, (one, _)| sum.saturating_add(one.tests.failed));
    Done::new(first.saturating_sub(now), first)
}

/// How the tests of all checks moved: `cargo test: 3 → 1 failing; npm test: all 12 pass`.
pub(crate) fn tests_in_words(counted: &[TestsCounted]) -> Option<String> {
    let words: Vec<String> = counted.iter().map(proof::counted_in_all).collect();
    (!words.is_empty()).then(|| words.join("; "))
}

#[cfg(test)]
mod tests {
    use windlass_core::test_counts::TestCounts;

    use super::*;

    fn counted(command: &str, first: Option<u32>, before: Option<u32>, now: u32) -> TestsCounted {
        TestsCounted {
            iteration: 2,
            command: command.to_owned(),
            tests: TestCounts { passed: 9, failed: now, ..TestCounts::default() },
            failed_at_baseline: first,
            failed_before: before,
        }
    }

    #[test]
    fn tests_that_failed_before_the_loop_make_a_bar_down_to_none() {
        let two = [counted("a", Some(3), Some(2), 1), counted("b", Some(1), Some(1), 0)];
        assert_eq!(tests(&two), Some(Done { done: 3, of: 4 }));
        assert_eq!(tests(&two).unwrap().percent(), 75);
        assert_eq!(
            tests_in_words(&two).unwrap(),
            "a: 2 → 1 failing (3 before the loop); b: 1 → 0 failing"
        );
        let worse = [counted("a", Some(3), Some(3), 5)];
        assert_eq!(tests(&worse), Some(Done { done: 0, of: 3 }));
    }

    #[test]
    fn without_a_failing_baseline_there_is_no_bar() {
        assert_eq!(tests(&[counted("a", Some(0), Some(2), 1)]), None);
        assert_eq!(tests(&[counted("a", None, None, 1)]), None);
        assert_eq!(of(&LoopView::default()), None);
    }
}
