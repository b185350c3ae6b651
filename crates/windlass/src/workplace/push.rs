//! Pushes what is committed. It needs the user's keys and the network, which the helper has not; so
//! it goes out from windlass's own git directory, and of the repository only the address is taken.

use std::ffi::OsString;

use windlass_repo::{
    git::Git,
    tree::{TreeError, push},
};
use windlass_system::process::Guardian;

use super::{Tree, call::BranchCall};

impl Tree {
    /// Pushes the commit that HEAD is at to a branch of `origin`; gives that commit. The user's own
    /// git settings say how to log in, and so do `variables` of the user's environment.
    pub(crate) async fn push(
        &self,
        guardian: &Guardian,
        branch: &str,
        variables: &[(String, OsString)],
    ) -> Result<Option<String>, TreeError> {
        let call = BranchCall::CheckName { name: branch.to_owned() };
        let full: Result<String, TreeError> = self.line.ask(call).await;
        let full = full?;
        let Some(commit) = self.head_commit().await? else { return Ok(None) };
        let origin = self.origin().await?.ok_or(TreeError::NoOrigin)?;
        let git: Git = self.opening.git(guardian)?;
        let place = push::Outgoing {
            home: &self.opening.home,
            repository: &self.repository,
            files: &self.opening.user_files(),
            variables,
        };
        push::push(&git, place, &origin, &commit, &full).await?;
        Ok(Some(commit))
    }
}
