//! Refuses to work where windlass's home lies in the work tree: it would count as work and be
//! committed, an agent could change it, and one `git clean` would delete it.

use std::path::{Path, PathBuf};

use windlass_repo::tree::Repository;

use super::LoopError;

/// Says where the home lies, if that is in the work tree that `directory` is in.
pub(super) fn check(home: &Path, directory: &Path) -> Result<(), LoopError> {
    // A directory that is not there is told by those that need it.
    let Ok(Some(repository)) = Repository::discover(directory) else { return Ok(()) };
    let home = real(home);
    if home.starts_with(&repository.top) {
        return Err(LoopError::HomeInTree { home, top: repository.top });
    }
    Ok(())
}

/// The path without links, as far as it is there.
fn real(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    for there in path.ancestors() {
        if let Ok(real) = there.canonicalize()
            && let Ok(rest) = path.strip_prefix(there)
        {
            return real.join(rest);
        }
    }
    path
}
