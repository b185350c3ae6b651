//! Makes a repository of a directory, for the demo.

use std::{collections::BTreeMap, ffi::OsString, path::Path, sync::Arc};

use windlass_repo::git::{self, Git, GitError};
use windlass_system::process::{Guardian, GuardianProgram, Programs};

use super::LoopError;

/// Makes a git repository of a directory and commits what is in it; says whether it could, which
/// it cannot without git.
pub async fn found_repository(
    guardian: &GuardianProgram,
    env: BTreeMap<OsString, OsString>,
    directory: &Path,
) -> Result<bool, LoopError> {
    let found = git::program(&Programs::new(&env, &[directory], &[]));
    let Some(program) = found.map_err(|error| LoopError::Tree(error.into()))? else {
        return Ok(false);
    };
    let guardian = Guardian::start(guardian, None, Vec::new())?;
    let git = Git::new(Arc::new(guardian.clone()), program);
    let founded = git::found(&git, directory, "the start").await;
    guardian.close().await;
    match founded {
        Ok(()) => Ok(true),
        Err(GitError::NotInstalled) => Ok(false),
        Err(error) => Err(LoopError::Tree(error.into())),
    }
}
