//! Which git directory belongs to a work tree.
//!
//! A `.git` that is a directory does. One that is a file or a link names a directory elsewhere, and
//! an agent that can write it can name any: that directory must refer back to the work tree, as those of
//! linked worktrees (`gitdir`) and submodules (`core.worktree`) do. The same holds for `commondir`.

use std::{
    ffi::OsStr,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
};

use windlass_system::below::{self, Links, Root};

use super::{TreeError, plain_config::plain_value};

/// No path that git writes is longer.
const LONGEST: u64 = 4096;

/// A config that is larger is not looked into.
const MOST_CONFIG: u64 = 1 << 20;

/// The git directory of a work tree, and the one that all of its worktrees share; `None` where there
/// is none at this place.
pub(super) fn git_directories(top: &Path) -> Result<Option<(PathBuf, PathBuf)>, TreeError> {
    let entry = top.join(".git");
    let Ok(found) = entry.symlink_metadata() else { return Ok(None) };
    let git_dir = if found.is_dir() {
        Some(entry.clone())
    } else if found.is_symlink() {
        entry.canonicalize().ok().filter(|target| target.is_dir())
    } else {
        named(top, b".git", b"gitdir: ")
    };
    // An empty `.git` directory is no repository for git either.
    let is_git_dir = |git_dir: &PathBuf| git_dir.join("HEAD").symlink_metadata().is_ok();
    let Some(git_dir) = git_dir.filter(is_git_dir) else { return Ok(None) };
    let common_dir = common_dir(&git_dir);
    if !common_dir.join("objects").is_dir() {
        return Ok(None);
    }
    if !found.is_dir() && !refers_back(&git_dir, &common_dir, top) {
        return Err(TreeError::NotOurs { entry, target: git_dir });
    }
    Ok(Some((git_dir, common_dir)))
}

/// What the worktrees of a repository share. A `commondir` counts only in a directory that the
/// shared one has for a linked worktree.
fn common_dir(git_dir: &Path) -> PathBuf {
    let named = named(git_dir, b"commondir", b"");
    let is_ours = |common: &PathBuf| git_dir.parent() == Some(common.join("worktrees").as_path());
    named.filter(is_ours).unwrap_or_else(|| git_dir.to_owned())
}

/// Whether a git directory that lies elsewhere says that this is its work tree.
fn refers_back(git_dir: &Path, common_dir: &Path, top: &Path) -> bool {
    if git_dir != common_dir {
        return named_path(git_dir, b"gitdir", b"")
            .and_then(|back| Some((back.parent()?.canonicalize().ok()?, back)))
            .is_some_and(|(parent, back)| parent == top && back.ends_with(".git"));
    }
    work_tree(git_dir).is_some_and(|path| path == top)
}

/// The work tree that a git directory names in its config, as those of submodules do.
pub(super) fn work_tree(git_dir: &Path) -> Option<PathBuf> {
    let root = Root::open(git_dir).ok()?;
    let config = below::read(root, b"config", Links::Refused, MOST_CONFIG).ok()?;
    let named = plain_value(&config, "core", "worktree")?;
    git_dir.join(OsStr::from_bytes(named)).canonicalize().ok()
}

/// The canonical path that a file in `directory` names after `prefix`.
fn named(directory: &Path, file: &[u8], prefix: &[u8]) -> Option<PathBuf> {
    named_path(directory, file, prefix)?.canonicalize().ok()
}

fn named_path(directory: &Path, file: &[u8], prefix: &[u8]) -> Option<PathBuf> {
    let root = Root::open(directory).ok()?;
    let text = below::read(root, file, Links::Refused, LONGEST).ok()?;
    let path = text.strip_prefix(prefix)?.trim_ascii_end();
    (!path.is_empty()).then(|| directory.join(OsStr::from_bytes(path)))
}

#[cfg(test)]
mod tests {
    use std::{fs, os::unix::fs::symlink};

    use super::*;

    fn git_dir(path: &Path) {
        fs::create_dir_all(path.join("objects")).unwrap();
        fs::write(path.join("HEAD"), "ref: refs/heads/main\n").unwrap();
    }

    #[test]
    fn a_git_directory_elsewhere_counts_only_if_it_refers_back() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let (top, private) = (root.join("top"), root.join("private/.git"));
        fs::create_dir(&top).unwrap();
        git_dir(&private);
        let file = format!("gitdir: {}\n", private.display());
        fs::write(top.join(".git"), &file).unwrap();
        assert!(matches!(git_directories(&top), Err(TreeError::NotOurs { .. })));
        fs::remove_file(top.join(".git")).unwrap();
        symlink(&private, top.join(".git")).unwrap();
        assert!(matches!(git_directories(&top), Err(TreeError::NotOurs { .. })));
        let config = format!("[core]\n\tbare = false\n\tworktree = {}\n", top.display());
        fs::write(private.join("config"), config).unwrap();
        assert_eq!(git_directories(&top).unwrap(), Some((private.clone(), private)));
    }

    #[test]
    fn a_linked_worktree_counts_where_both_sides_agree() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let (top, common) = (root.join("top"), root.join("main/.git"));
        let own = common.join("worktrees/w");
        fs::create_dir(&top).unwrap();
        git_dir(&common);
        fs::create_dir_all(&own).unwrap();
        fs::write(own.join("HEAD"), "").unwrap();
        fs::write(own.join("commondir"), "../..\n").unwrap();
        fs::write(own.join("gitdir"), format!("{}/.git\n", top.display())).unwrap();
        fs::write(top.join(".git"), format!("gitdir: {}\n", own.display())).unwrap();
        assert_eq!(git_directories(&top).unwrap(), Some((own.clone(), common.clone())));
        fs::write(own.join("gitdir"), "/elsewhere/.git\n").unwrap();
        assert!(matches!(git_directories(&top), Err(TreeError::NotOurs { .. })));
    }

    #[test]
    fn a_commondir_in_a_plain_repository_counts_for_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let (own, private) = (root.join("top/.git"), root.join("private/.git"));
        git_dir(&own);
        git_dir(&private);
        fs::write(own.join("commondir"), format!("{}\n", private.display())).unwrap();
        let found = git_directories(&root.join("top")).unwrap();
        assert_eq!(found, Some((own.clone(), own)));
    }
}
