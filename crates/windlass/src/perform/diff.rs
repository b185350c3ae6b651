//! Says what changed since a loop began.

use std::sync::Arc;

use windlass_core::step::StepResult;
use windlass_repo::{
    differ::{DiffError, Differ},
    jj::{self, Jj},
};

use super::Worker;
use crate::halt::Halt;

impl Worker {
    pub(super) async fn mark(&self) -> Result<StepResult, Halt> {
        let (revision, notes) = self.differ()?.mark().await.map_err(|error| self.no_diff(error))?;
        Ok(StepResult::Mark { revision, notes })
    }

    pub(super) async fn diff(
        &self,
        since: Option<&str>,
        revision: Option<&str>,
        limit: usize,
    ) -> Result<StepResult, Halt> {
        let report = self.differ()?.diff(since, revision, limit).await;
        report.map(StepResult::Diff).map_err(|error| self.no_diff(error))
    }

    fn differ(&self) -> Result<Differ<'_>, Halt> {
        if !self.directory.is_dir() {
            return Err(self.directory_gone());
        }
        let jj = jj::find(&self.directory).map(|top| {
            let (runner, program) = (Arc::new(self.guardian.clone()), jj::program(&self.trusted));
            Jj::new(runner, program, top, &self.trusted.environment(self.env.clone()))
        });
        Ok(Differ { tree: self.tree.as_ref(), jj })
    }

    fn no_diff(&self, error: DiffError) -> Halt {
        match error {
            DiffError::Tree(error) => self.tree_failed(&error),
            error @ DiffError::NoJj => Halt::Failed { message: error.to_string(), code: 4 },
            DiffError::Jj(error) => self.failed("say what changed", &error),
        }
    }
}
