//! Moves a branch forward, and the work tree that has it checked out with it. Nothing of the user's
//! is lost, and a move that was cut off is found again and brought to its end.
//!
//! The order is that of git itself: files, index, branch. A mark in the place of the index's lock
//! keeps other gits out, and tells afterwards that the move was ours.

use std::{
    collections::BTreeSet,
    ffi::OsStr,
    fs,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
};

use super::{Intended, Tree, TreeError, dirty::paths, listing::RawPath, shown};
use crate::git::GitError;

/// A branch that is to be moved forward.
#[derive(Clone, Copy, Debug)]
pub struct Move<'a> {
    /// The branch, without `refs/heads/`.
    pub branch: &'a str,
    /// The commit that it is at.
    pub old: &'a str,
    /// The commit that it is to be at.
    pub new: &'a str,
    /// What this move is known by when it was cut off.
    pub mark: &'a str,
}

impl Tree {
    /// Moves a branch that is checked out nowhere.
    pub async fn move_branch(&self, wanted: Move<'_>) -> Result<(), TreeError> {
        let full = self.checked_name(wanted.branch).await?;
        self.move_ref(&full, wanted).await
    }

    /// Moves the branch that is checked out here, with the files. Doing so twice is doing so once.
    pub async fn advance(&self, wanted: Move<'_>) -> Result<(), TreeError> {
        let [branch, old, new, mark] =
            [wanted.branch, wanted.old, wanted.new, wanted.mark].map(str::to_owned);
        let intent = self.intend(Intended::Advance { branch, old, new, mark })?;
        let moved = self.advance_with(wanted).await;
        self.done(&intent);
        moved
    }

    /// The same, of which it is written down already.
    pub(super) async fn advance_with(&self, wanted: Move<'_>) -> Result<(), TreeError> {
        let full = self.checked_name(wanted.branch).await?;
        let now = self.commit_id(&full).await?;
        let lock = self.lock_index(wanted.mark).await?;
        let moved = async {
            if now == wanted.new {
                return Ok(());
            }
            if now != wanted.old {
                return Err(moved_away(wanted));
            }
            self.bring(wanted.old, wanted.new, lock.was_ours).await?;
            let moved = self.move_ref(&full, wanted).await;
            if moved.is_err() {
                // Somebody was faster by a hair: the files go back to where they were.
                self.bring(wanted.new, wanted.old, false).await?;
            }
            moved
        };
        let moved = moved.await;
        self.unlock_index(&lock);
        moved
    }

    /// Says why this work tree, which has a branch checked out, could not be brought to a commit.
    pub async fn may_advance(&self, branch: &str, new: &str) -> Result<(), TreeError> {
        let full = self.checked_name(branch).await?;
        if let Some(what) = self.repository.under_way() {
            return Err(TreeError::UnderWay { what: what.into() });
        }
        let old = self.commit_id(&full).await?;
        self.refuse_dirty(&self.touched(&old, new).await?).await
    }

    /// Where a branch is checked out, if anywhere.
    pub async fn checked_out(&self, branch: &str) -> Result<Option<PathBuf>, TreeError> {
        let full = self.checked_name(branch).await?;
        self.checked_out_at(&full).await
    }

    async fn move_ref(&self, full: &str, wanted: Move<'_>) -> Result<(), TreeError> {
        let call = self.in_repository().args(["update-ref", "-m", "windlass: merge"]);
        let call = call.args(["--end-of-options", full, wanted.new, wanted.old]);
        match self.git.run(call).await {
            Err(GitError::Failed { .. }) if self.commit_id(full).await? == wanted.new => Ok(()),
            Err(GitError::Failed { said, .. }) if said.contains("expected") => {
                Err(moved_away(wanted))
            }
            result => Ok(result.map(|_| ())?),
        }
    }

    /// Brings files and index from one commit to another.
    async fn bring(&self, old: &str, new: &str, again: bool) -> Result<(), TreeError> {
        let touched = self.touched(old, new).await?;
        let filtered = self.filtered(touched.iter()).await?;
        if let Some(path) = filtered.first() {
            return Err(TreeError::Filtered { path: shown(path) });
        }
        if again {
            if self.staged_against(new).await?.is_disjoint(&touched) {
                return Ok(());
            }
            self.undo(&touched, new).await?;
        }
        self.refuse_dirty(&touched).await?;
        let name = format!("index-advance-{:08x}", fastrand::u32(..));
        let index = self.own.path().join(&name);
        self.own.mirror_shared_index(&self.repository)?;
        let brought = async {
            self.copy_index(&index)?;
            // Git takes a file whose stat data are not those of the index for one that was changed.
            let refresh = self.with_index(&index).args(["update-index", "-q", "--refresh"]);
            self.git.run(refresh.accepting(&[0, 1])).await?;
            let call = self.with_index(&index).args(["read-tree", "-m", "-u", old, new]);
            match self.git.run(call).await {
                Err(GitError::Failed { said, .. }) => Err(TreeError::InTheWay { said }),
                result => Ok(result.map(|_| ())?),
            }?;
            self.put_index(&name)
        };
        let brought = brought.await;
        drop(fs::remove_file(&index));
        brought
    }

    /// Says which of the paths the user has changed.
    async fn refuse_dirty(&self, touched: &BTreeSet<RawPath>) -> Result<(), TreeError> {
        let snapshot = self.snapshot().await?;
        let dirty = self.dirty(&snapshot).await?;
        let memory = self.memory.lock().await;
        let is_users = |path: &&RawPath| {
            dirty.contains_key(*path)
                || (!memory.scan.tracked.has(path) && is_blocked(self.top(), path))
        };
        let paths: Vec<String> = touched.iter().filter(is_users).map(|path| shown(path)).collect();
        if paths.is_empty() {
            return Ok(());
        }
        Err(TreeError::Changed { top: self.top().to_owned(), paths })
    }

    /// The paths in which two commits differ.
    async fn touched(&self, old: &str, new: &str) -> Result<BTreeSet<RawPath>, TreeError> {
        let call = self.with_index(&self.repository.index());
        let call = call.args(["diff-tree", "-r", "-z", "--name-only", "--no-renames", old, new]);
        Ok(paths(&self.git.run(call).await?.stdout).collect())
    }

    /// The paths in which the index differs from a commit.
    async fn staged_against(&self, commit: &str) -> Result<BTreeSet<RawPath>, TreeError> {
        let call = self.with_index(&self.repository.index()).args(["diff-index", "--cached", "-z"]);
        let call = call.args(["--name-only", "--no-renames", commit]);
        Ok(paths(&self.git.run(call).await?.stdout).collect())
    }
}

/// Whether a file that git does not know, such as an ignored one, is where a new one would go. Git
/// itself writes over ignored files.
fn is_blocked(top: &Path, path: &[u8]) -> bool {
    let ends = (0..path.len()).filter(|at| path[*at] == b'/').chain([path.len()]);
    ends.map(|end| top.join(OsStr::from_bytes(&path[..end])))
        .filter_map(|at| at.symlink_metadata().ok())
        .any(|found| !found.is_dir())
}

fn moved_away(wanted: Move<'_>) -> TreeError {
    TreeError::BranchMoved { branch: wanted.branch.to_owned() }
}
