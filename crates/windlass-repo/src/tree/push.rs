//! Pushes what is committed. It goes out from windlass's own git directory: the repository's config
//! may be an agent's, and names programs that would run with the user's keys. Of it only the
//! address is taken.

use std::{ffi::OsString, path::PathBuf, time::Duration};

use super::{Tree, TreeError};
use crate::git::Call;

/// How long a push may take.
const LIMIT: Duration = Duration::from_secs(300);

/// The ways that a push may go; none of them starts a program that an address names.
const WAYS: &str = "https:ssh:git:http:file";

/// How a repository receives that an agent may have made: its hooks would run here.
const WITHOUT_HOOKS: &str = "--receive-pack=git -c core.hooksPath=/dev/null receive-pack";

impl Tree {
    /// Whether an address is that of a repository on this machine that an agent can write.
    fn is_an_agents(&self, address: &str) -> bool {
        let has_host = address.split('/').next().is_some_and(|first| first.contains(':'));
        let path = match address.strip_prefix("file://") {
            Some(path) => PathBuf::from(path),
            None if has_host => return false,
            None => self.repository.top.join(address),
        };
        let path = path.canonicalize().unwrap_or(path);
        let places = [&self.repository.top, &self.repository.git_dir, &self.repository.common_dir];
        places.into_iter().any(|place| path.starts_with(place))
    }

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
            .args(["push", "--no-verify", "--porcelain"])
            .args(self.is_an_agents(&origin).then_some(WITHOUT_HOOKS))
            .arg("--end-of-options")
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
