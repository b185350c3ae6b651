//! Pushes what is committed. It goes out from windlass's own git directory: the repository's config
//! may be an agent's, and names programs that would run with the user's keys. Of it only the
//! address is taken.

use std::{
    ffi::OsString,
    path::{Path, PathBuf},
    time::Duration,
};

use super::{Repository, TreeError, UserFiles, own_directory};
use crate::git::{Call, Git};

/// How long a push may take.
const LIMIT: Duration = Duration::from_secs(300);

/// The ways that a push may go; none of them starts a program that an address names.
const WAYS: &str = "https:ssh:git:http:file";

/// How a repository receives that an agent may have made: its hooks would run here.
const WITHOUT_HOOKS: &str = "--receive-pack=git -c core.hooksPath=/dev/null receive-pack";

/// What goes out from where.
#[derive(Clone, Copy, Debug)]
pub struct Outgoing<'a> {
    /// windlass's home.
    pub home: &'a Path,
    /// The repository.
    pub repository: &'a Repository,
    /// The user's own git settings, which say how to log in.
    pub files: &'a UserFiles,
    /// Variables of the user's environment that say how to reach a remote.
    pub variables: &'a [(String, OsString)],
}

impl Outgoing<'_> {
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
}

/// Pushes a commit to the ref `full` of the repository at `origin`.
pub async fn push(
    git: &Git,
    from: Outgoing<'_>,
    origin: &str,
    commit: &str,
    full: &str,
) -> Result<(), TreeError> {
    let own = own_directory(from.home, &from.repository.top);
    // A relative address is meant from the work tree.
    let mut call = Call::new(&own, &from.repository.top)
        .args(["push", "--no-verify", "--porcelain"])
        .args(from.is_an_agents(origin).then_some(WITHOUT_HOOKS))
        .arg("--end-of-options")
        .args([origin, &format!("{commit}:{full}")])
        .env("GIT_ALLOW_PROTOCOL", WAYS)
        .config("core.hooksPath", "/dev/null");
    for file in from.files.configs.iter().filter(|file| file.is_file()) {
        call = call.config("include.path", file);
    }
    for (name, value) in from.variables {
        call = call.env(name, value);
    }
    git.clone().with_limit(LIMIT).run(call).await?;
    Ok(())
}
