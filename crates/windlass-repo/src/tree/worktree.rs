//! Worktrees for loops that must not disturb the user's own: made and removed without hooks and
//! filters.

use std::{
    ffi::OsStr,
    fs,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use super::{
    Intended, Intent, Opened, Tree, TreeError, UserFiles,
    dirty::paths,
    own::OwnDir,
    repository::{Repository, object_id},
};
use crate::git::{Call, GitError};

/// A worktree that was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Worktree {
    /// Its top.
    #[serde(with = "crate::wire::path")]
    pub path: PathBuf,
    /// The branch that it is on.
    pub branch: String,
    /// The commit that it began at.
    pub commit: String,
    /// Whether the branch was made for it.
    pub new_branch: bool,
}

impl Tree {
    /// Makes a worktree at `path` on `branch`, which is made at `base` (HEAD if none is given) if it
    /// is not there. Files that a filter would make come out as the repository holds them.
    pub async fn add_worktree(
        &self,
        branch: &str,
        base: Option<&str>,
        path: &Path,
    ) -> Result<Worktree, TreeError> {
        let full = self.checked_name(branch).await?;
        if fs::read_dir(path).map_or_else(|_| path.exists(), |mut dir| dir.next().is_some()) {
            return Err(TreeError::Occupied { path: path.to_owned() });
        }
        let turn = self.turn().await;
        let exists = self.branch_exists(&full).await?;
        if let (true, Some(base)) = (exists, base) {
            let (name, base) = (branch.to_owned(), base.to_owned());
            return Err(TreeError::BaseOfExisting { name, base });
        }
        if let Some(at) = self.checked_out_at(&full).await? {
            return Err(TreeError::BranchInUse { name: branch.to_owned(), at });
        }
        let commit = self.commit_id(if exists { &full } else { base.unwrap_or("HEAD") }).await?;
        let intent = self.intend_worktree(path, (!exists).then(|| (full, commit.clone())))?;
        let mut call = self.in_repository().args(["worktree", "add", "--quiet", "--no-checkout"]);
        call = call.arg("--no-guess-remote");
        call = if exists {
            call.arg("--").arg(path).arg(branch)
        } else {
            call.args(["--no-track", "-b", branch, "--"]).arg(path).arg(&commit)
        };
        let added = self.git.run(call).await;
        drop(turn);
        let added = match added {
            Ok(_) => self.check_out(path, &commit).await,
            Err(error) => Err(error.into()),
        };
        let (path, branch) = (path.to_owned(), branch.to_owned());
        self.unless_failed(&intent, added).await?;
        Ok(Worktree { path, branch, commit, new_branch: !exists })
    }

    /// Writes down that a worktree is made.
    fn intend_worktree(
        &self,
        path: &Path,
        branch: Option<(String, String)>,
    ) -> Result<Intent, TreeError> {
        self.intend_at(path, Intended::AddWorktree { branch, known: self.worktree_names() })
    }

    /// Takes a worktree back that could not be made. The first error is the one to tell, and what
    /// cannot be undone now is undone later.
    async fn unless_failed(
        &self,
        intent: &Intent,
        added: Result<(), TreeError>,
    ) -> Result<(), TreeError> {
        if added.is_err() && self.settle(intent).await.is_ok() {
            self.done(intent);
        }
        added
    }

    /// Makes a worktree at `path` that is on no branch: HEAD is at `commit`, and its files are
    /// those of `tree`.
    pub async fn add_detached(
        &self,
        commit: &str,
        tree: &str,
        path: &Path,
    ) -> Result<(), TreeError> {
        if fs::read_dir(path).map_or_else(|_| path.exists(), |mut dir| dir.next().is_some()) {
            return Err(TreeError::Occupied { path: path.to_owned() });
        }
        let call = self.in_repository().args(["worktree", "add", "--quiet", "--no-checkout"]);
        let call = call.args(["--detach", "--"]).arg(path).arg(commit);
        let turn = self.turn().await;
        let intent = self.intend_worktree(path, None)?;
        let added = self.git.run(call).await;
        drop(turn);
        let added = match added {
            Ok(_) => self.check_out(path, tree).await,
            Err(error) => Err(error.into()),
        };
        self.unless_failed(&intent, added).await
    }

    /// Removes a worktree with all that is in it: only for one in which nobody worked.
    pub async fn discard_worktree(&self, path: &Path) -> Result<(), TreeError> {
        self.drop_worktree(path).await
    }

