//! Where a directory was cloned from, for whoever has to find its pull requests.

use std::{ffi::OsString, path::Path};

use windlass_system::process::{Guardian, GuardianProgram};

use super::{LoopError, grounds::open_tree};

/// The address of the remote `origin` of the repository that a directory is in; `None` where there
/// is none. It may hold a password: it is for reading, not for showing.
pub async fn origin_of(
    guardian: &GuardianProgram,
    home: &Path,
    host: impl IntoIterator<Item = (OsString, OsString)>,
    directory: &Path,
) -> Result<Option<String>, LoopError> {
    let guardian = Guardian::start(guardian, None, Vec::new())?;
    let env = host.into_iter().collect();
    let origin = match open_tree(&guardian, home, directory, &env).await? {
        Some(tree) => tree.origin().await?,
        None => None,
    };
    guardian.close().await;
    Ok(origin)
}
