//! The worktree of a loop that has one of its own: made before the loop, and taken back where the
//! loop does not come to be.

use std::path::{Path, PathBuf};

use super::{LoopError, grounds::Grounds, setup::Setup};
use crate::{
    home,
    process::Guardian,
    tree::{Tree, Worktree},
};

/// A worktree that was made for a loop that is not there yet.
pub(super) struct Made {
    worktree: Worktree,
    workplace: PathBuf,
    tree: Tree,
    guardian: Guardian,
}

impl Made {
    /// Makes the worktree that was asked for, of which the loop is the only user.
    pub(super) async fn make(
        grounds: &Grounds,
        setup: &Setup,
        name: &str,
    ) -> Result<Option<Self>, LoopError> {
        let Some(wanted) = &grounds.kind.common().git.worktree else { return Ok(None) };
        let (branch, base) = match wanted.split_once(':') {
            Some((branch, base)) => (branch, Some(base)),
            None => (wanted.as_str(), None),
        };
        let guardian = Guardian::start(&setup.guardian, None, Vec::new())?;
        let Some(tree) = grounds.open_tree(&guardian, &grounds.directory).await? else {
            let directory = grounds.directory.clone();
            return Err(LoopError::NeedsGit { flag: "--worktree", directory });
        };
        let path = home::worktrees(&grounds.home).join(name);
        let worktree = tree.add_worktree(branch, base, &path).await?;
        // The loop works in the same place of the new tree as the user stands in of theirs.
        let below = grounds.directory.strip_prefix(tree.top()).unwrap_or(Path::new(""));
        let inside: PathBuf = path.join(below).components().collect();
        let workplace = if inside.is_dir() { inside } else { path };
        Ok(Some(Self { worktree, workplace, tree, guardian }))
    }

    /// Where the loop works.
    pub(super) fn workplace(&self) -> &Path {
        &self.workplace
    }

    /// Leaves it to the loop, which has begun.
    pub(super) async fn keep(self) {
        self.guardian.close().await;
    }

    /// Takes it back, with the branch if that was made for it.
    pub(super) async fn take_back(self) {
        // Whoever asked is told why there is no loop; a worktree that will not go is a lesser evil.
        drop(self.tree.unmake_worktree(&self.worktree).await);
        self.guardian.close().await;
    }
}
