//! Pushes what is committed. It goes out from windlass's own git directory: the repository's config
//! may be an agent's, and names programs that would run with the user's keys. Of it only the
//! address is taken.

use std::{ffi::OsString, time::Duration};

use super::{Tree, TreeError};
use crate::git::Call;

/// How long a push may take.
const LIMIT: Duration = Duration::from_secs(300);

/// The ways that a push may go; none of them starts a program that an address names.
const WAYS: &str = "https:ssh:git:http:file";

impl Tree {
    /// Pushes the commit that HEAD is at to a branch of `origin`; gives that commit. The user's
    /// own git settings say how to log in, and so do `variables` of the user's environment.
    pub async fn push(
        &self,
        branch: &str,
        variables: &[(String, OsString)],
    ) -> Result<Option<String>, TreeError> {
        let full = self.checked_name(branch).await?;
        let Some(commit) = self.head().await?.1 else { return Ok(None) };
        let origin = self.origin().await?.ok_or(TreeError::NoOrigin)?;
        let mut call = Call::new(self.own.path(), &self.repository.top)
            .args(["push", "--no-verify", "--porcelain", "--end-of-options"])
            .args([origin, format!("{commit}:{full}")])
            .env("GIT_ALLOW_PROTOCOL", WAYS)
            .config("core.hooksPath", "/dev/null");
        for file in self.files.configs.iter().filter(|file| file.is_file()) {
            call = call.config("include.path", file);
        }
        for (name, value) in variables {
            call = call.env(name, value);
        }
        self.git.clone().with_limit(LIMIT).run(call).await?;
        Ok(Some(commit))
    }
}
