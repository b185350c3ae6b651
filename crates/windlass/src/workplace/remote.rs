//! Fetches and pushes. Both need the user's keys and the network, which the helper has not; so they go
//! out from windlass's own git directory, and of the repository only the address is taken.

use std::{ffi::OsString, path::Path};

use windlass_repo::tree::{TreeError, remote};
use windlass_system::process::Guardian;

use super::{Tree, call::BranchCall};

/// Who goes out to a remote, and with what.
#[derive(Clone, Copy)]
pub(crate) struct Courier<'a> {
    /// The parent of what runs.
    pub(crate) guardian: &'a Guardian,
    /// What a relative address is meant from.
    pub(crate) from: &'a Path,
    /// What the user's environment says of how to log in, besides the user's own git settings.
    pub(crate) variables: &'a [(String, OsString)],
}

impl Tree {
    /// Pushes the commit that HEAD is at to a branch of `origin`, which must be at `expected` where
    /// that is known; gives that commit, or why it was refused.
    pub(crate) async fn push(
        &self,
        by: Courier<'_>,
        branch: &str,
        expected: Option<&str>,
    ) -> Result<Result<Option<String>, String>, TreeError> {
        let call = BranchCall::CheckName { name: branch.to_owned() };
        let full: Result<String, TreeError> = self.line.ask(call).await;
        let full = full?;
        let Some(commit) = self.head_commit().await? else { return Ok(Ok(None)) };
        let origin = self.origin().await?.ok_or(TreeError::NoOrigin)?;
        let git = self.opening.git(by.guardian)?;
        let files = self.opening.user_files();
        let what = remote::Pushed { to: &origin, commit: &commit, full: &full, expected };
        let refused = remote::push(&git, self.reach(by, &files), what).await?;
        Ok(refused.map_or(Ok(Some(commit)), Err))
    }

    /// Fetches a commit or a ref of the repository at an address; no ref changes.
    pub(crate) async fn fetch(
        &self,
        by: Courier<'_>,
        address: &str,
        what: &str,
        known: &[String],
    ) -> Result<(), TreeError> {
        let git = self.opening.git(by.guardian)?;
        let files = self.opening.user_files();
        remote::fetch(&git, self.reach(by, &files), address, what, known).await
    }

    fn reach<'a>(
        &'a self,
        by: Courier<'a>,
        files: &'a windlass_repo::tree::UserFiles,
    ) -> remote::Reach<'a> {
        let (home, repository) = (&self.opening.home, &self.repository);
        remote::Reach { home, repository, from: by.from, files, variables: by.variables }
    }
}
