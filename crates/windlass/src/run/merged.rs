//! The verbs of a loop that brings the work of another one home.

use windlass_core::{
    ids::Place,
    step::{AdvanceStep, Step, StepResult},
};

use super::{Run, misfit};
use crate::halt::Halt;

impl Run<'_> {
    /// Looks which files still have one of the marks, or are undecided in the index.
    pub(crate) async fn unresolved(
        &self,
        place: Place,
        files: Vec<String>,
        marks: Vec<String>,
    ) -> Result<Vec<String>, Halt> {
        match self.step(place, Step::Unresolved { files, marks }).await? {
            StepResult::Unresolved { files } => Ok(files),
            other => Err(misfit(&other)),
        }
    }

    /// Makes a commit of all that is in the work tree, after these parents; no branch moves.
    pub(crate) async fn conclude(
        &self,
        place: Place,
        message: String,
        parents: Vec<String>,
    ) -> Result<Option<String>, Halt> {
        match self.step(place, Step::Conclude { message, parents }).await? {
            StepResult::Commit { commit, .. } => Ok(commit),
            other => Err(misfit(&other)),
        }
    }

    /// Moves a branch from one commit to another, with the work tree that has it checked out.
    pub(crate) async fn advance(
        &self,
        place: Place,
        branch: &str,
        old: &str,
        new: &str,
    ) -> Result<(), Halt> {
        let (branch, old, new) = (branch.to_owned(), old.to_owned(), new.to_owned());
        let mark = AdvanceStep::mark_of(&self.named.id);
        match self.step(place, Step::Advance(AdvanceStep { branch, old, new, mark })).await? {
            StepResult::Advanced { .. } => Ok(()),
            other => Err(misfit(&other)),
        }
    }
}
