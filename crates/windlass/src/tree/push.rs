//! Pushes what is committed. No hook of the repository runs.

use std::time::Duration;

use super::{Tree, TreeError};

/// How long a push may take.
const LIMIT: Duration = Duration::from_secs(300);

impl Tree {
    /// Pushes HEAD to a branch of `origin`; gives the commit.
    pub async fn push(&self, branch: &str) -> Result<Option<String>, TreeError> {
        let full = self.checked_name(branch).await?;
        let commit = self.head().await?.1;
        let git = self.git.clone().with_limit(LIMIT);
        let call = self.in_repository().args(["push", "--no-verify", "--porcelain", "origin"]);
        git.run(call.arg(format!("HEAD:{full}"))).await?;
        Ok(commit)
    }
}
