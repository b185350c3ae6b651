//! How far a loop is, by what is done: tasks, findings, tests that failed. Iterations used are no
//! progress, so nothing here counts them.

use windlass_core::{
    proof_record::OriginalsState,
    view::{LoopView, TasksView},
};

use super::{summary, words::proof};
use crate::text;

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
        let all = text::number(counts.total, "finding");
        return Some((bar, format!("{} of {all} fixed", counts.fixed)));
    }
    Some((tests(view)?, tests_in_words(view)?))
}

/// How many of the tests that failed before the loop do not fail any more, on the original tests either.
pub(crate) fn tests(view: &LoopView) -> Option<Done> {
    let known = || view.tests.iter().filter_map(|one| Some((one, one.failed_at_baseline?)));
    let first = known().fold(0_u32, |sum, (_, first)| sum.saturating_add(first));
    let now = known().fold(0_u32, |sum, (one, _)| sum.saturating_add(one.tests.failed));
    let now = now.max(failing_originals(view).unwrap_or(0));
    Done::new(first.saturating_sub(now), first)
}

/// How the tests of all checks moved: `cargo test: 3 → 1 failing; npm test: all 12 pass`.
pub(crate) fn tests_in_words(view: &LoopView) -> Option<String> {
    let mut words: Vec<String> = view.tests.iter().map(proof::counted_in_all).collect();
    if words.is_empty() {
        return None;
    }
    words.extend(
        failing_originals(view).map(|failing| {
            format!("originals: {failing} {}", text::agree(failing, "fails", "fail"))
        }),
    );
    Some(words.join("; "))
}

/// How many tests fail on the originals, where the tests were counted last in the same iteration.
fn failing_originals(view: &LoopView) -> Option<u32> {
    let last = view.tests.iter().map(|one| one.iteration).max()?;
    let ran = view.originals.as_ref().filter(|ran| ran.iteration == last)?;
    let failed = matches!(ran.state, OriginalsState::Failed | OriginalsState::Waived);
    failed.then(|| u32::try_from(ran.failing.len()).unwrap_or(u32::MAX).max(1))
}

#[cfg(test)]
mod tests {
    use windlass_core::{
        event::{OriginalsRan, TestsCounted},
        test_counts::TestCounts,
    };

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

    fn view<const N: usize>(tests: [TestsCounted; N]) -> LoopView {
        LoopView { tests: tests.into(), ..LoopView::default() }
    }

    #[test]
    fn tests_that_failed_before_the_loop_make_a_bar_down_to_none() {
        let two = view([counted("a", Some(3), Some(2), 1), counted("b", Some(1), Some(1), 0)]);
        assert_eq!(tests(&two), Some(Done { done: 3, of: 4 }));
        assert_eq!(tests(&two).unwrap().percent(), 75);
        assert_eq!(
            tests_in_words(&two).unwrap(),
            "a: 2 → 1 failing (3 failed at first); b: 1 → 0 failing"
        );
        let worse = view([counted("a", Some(3), Some(3), 5)]);
        assert_eq!(tests(&worse), Some(Done { done: 0, of: 3 }));
    }

    #[test]
    fn tests_that_pass_only_because_they_were_changed_are_not_done() {
        let mut view = view([counted("a", Some(3), Some(3), 0)]);
        let (state, failing) = (OriginalsState::Failed, vec!["x".to_owned(), "y".to_owned()]);
        let ran = OriginalsRan { iteration: 2, state, failing, ..OriginalsRan::default() };
        view.originals = Some(ran.clone());
        assert_eq!(tests(&view), Some(Done { done: 1, of: 3 }));
        assert_eq!(tests_in_words(&view).unwrap(), "a: 3 → 0 failing; originals: 2 fail");
        view.originals = Some(OriginalsRan { iteration: 1, ..ran });
        assert_eq!(tests_in_words(&view).unwrap(), "a: 3 → 0 failing");
    }

    #[test]
    fn without_a_failing_baseline_there_is_no_bar() {
        assert_eq!(tests(&view([counted("a", Some(0), Some(2), 1)])), None);
        assert_eq!(tests(&view([counted("a", None, None, 1)])), None);
        assert_eq!(of(&LoopView::default()), None);
    }
}
