//! Moves a branch in whatever work tree has it checked out. That is another place, and so another
//! helper: one that may reach it.

use std::path::{Path, PathBuf};

use windlass_repo::tree::{Move, TreeError};

use super::{
    Tree,
    call::{BranchCall, Moved},
};

impl Tree {
    /// Moves a branch, with the files of the work tree that it is checked out in; gives where that
    /// is. Doing so twice is doing so once.
    pub(crate) async fn advance(&self, wanted: Move<'_>) -> Result<Option<PathBuf>, TreeError> {
        let at = self.checked_out_at(wanted.branch).await?;
        let [branch, old, new, mark] =
            [wanted.branch, wanted.old, wanted.new, wanted.mark].map(str::to_owned);
        let moved = Moved { branch, old, new, mark };
        match &at {
            None => self.line.ask::<(), TreeError>(BranchCall::Move(moved)).await?,
            Some(path) => self.ask_at(path, BranchCall::Advance(moved)).await?,
        }
        Ok(at)
    }

    /// Says why the work tree that has a branch checked out could not be brought to a commit.
    pub(crate) async fn may_advance(
        &self,
        branch: &str,
        new: &str,
    ) -> Result<Option<PathBuf>, TreeError> {
        let Some(path) = self.checked_out_at(branch).await? else { return Ok(None) };
        let call = BranchCall::MayAdvance { branch: branch.to_owned(), new: new.to_owned() };
        self.ask_at(&path, call).await?;
        Ok(Some(path))
    }

    /// Asks about another work tree of the repository. The list of them is written by agents too: one
    /// that does not share this repository's directory is none.
    async fn ask_at(&self, path: &Path, call: BranchCall) -> Result<(), TreeError> {
        if path == self.top() {
            return self.line.ask(call).await;
        }
        let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let place = self.opening.open(&real).await?;
        let sibling = place.tree.ok_or_else(|| TreeError::Gone { path: path.to_owned() })?;
        if sibling.repository.common_dir != self.repository.common_dir || sibling.top() != path {
            let target = self.repository.common_dir.clone();
            return Err(TreeError::NotOurs { entry: path.join(".git"), target });
        }
        sibling.line.ask(call).await
    }
}
