//! The steps of a merge: what is undecided, the commit that has both sides, and the move of the
//! branch.

use windlass_core::step::{AdvanceStep, StepResult};
use windlass_repo::tree::{Move, TreeError, listed};

use super::Worker;
use crate::{halt::Halt, workplace::Tree};

impl Worker {
    /// Looks for what is undecided.
    pub(super) async fn unresolved(
        &self,
        files: &[String],
        marks: &[String],
    ) -> Result<StepResult, Halt> {
        let left = self.merging_tree()?.unresolved(files, marks).await;
        Ok(StepResult::Unresolved { files: left.map_err(|error| self.tree_failed(&error))? })
    }

    /// Makes a commit of all that is in the work tree.
    pub(super) async fn conclude(
        &self,
        message: &str,
        parents: &[String],
    ) -> Result<StepResult, Halt> {
        let message = self.secrets.redact(message);
        let made = self.merging_tree()?.conclude(&message, parents).await;
        let made = made.map_err(|error| self.tree_failed(&error))?;
        if !made.left_out.is_empty() {
            let paths: Vec<String> = made.left_out.into_iter().map(|left| left.path).collect();
            let message = format!("these files cannot be committed: {}", listed(&paths));
            return Err(Halt::Failed { message, code: 4 });
        }
        Ok(StepResult::Commit { commit: made.id, left_out: Vec::new() })
    }

    /// Moves a branch forward, with the work tree that has it checked out.
    pub(super) async fn advance(&self, step: &AdvanceStep) -> Result<StepResult, Halt> {
        let AdvanceStep { branch, old, new, mark } = step;
        let moved = self.merging_tree()?.advance(Move { branch, old, new, mark }).await;
        let at = moved.map_err(|error| self.not_moved(&error))?;
        let at = at.map(|path| path.display().to_string());
        Ok(StepResult::Advanced { branch: branch.clone(), commit: new.clone(), at })
    }

    fn merging_tree(&self) -> Result<&Tree, Halt> {
        self.tree.as_ref().ok_or_else(|| self.directory_gone())
    }

    fn not_moved(&self, error: &TreeError) -> Halt {
        match error {
            TreeError::BranchMoved { .. }
            | TreeError::Changed { .. }
            | TreeError::Filtered { .. } => Halt::Failed { message: error.to_string(), code: 4 },
            error => self.failed("move the branch", error),
        }
    }
}
