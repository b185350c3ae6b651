//! Where a repository was cloned from, and which of its branches is checked out.

use super::{Tree, TreeError};
use crate::git::GitError;

impl Tree {
    /// The address of the remote `origin`, as the repository's config has it; `None` where it has
    /// none. It may hold a password: it is for reading, not for showing.
    pub async fn origin(&self) -> Result<Option<String>, TreeError> {
        let call = self.in_repository().args(["config", "--get", "remote.origin.url"]);
        match self.git.run(call.accepting(&[0, 1])).await {
            Err(GitError::Failed { .. }) => Ok(None),
            output => {
                let text = String::from_utf8_lossy(&output?.stdout).trim().to_owned();
                Ok((!text.is_empty()).then_some(text))
            }
        }
    }

    /// The branch that is checked out, without `refs/heads/`, and the commit that HEAD is at; each
    /// `None` where there is none.
    pub async fn head_of_work(&self) -> Result<(Option<String>, Option<String>), TreeError> {
        Ok((self.branch().await?, self.head_commit().await?))
    }

    /// The commit that HEAD is at; `None` before the first one.
    pub async fn head_commit(&self) -> Result<Option<String>, TreeError> {
        Ok(self.head().await?.1)
    }

    /// The branch that is checked out, without `refs/heads/`; `None` where there is none.
    pub async fn branch(&self) -> Result<Option<String>, TreeError> {
        let branch = self.head().await?.0;
        Ok(branch.map(|name| name.strip_prefix("refs/heads/").unwrap_or(&name).to_owned()))
    }
}
