//! Finds the jj repository that a directory is in.

use std::path::{Path, PathBuf};

/// The top of the jj repository that a directory is in; `None` where it is in none, or nearer to a
/// repository that is git's alone.
pub fn find(directory: &Path) -> Option<PathBuf> {
    // A link could lead anywhere.
    let is_jj = |top: &Path| top.join(".jj").symlink_metadata().is_ok_and(|found| found.is_dir());
    let is_git = |top: &Path| top.join(".git").symlink_metadata().is_ok();
    let top = directory.ancestors().find(|top| is_jj(top) || is_git(top))?;
    is_jj(top).then(|| top.to_owned())
}
