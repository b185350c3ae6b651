//! Whether a place is still the one that was meant. The path of a loop's directory is decided on once;
//! an agent may put a link in the place of the directory, or of one above it, and whatever is done
//! by that path would then be done elsewhere.

use std::path::{Path, PathBuf};

use windlass_repo::tree::TreeError;

/// Whether a directory is there and is the one that was meant.
pub(crate) fn is_itself(home: &Path, directory: &Path) -> bool {
    directory.is_dir() && still_meant(home, directory).is_ok()
}

/// Where a place is whose path was decided on before, be it there or not; or what became a link on
/// the way to it. windlass's own home may be reached by one.
pub(crate) fn still_meant(home: &Path, directory: &Path) -> Result<PathBuf, TreeError> {
    let [home, directory] = [home, directory].map(absolute);
    let (base, inner) = match directory.strip_prefix(&home) {
        Ok(inner) => (home.canonicalize().unwrap_or(home), inner),
        Err(_) => (PathBuf::from("/"), directory.strip_prefix("/").unwrap_or(&directory)),
    };
    let mut place = base;
    for part in inner.components() {
        place.push(part);
        if let Ok(target) = place.read_link() {
            return Err(TreeError::BecameALink { path: place, target });
        }
    }
    Ok(place)
}

/// A path from the root, by its words alone.
fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

#[cfg(test)]
mod tests {
    use std::{fs, os::unix::fs::symlink};

    use super::*;

    #[test]
    fn a_link_on_the_way_is_named_and_one_to_windlass_s_home_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        for path in ["repo/sub", "state/worktrees/mine/sub", "elsewhere/sub"] {
            fs::create_dir_all(root.join(path)).unwrap();
        }
        symlink("state", root.join("home")).unwrap();
        symlink("../../../elsewhere", root.join("state/worktrees/mine/out")).unwrap();
        let home = root.join("home");
        let at = |path: &str| still_meant(&home, &root.join(path));
        assert_eq!(at("repo/sub").unwrap(), root.join("repo/sub"));
        assert_eq!(at("repo/gone/sub").unwrap(), root.join("repo/gone/sub"), "it may be restored");
        let own = at("home/worktrees/mine/sub").unwrap();
        assert_eq!(own, root.join("state/worktrees/mine/sub"));
        let led = at("home/worktrees/mine/out/sub").unwrap_err().to_string();
        assert!(led.contains("worktrees/mine/out` "), "{led}");
        fs::rename(root.join("repo"), root.join("aside")).unwrap();
        symlink("elsewhere", root.join("repo")).unwrap();
        let led = at("repo/sub").unwrap_err().to_string();
        assert!(led.contains("a symbolic link to `elsewhere`"), "{led}");
        assert!(!is_itself(&home, &root.join("repo/sub")));
        assert!(is_itself(&home, &root.join("home/worktrees/mine/sub")));
    }
}
