//! Whether iterations get anywhere, in evidence: the tree, the open tasks and the failing checks.
//! It does no I/O; the rule `stagnation` and the loops themselves count with it.

pub mod churning;

use crate::{
    event::{Event, EventKind, IterationSummary},
    evidence::{CheckMark, Evidence},
    step::StepResult,
    tree::Snapshot,
};

/// Counts the iterations running that brought no progress.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    head: Option<String>,
    marks: Marks,
    running: u32,
}

/// How tasks and checks stood when they were last seen.
#[derive(Clone, Debug, Default)]
pub(crate) struct Marks {
    open_tasks: Option<u32>,
    checks: Vec<CheckMark>,
    /// The tasks that were reported as blocked.
    blocked: Vec<String>,
}

impl Marks {
    /// Takes what one more iteration showed; says whether tasks or checks moved.
    pub(crate) fn observe(&mut self, evidence: &Evidence) -> bool {
        let moved = self.would_move(evidence);
        if let Some(tasks) = evidence.tasks {
            self.open_tasks = Some(tasks.open);
        }
        if !evidence.checks.is_empty() {
            self.checks.clone_from(&evidence.checks);
        }
        self.blocked.extend(evidence.blocked_task.clone());
        moved
    }

    /// Notes that the loop was resumed: blocked tasks are open again.
    fn resume(&mut self) {
        self.blocked.clear();
    }

    fn would_move(&self, evidence: &Evidence) -> bool {
        let tasks = evidence.tasks.is_some_and(|tasks| {
            // Ticking a box is not work.
            !tasks.only_file && self.open_tasks.is_some_and(|open| open != tasks.open)
        });
        let checks = !evidence.checks.is_empty()
            && !self.checks.is_empty()
            && evidence.checks != self.checks;
        // One task less to try, so that the next one has its turn.
        let blocked =
            evidence.blocked_task.as_ref().is_some_and(|task| !self.blocked.contains(task));
        tasks || checks || blocked
    }
}

/// The tree that a loop began with, if this event is its record.
pub(crate) fn start_of(event: &Event) -> Option<&Snapshot> {
    match &event.kind {
        EventKind::StepFinished { place, result: StepResult::Snapshot { snapshot, .. } }
            if place.as_str() == "0/tree" =>
        {
            snapshot.as_ref()
        }
        _ => None,
    }
}

impl Progress {
    /// A count that starts at this commit.
    pub fn from(head: Option<String>) -> Self {
        Self { head, ..Self::default() }
    }

    /// Starts the count again.
    pub(crate) fn reset(&mut self) {
        self.running = 0;
    }

    /// Notes that the loop was resumed.
    pub(crate) fn resume(&mut self) {
        self.marks.resume();
    }

    /// What the count would be after this iteration.
    pub fn after(&self, summary: &IterationSummary) -> u32 {
        self.clone().observe(summary)
    }

    /// Takes one more iteration in; gives the count.
    pub fn observe(&mut self, summary: &IterationSummary) -> u32 {
        let tree = self.tree_moved(summary);
        let marks = self.marks.observe(&summary.evidence);
        if summary.head.is_some() {
            self.head.clone_from(&summary.head);
        }
        if tree || marks {
            self.running = 0;
        } else if summary.failure.is_none() && summary.tree.is_some() {
            // Outside a repository nothing can be said, and a failed session says nothing.
            self.running += 1;
        }
        self.running
    }

    fn tree_moved(&self, summary: &IterationSummary) -> bool {
        // Ticking a box is not work.
        let only_tasks = summary.evidence.tasks.is_some_and(|tasks| tasks.only_file);
        let committed = summary.head.is_some() && self.head.is_some() && summary.head != self.head;
        !only_tasks && (summary.files_changed > 0 || committed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        event::{ClaimFate, EventKind},
        evidence::TaskMark,
        rules::testing::iteration,
    };

    fn summary(change: impl FnOnce(&mut IterationSummary)) -> IterationSummary {
        let EventKind::IterationFinished(mut summary) = iteration(1, ClaimFate::None, None).kind
        else {
            unreachable!("it is one")
        };
        summary.tree = Some("t".to_owned());
        summary.head = Some("a".to_owned());
        change(&mut summary);
        summary
    }

    fn check(output: &str) -> Vec<CheckMark> {
        vec![CheckMark {
            command: "c".to_owned(),
            passed: false,
            output: output.to_owned(),
            failing: None,
        }]
    }

    #[test]
    fn a_changed_file_a_commit_and_a_check_that_moved_are_progress() {
        let mut progress = Progress::from(Some("a".to_owned()));
        assert_eq!(progress.observe(&summary(|_| ())), 1);
        assert_eq!(progress.after(&summary(|s| s.files_changed = 1)), 0);
        assert_eq!(progress.after(&summary(|s| s.head = Some("b".to_owned()))), 0);
        assert_eq!(progress.observe(&summary(|s| s.evidence.checks = check("x"))), 2);
        assert_eq!(progress.after(&summary(|s| s.evidence.checks = check("x"))), 3);
        assert_eq!(progress.after(&summary(|s| s.evidence.checks = check("y"))), 0);
    }

    #[test]
    fn ticking_a_box_alone_is_none() {
        let mut progress = Progress::from(Some("a".to_owned()));
        let ticked = |open, only_file| {
            summary(|s| {
                s.files_changed = 1;
                s.evidence.tasks = Some(TaskMark { open, done: 9 - open, unworked: 0, only_file });
            })
        };
        assert_eq!(progress.observe(&ticked(5, true)), 1);
        assert_eq!(progress.observe(&ticked(4, true)), 2);
        assert_eq!(progress.observe(&ticked(3, false)), 0);
    }

    #[test]
    fn a_failed_session_and_a_tree_that_cannot_be_seen_say_nothing() {
        let mut progress = Progress::default();
        assert_eq!(progress.observe(&summary(|s| s.failure = Some("x".to_owned()))), 0);
        assert_eq!(progress.observe(&summary(|s| s.tree = None)), 0);
    }
}
