//! Whether iterations change nothing but numbers, dates and ids, in evidence. It does no I/O; the
//! rule `churn` and the loops themselves count with it.

use crate::{event::IterationSummary, progress::Marks};

/// Counts the iterations that changed nothing but numbers, while neither checks nor tasks moved.
#[derive(Clone, Debug, Default)]
pub struct Churning {
    marks: Marks,
    running: u32,
}

impl Churning {
    /// Starts the count again.
    pub(crate) fn reset(&mut self) {
        self.running = 0;
    }

    /// What the count would be if this iteration is one of them.
    pub fn after(&self, summary: &IterationSummary) -> Option<u32> {
        self.clone().observe(summary)
    }

    /// Takes one more iteration in; gives the count if it is one of them. One that changed nothing
    /// at all neither counts nor helps.
    pub fn observe(&mut self, summary: &IterationSummary) -> Option<u32> {
        let moved = self.marks.observe(&summary.evidence);
        let changed = summary.files_changed > 0;
        let only_numbers = summary.evidence.only_numbers;
        if moved || (changed && !only_numbers) {
            self.running = 0;
        }
        if moved || !changed || !only_numbers || summary.tree.is_none() {
            return None;
        }
        self.running += 1;
        Some(self.running)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{event::EventKind, evidence::CheckMark, rules::testing::finished};

    fn numbers(check: &str) -> IterationSummary {
        let event = finished(|summary| {
            summary.tree = Some("t".to_owned());
            summary.files_changed = 1;
            summary.evidence.only_numbers = true;
            let (command, output) = ("c".to_owned(), check.to_owned());
            summary.evidence.checks =
                vec![CheckMark { command, passed: false, output, failing: None }];
        });
        let EventKind::IterationFinished(summary) = event.kind else { unreachable!("it is one") };
        summary
    }

    #[test]
    fn numbers_that_move_a_check_do_not_count_and_to_ask_changes_nothing() {
        let mut churning = Churning::default();
        assert_eq!(churning.observe(&numbers("a and b are old")), Some(1));
        assert_eq!(churning.observe(&numbers("a and b are old")), Some(2));
        assert_eq!(churning.after(&numbers("a and b are old")), Some(3));
        assert_eq!(churning.after(&numbers("b is old")), None);
        assert_eq!(churning.observe(&numbers("b is old")), None);
        assert_eq!(churning.observe(&numbers("b is old")), Some(1));
    }
}
