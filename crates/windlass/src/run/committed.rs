//! Commits of what a loop changed.

use windlass_core::{
    ids::Place,
    step::{Step, StepResult},
};

use super::{Run, misfit};
use crate::halt::Halt;

/// What was committed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Committed {
    /// The new commit; `None` where there was nothing to commit.
    pub(crate) commit: Option<String>,
    /// Paths that stayed out of it, each with why.
    pub(crate) left_out: Vec<String>,
}

impl Run<'_> {
    /// Commits what the loop changed; gives the new commit, and what stayed out of it.
    pub(crate) async fn commit_told(
        &self,
        place: Place,
        message: String,
        spare: Vec<String>,
    ) -> Result<Committed, Halt> {
        match self.step(place, Step::Commit { message, spare }).await? {
            StepResult::Commit { commit, left_out } => Ok(Committed { commit, left_out }),
            other => Err(misfit(&other)),
        }
    }

    /// Commits what the loop changed; gives the new commit.
    pub(crate) async fn commit(
        &self,
        place: Place,
        message: String,
        spare: Vec<String>,
    ) -> Result<Option<String>, Halt> {
        Ok(self.commit_told(place, message, spare).await?.commit)
    }
}
