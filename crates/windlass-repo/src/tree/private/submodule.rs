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
        &self.repository.git_dir
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
            return Err("the git directories of its submodules are a symbolic link");
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
            // Without objects it is none, neither for git.
            if path.join("objects").symlink_metadata().is_err() {
                continue;
            }
            self.found.extend(Submodule::at(path.clone(), self.repository));
            self.below(&path.join(MODULES), deep - 1)?;
        }
        Ok(())
    }
}

/// Says why nothing can stand in for a git directory.
pub(super) fn suited(git_dir: &Path) -> Result<(), &'static str> {
    let found = git_dir.symlink_metadata();
    // Its objects are mounted, and a link would have what it leads to mounted.
    for path in [git_dir, &git_dir.join("objects")] {
        if path.symlink_metadata().is_ok_and(|found| !found.is_dir()) {
            return Err("a git directory, or its objects, is no directory but a link");
        }
    }
    if found.is_ok_and(|found| found.uid() != rustix::process::geteuid().as_raw()) {
        return Err("it belongs to another user");
    }
    if git_dir.join("reftable").exists() {
        return Err("its refs are kept as a reftable");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    fn git_dir(path: &Path, work_tree: Option<&Path>) {
        fs::create_dir_all(path.join("objects")).unwrap();
        fs::write(path.join("HEAD"), "ref: refs/heads/main\n").unwrap();
        let Some(top) = work_tree else { return };
        fs::create_dir_all(top).unwrap();
        let config = format!("[core]\n\tworktree = {}\n", top.display());
        fs::write(path.join("config"), config).unwrap();
        fs::write(top.join(".git"), format!("gitdir: {}\n", path.display())).unwrap();
    }

    fn repository(folder: &Path) -> Repository {
        let top = folder.canonicalize().unwrap().join("work");
        let git = top.join(".git");
        git_dir(&git, None);
        Repository { top, git_dir: git.clone(), common_dir: git }
    }

    #[test]
    fn submodules_are_found_at_any_depth_and_belong_where_both_sides_agree() {
        let folder = tempfile::tempdir().unwrap();
        let whole = repository(folder.path());
        let (git, top) = (&whole.git_dir, &whole.top);
        git_dir(&git.join("modules/libs/one"), Some(&top.join("vendor/one")));
        git_dir(&git.join("modules/libs/one/modules/deep"), Some(&top.join("vendor/one/deep")));
        git_dir(&git.join("modules/turned"), Some(&top.join("turned")));
        let elsewhere = format!("gitdir: {}\n", git.join("modules/libs/one").display());
        fs::write(top.join("turned/.git"), elsewhere).unwrap();
        git_dir(&git.join("modules/idle"), None);
        git_dir(&git.join("modules/outside"), Some(&top.parent().unwrap().join("outside")));
        fs::create_dir_all(git.join("modules/nothing")).unwrap();
        fs::write(git.join("modules/nothing/HEAD"), "").unwrap();

        let found = Submodule::all(&whole).unwrap();
        let shown: Vec<(String, bool)> =
            found.iter().map(|one| (one.shown(top), one.top().is_some())).collect();
        let expected = [
            ("idle", false),
            ("vendor/one", true),
            ("vendor/one/deep", true),
            ("outside", false),
            ("turned", false),
        ];
        assert_eq!(shown, expected.map(|(name, is_out)| (name.to_owned(), is_out)));
    }

    #[test]
    fn nothing_stands_in_for_links_or_for_more_than_a_sandbox_can_mount() {
        let folder = tempfile::tempdir().unwrap();
        let whole = repository(folder.path());
        let module = whole.git_dir.join("modules/one");
        git_dir(&module, None);
        Submodule::all(&whole).unwrap();
        fs::remove_dir(module.join("objects")).unwrap();
        symlink("/", module.join("objects")).unwrap();
        Submodule::all(&whole).unwrap_err();
        fs::remove_dir_all(&module).unwrap();
        symlink("/", &module).unwrap();
        Submodule::all(&whole).unwrap_err();
        fs::remove_file(&module).unwrap();
        for number in 0..=MOST {
            git_dir(&whole.git_dir.join(format!("modules/{number}")), None);
        }
        Submodule::all(&whole).unwrap_err();
    }
}
