//! Begins a branch at HEAD, without touching a file.

use super::{Intended, Repository, Tree, TreeError};
use crate::git::{Call, GitError};

impl Repository {
    /// A call in its own directory.
    pub(super) fn call(&self) -> Call {
        let call = Call::in_repository(&self.git_dir, &self.common_dir);
        // A submodule that is not checked out may name a work tree that is not there.
        if self.top == self.git_dir { call.env("GIT_WORK_TREE", &self.top) } else { call }
    }
}

impl Tree {
    /// Makes the branch `name` at HEAD for a loop, and puts HEAD on it. Index and files stay as they
    /// are. It is undone by whoever comes next, unless it is said that the loop came to be.
    pub async fn create_branch(&self, name: &str, of_loop: &str) -> Result<(), TreeError> {
        let full = self.checked_name(name).await?;
        if self.branch_exists(&full).await? {
            return Err(TreeError::BranchExists { name: name.to_owned() });
        }
        let (commit, before) = (self.head().await?.1, self.head_ref().await?);
        let intent = self.intend(Intended::Branch {
            name: full.clone(),
            commit: commit.clone(),
            before: before.clone(),
            of_loop: of_loop.to_owned(),
        })?;
        let made = self.make_branch(&full, commit.as_deref()).await;
        if made.is_err()
            && self.undo_branch(&full, commit.as_deref(), before.as_deref()).await.is_ok()
        {
            self.done(&intent);
        }
        made
    }

    async fn make_branch(&self, full: &str, commit: Option<&str>) -> Result<(), TreeError> {
        if let Some(commit) = commit {
            let zero = self.own.zero_id();
            let made = self.in_repository().args(["update-ref", "-m", "windlass: branch"]);
            self.git.run(made.args(["--end-of-options", full, commit, &zero])).await?;
        }
        let moved = self.in_repository().args(["symbolic-ref", "-m", "windlass: branch", "HEAD"]);
        Ok(self.git.run(moved.arg(full)).await.map(|_| ())?)
    }

    /// A call in the repository's own directory, with a name for its log of refs.
    pub(super) fn in_repository(&self) -> Call {
        self.repository
            .call()
            .env("GIT_COMMITTER_NAME", self.user.name.as_deref().unwrap_or("windlass"))
            .env("GIT_COMMITTER_EMAIL", self.user.email.as_deref().unwrap_or("windlass@localhost"))
    }

    /// The full name of a branch, if a branch can have that name.
    pub async fn checked_name(&self, name: &str) -> Result<String, TreeError> {
        let full = format!("refs/heads/{name}");
        let bad = || TreeError::BadBranchName { name: name.to_owned() };
        if name.starts_with('-') || name == "HEAD" || name.contains('\0') {
            return Err(bad());
        }
        let call = Call::new(self.own.path(), self.own.path()).args(["check-ref-format", &full]);
        match self.git.run(call).await {
            Err(GitError::Failed { .. }) => Err(bad()),
            result => {
                result?;
                self.repository.check_ref(full.as_bytes())?;
                Ok(full)
            }
        }
    }

    /// Whether there is a branch of this full name.
    pub(super) async fn branch_exists(&self, full: &str) -> Result<bool, TreeError> {
        let call = self.in_repository().args(["show-ref", "--verify", "--quiet", "--", full]);
        Ok(self.git.run(call.accepting(&[0, 1])).await?.code == Some(0))
    }
}
