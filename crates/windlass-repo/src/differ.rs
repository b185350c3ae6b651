//! Says what changed since a loop began: with Jujutsu in a jj repository, with git otherwise.

use serde::{Deserialize, Serialize};
use windlass_core::{
    text::patch::{DiffReport, DiffedBy},
    tree::Snapshot,
};
use windlass_system::worker::WorkerError;

use crate::{
    jj::{Jj, JjError},
    tree::{Tree, TreeError},
};

/// Asks git or Jujutsu what changed.
pub struct Differ<'a> {
    /// The work tree; `None` outside a git repository.
    pub tree: Option<&'a Tree>,
    /// Jujutsu; `None` outside a jj repository.
    pub jj: Option<Jj>,
}

/// Why nobody can say what changed.
#[derive(Debug, thiserror::Error, Serialize, Deserialize)]
pub enum DiffError {
    /// There is nobody but `jj` to ask, and it is not there.
    #[error(
        "this is a jj repository, and `jj` is not on the PATH: install it (`cargo install --locked \
         jj-cli`, or see https://docs.jj-vcs.dev), then go on"
    )]
    NoJj,
    /// Jujutsu said no, and there is no git to ask.
    #[error(transparent)]
    Jj(JjError),
    /// Git said no.
    #[error(transparent)]
    Tree(#[from] TreeError),
}

impl From<WorkerError> for DiffError {
    fn from(error: WorkerError) -> Self {
        Self::Tree(error.into())
    }
}

impl Differ<'_> {
    /// Where a jj repository stands, and what people should know about it.
    pub async fn mark(&self) -> Result<(Option<String>, Vec<String>), DiffError> {
        let Some(jj) = &self.jj else { return Ok((None, Vec::new())) };
        match jj.commit().await {
            Ok(commit) => Ok((Some(commit), Vec::new())),
            Err(JjError::NotInstalled) if self.tree.is_none() => Err(DiffError::NoJj),
            Err(error) => Ok((None, vec![self.without_jj(&error)])),
        }
    }

    /// What changed since the tree `since` or the jj commit `revision`.
    pub async fn diff(
        &self,
        since: Option<&str>,
        revision: Option<&str>,
        limit: usize,
    ) -> Result<DiffReport, DiffError> {
        let of_git = self.tree.zip(since);
        let jj = self.jj.as_ref().filter(|_| revision.is_some() || of_git.is_none());
        let mut notes = Vec::new();
        if let Some(jj) = jj {
            match by_jj(jj, revision, limit).await {
                Ok(report) => return Ok(report),
                Err(JjError::NotInstalled) if of_git.is_none() => return Err(DiffError::NoJj),
                Err(error) if of_git.is_none() => return Err(DiffError::Jj(error)),
                Err(error) => notes.push(self.without_jj(&error)),
            }
        }
        let Some((tree, since)) = of_git else { return Ok(DiffReport::default()) };
        let now = tree.snapshot().await?;
        let since = Snapshot { tree: since.to_owned(), head: None };
        let mut report = tree.review(&since, &now, limit).await?;
        report.notes = notes;
        Ok(report)
    }

    fn without_jj(&self, error: &JjError) -> String {
        let instead = match self.tree {
            Some(_) => "what changed is taken from git",
            None => "a reviewer sees what `jj diff` shows",
        };
        format!("{error}; {instead}")
    }
}

async fn by_jj(jj: &Jj, revision: Option<&str>, limit: usize) -> Result<DiffReport, JjError> {
    match jj.diff(revision).await {
        Ok(diff) => {
            let mut report = DiffReport::of(DiffedBy::Jj, &diff.bytes, limit);
            diff.refused.into_iter().for_each(|path| report.add_unknown(path));
            Ok(report)
        }
        Err(JjError::TooMuch { .. }) => {
            let mut report = DiffReport::new(DiffedBy::Jj);
            jj.changed(revision).await?.into_iter().for_each(|path| report.add_unknown(path));
            Ok(report)
        }
        Err(error) => Err(error),
    }
}
