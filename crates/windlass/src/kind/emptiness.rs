//! What `heal` and `pr` come to where there is nothing to review: never that the work is clean.

use std::sync::OnceLock;

use windlass_core::{ending::Ending, text::patch::DiffReport};

use crate::halt::Halt;

/// Watches that reviewers have something to look at.
pub(super) struct Emptiness {
    is_allowed: bool,
    /// Set once there was a change to review.
    had_work: OnceLock<()>,
}

impl Emptiness {
    /// Where `is_allowed`, it is no failure.
    pub(super) fn new(is_allowed: bool) -> Self {
        Self { is_allowed, had_work: OnceLock::new() }
    }

    /// Ends the loop where nothing differs from `base`.
    pub(super) fn look(&self, diff: &DiffReport, base: &str) -> Result<(), Halt> {
        if diff.files > 0 {
            self.had_work.get_or_init(|| ());
            return Ok(());
        }
        Err(self.ended(match diff.by {
            None => "there is no commit to compare with".to_owned(),
            Some(_) if self.had_work.get().is_some() => {
                "the fixes undid the whole change".to_owned()
            }
            Some(_) => format!("nothing differs from {base}"),
        }))
    }

    /// Ends the loop where findings of another tool stand for the review, and there are none.
    pub(super) fn look_at_given(&self, given: usize) -> Result<(), Halt> {
        if given > 0 {
            return Ok(());
        }
        Err(self.ended("the file with the findings has none".to_owned()))
    }

    fn ended(&self, reason: String) -> Halt {
        Halt::Ended(Ending::NothingToReview { reason, allowed: self.is_allowed })
    }
}
