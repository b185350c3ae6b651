//! The submodules of a repository: where their git directories are, and their work trees.

use std::{
    fs,
    os::unix::{ffi::OsStrExt, fs::MetadataExt},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::super::{Repository, belongs, own::hex};

/// More submodules than this are too many to make a sandbox with.
const MOST: usize = 200;

/// So many directories are looked into for them.
const MOST_LOOKED_AT: usize = 4000;

/// How deep they lie, with the parts of their names.
const DEEPEST: usize = 24;

/// Where submodules are in the git directory of the work tree that has them.
const MODULES: &str = "modules";

/// A submodule, or one of a submodule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Submodule {
    /// Where its git directory is, from the one that all work trees of the repository share.
    #[serde(with = "crate::wire::path")]
    pub(super) inner: PathBuf,
    /// Its git directory and its work tree. One that is not checked out has no work tree: its git
    /// directory stands for it.
    pub(super) repository: Repository,
}

impl Submodule {
    /// Its git directory.
    pub fn git_dir(&self) -> &Path {
        &self.repository.common_dir
    }

    /// Its work tree, if it is checked out.
    pub fn top(&self) -> Option<&Path> {
        Some(self.repository.top.as_path()).filter(|top| *top != self.git_dir())
    }

    /// A name for what is kept of it.
    pub fn id(&self) -> String {
        hex(&Sha256::digest(self.inner.as_os_str().as_bytes())[..8])
    }

    /// What people call it: where it is checked out in the work tree, or its name.
    pub(super) fn shown(&self, whole: &Path) -> String {
        let place = self.top().and_then(|top| top.strip_prefix(whole).ok());
        let name = || self.inner.strip_prefix(MODULES).unwrap_or(&self.inner);
        place.unwrap_or_else(name).to_string_lossy().into_owned()
    }

    /// The submodules of a repository, each before its own; or why nothing can stand in for them.
    pub(super) fn all(repository: &Repository) -> Result<Vec<Self>, &'static str> {
        let mut search = Search { repository, found: Vec::new(), looked_at: 0 };
        search.below(&repository.git_dir.join(MODULES), DEEPEST)?;
        Ok(search.found)
    }

    fn at(git_dir: PathBuf, whole: &Repository) -> Option<Self> {
        let inner = git_dir.strip_prefix(&whole.common_dir).ok()?.to_owned();
        let is_inside = |top: &PathBuf| top.starts_with(&whole.top) && *top != whole.top;
        let top = belongs::work_tree(&git_dir).filter(is_inside);
        // Both sides must agree: an agent can write the file that names the git directory.
        let is_ours = |top: &PathBuf| {
            let named = belongs::git_directories(top).ok().flatten();
            named.is_some_and(|(own, common)| own == git_dir && common == git_dir)
        };
        let top = top.filter(is_ours).unwrap_or_else(|| git_dir.clone());
        let common_dir = git_dir.clone();
        Some(Self { inner, repository: Repository { top, git_dir, common_dir } })
    }
}

struct Search<'a> {
    repository: &'a Repository,
    found: Vec<Submodule>,
    looked_at: usize,
}

impl Search<'_> {
    fn below(&mut self, directory: &Path, deep: usize) -> Result<(), &'static str> {
        let Ok(found) = directory.symlink_metadata() else { return Ok(()) };
        if found.is_symlink() {
            return Err("a git directory of its submodules is a symbolic link");
        }
        if !found.is_dir() {
            return Ok(());
        }
        let Ok(entries) = fs::read_dir(directory) else {
            return Err("the git directories of its submodules cannot be read");
        };
        let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        paths.sort_unstable();
        for path in paths {
            self.looked_at += 1;
            if self.looked_at > MOST_LOOKED_AT || self.found.len() >= MOST || deep == 0 {
                return Err("it has too many submodules");
            }
            if path.join("HEAD").symlink_metadata().is_err() {
                // A part of a name with a slash in it.
                self.below(&path, deep - 1)?;
                continue;
            }
            suited(&path)?;
            self.found.extend(Submodule::at(path.clone(), self.repository));
            self.below(&path.join(MODULES), deep - 1)?;
        }
        Ok(())
    }
}

/// Says why nothing can stand in for a git directory.
pub(super) fn suited(git_dir: &Path) -> Result<(), &'static str> {
    let found = git_dir.symlink_metadata();
    if found.as_ref().is_ok_and(fs::Metadata::is_symlink) {
        return Err("a git directory of its submodules is a symbolic link");
    }
    if found.is_ok_and(|found| found.uid() != rustix::process::geteuid().as_raw()) {
        return Err("it belongs to another user");
    }
    if git_dir.join("reftable").exists() {
        return Err("its refs are kept as a reftable");
    }
    Ok(())
}