    /// The local branches that have a commit.
    pub async fn branches_with(&self, commit: &str) -> Result<Vec<String>, TreeError> {
        let call = self.in_repository().args(["for-each-ref", "--format=%(refname:lstrip=2)"]);
        let call = call.args(["--contains", commit, "refs/heads"]);
        let output = self.git.run(call).await?.stdout;
        Ok(String::from_utf8_lossy(&output).lines().map(str::to_owned).collect())
    }

    /// Whether there is such a branch.
    pub async fn has_branch(&self, name: &str) -> Result<bool, TreeError> {
        let full = self.checked_name(name).await?;
        self.branch_exists(&full).await
    }

    /// Takes a worktree back that nobody has worked in, with the branch that was made for it.
    pub async fn unmake_worktree(&self, made: &Worktree) -> Result<(), TreeError> {
        self.check_unused(&made.path).await?;
        self.forget_worktree(made).await
    }

    async fn forget_worktree(&self, made: &Worktree) -> Result<(), TreeError> {
        self.drop_worktree(&made.path).await?;
        if made.new_branch {
            // Only as it was made: whoever has moved it since has a use for it.
            let branch = format!("refs/heads/{}", made.branch);
            let call = self.in_repository().args(["update-ref", "-d", &branch, &made.commit]);
            self.git.run(call).await?;
        }
        Ok(())
    }

    /// Removes a worktree, unless it holds something that is not committed.
    pub async fn remove_worktree(&self, path: &Path) -> Result<(), TreeError> {
        self.check_unused(path).await?;
        self.drop_worktree(path).await
    }

    async fn check_unused(&self, path: &Path) -> Result<(), TreeError> {
        let opened = Self::open(self.git.clone(), path, &self.home, &UserFiles::default()).await?;
        let Opened::Tree(tree) = opened else { return Ok(()) };
        match tree.dirty_paths(&tree.snapshot().await?).await?.len() {
            0 => Ok(()),
            changed => Err(TreeError::WorktreeInUse { path: path.to_owned(), changed }),
        }
    }

    async fn drop_worktree(&self, path: &Path) -> Result<(), TreeError> {
        // Without `--force` git would start `git status` there, which runs what the config says.
        let common = &self.repository.common_dir;
        let call = Call::in_repository(common, common);
        let call = call.args(["worktree", "remove", "--force", "--"]).arg(path);
        let _turn = self.turn().await;
        let intent = self.intend_at(path, Intended::RemoveWorktree)?;
        let removed = self.among_worktrees(call).await;
        self.done(&intent);
        removed.map(|_| ())
    }

    /// Writes the files of a new worktree and its index, through a git directory of our own.
    pub(super) async fn check_out(&self, path: &Path, commit: &str) -> Result<(), TreeError> {
        let gone = || TreeError::Gone { path: path.to_owned() };
        let repository = Repository::discover(path)?.ok_or_else(gone)?;
        let own = OwnDir::open(&self.home, &repository, &self.user)?;
        own.mirror(&repository.common_dir.join("info/attributes"), "info/attributes")?;
        let mut call = Call::new(own.path(), &repository.top)
            .env("GIT_WORK_TREE", &repository.top)
            .env("GIT_INDEX_FILE", repository.index())
            .args(["read-tree", "--reset", "-u", commit]);
        for (key, value) in &self.user.conversion {
            call = call.config(key, value);
        }
        Ok(self.git.run(call).await.map(|_| ())?)
    }

    /// The id of the commit of that name.
    pub async fn commit_id(&self, name: &str) -> Result<String, TreeError> {
        let missing = || TreeError::NoSuchCommit { name: name.to_owned() };
        let peeled = format!("{name}^{{commit}}");
        let call = self.in_repository().args(["rev-parse", "--verify", "--quiet"]);
        match self.git.run(call.args(["--end-of-options", &peeled])).await {
            // It repeats the marker on its output, so the id is the last line.
            Ok(output) => output
                .stdout
                .trim_ascii()
                .rsplit(|byte| *byte == b'\n')
                .next()
                .and_then(object_id)
                .ok_or_else(missing),
            Err(GitError::Failed { .. }) => Err(missing()),
            Err(error) => Err(error.into()),
        }
    }

    /// Where a branch is checked out, if anywhere.
    pub(super) async fn checked_out_at(&self, full: &str) -> Result<Option<PathBuf>, TreeError> {
        let call = self.in_repository().args(["worktree", "list", "--porcelain", "-z"]);
        let mut at = None;
        for line in paths(&self.among_worktrees(call).await?.stdout) {
            if let Some(path) = line.strip_prefix(b"worktree ") {
                at = Some(PathBuf::from(OsStr::from_bytes(path)));
            } else if line.strip_prefix(b"branch ") == Some(full.as_bytes()) {
                return Ok(at);
            }
        }
        Ok(None)
    }
}
