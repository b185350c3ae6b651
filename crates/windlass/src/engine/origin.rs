//! Where a directory was cloned from, for whoever has to find its pull requests.

use std::{ffi::OsString, path::Path};

use windlass_system::process::GuardianProgram;

use super::{LoopError, programs::opening};

/// The address of the remote `origin` of the repository that a directory is in; `None` where there
/// is none. It may hold a password: it is for reading, not for showing.
pub async fn origin_of(
    guardian: &GuardianProgram,
    home: &Path,
    host: impl IntoIterator<Item = (OsString, OsString)>,
    directory: &Path,
) -> Result<Option<String>, LoopError> {
    let directory = &directory.canonicalize().unwrap_or_else(|_| directory.to_owned());
    let opening = opening(guardian, home, &host.into_iter().collect(), &[directory])?;
    let origin = match opening.tree(directory).await? {
        Some(tree) => tree.origin().await?,
        None => None,
    };
    opening.close().await;
    Ok(origin)
}
