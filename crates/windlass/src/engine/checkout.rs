//! Where a directory was cloned from, for whoever has to find its pull request.

use std::{ffi::OsString, path::Path};

use super::{LoopError, grounds::open_tree};
use crate::process::{Guardian, GuardianProgram};

/// What is checked out at a directory.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Checkout {
    /// The address of the remote `origin`. It may hold a password: it is for reading, not for
    /// showing.
    pub origin: Option<String>,
    /// The branch, where there is one.
    pub branch: Option<String>,
}

/// What is checked out at a directory; `None` where it is not in a repository, or there is no git.
pub async fn checkout_at(
    guardian: &GuardianProgram,
    home: &Path,
    host: impl IntoIterator<Item = (OsString, OsString)>,
    directory: &Path,
) -> Result<Option<Checkout>, LoopError> {
    let guardian = Guardian::start(guardian, None, Vec::new())?;
    let env = host.into_iter().collect();
    let found = match open_tree(&guardian, home, directory, &env).await? {
        Some(tree) => Some(Checkout { origin: tree.origin().await?, branch: tree.branch().await? }),
        None => None,
    };
    guardian.close().await;
    Ok(found)
}
