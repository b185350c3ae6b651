//! Says what changed since a loop began.

use windlass_core::step::StepResult;
use windlass_repo::differ::DiffError;

use super::Worker;
use crate::halt::Halt;

impl Worker {
    pub(super) async fn mark(&self) -> Result<StepResult, Halt> {
        self.still_there()?;
        let marked = self.files.changes().mark().await;
        let (revision, notes) = marked.map_err(|error| self.no_diff(error))?;
        Ok(StepResult::Mark { revision, notes })
    }

    pub(super) async fn diff(
        &self,
        since: Option<&str>,
        revision: Option<&str>,
        limit: usize,
    ) -> Result<StepResult, Halt> {
        self.still_there()?;
        let report = self.files.changes().diff(since, revision, limit).await;
        report.map(StepResult::Diff).map_err(|error| self.no_diff(error))
    }

    fn still_there(&self) -> Result<(), Halt> {
        if self.files.is_there() { Ok(()) } else { Err(self.directory_gone()) }
    }

    fn no_diff(&self, error: DiffError) -> Halt {
        match error {
            DiffError::Tree(error) => self.tree_failed(&error),
            error @ DiffError::NoJj => Halt::Failed { message: error.to_string(), code: 4 },
            DiffError::Jj(error) => self.failed("say what changed", &error),
        }
    }
}
