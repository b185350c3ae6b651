//! Where the parts of a private git directory are.

use std::{
    fs, io,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use windlass_system::{home, sandbox::GitMount};

use super::super::Repository;

/// The directory of a loop that holds what its agents have for a git directory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PrivatePlace {
    /// Where it is, outside of every work tree.
    #[serde(with = "crate::wire::path")]
    pub root: PathBuf,
    /// The loop, as its refs are named after it.
    pub loop_id: String,
    /// Whether branches and tags that the agent makes become the user's too.
    pub takes_refs: bool,
}

impl PrivatePlace {
    /// Says why nothing can stand in the place of a repository's git directory.
    pub fn unsuited(repository: &Repository) -> Option<&'static str> {
        let Repository { top, common_dir, .. } = repository;
        if top.join(".git").is_symlink() {
            return Some("its `.git` is a symbolic link");
        }
        let owner = common_dir.metadata().map(|found| found.uid());
        if owner.is_ok_and(|owner| owner != rustix::process::geteuid().as_raw()) {
            return Some("it belongs to another user");
        }
        if common_dir.join("reftable").exists() {
            return Some("its refs are kept as a reftable");
        }
        common_dir.join("modules").exists().then_some("it has submodules")
    }

    /// What a sandbox puts up for it. What the user's objects borrow in turn is in `borrowed`.
    pub fn mounts(&self, repository: &Repository, borrowed: &[PathBuf]) -> Vec<GitMount> {
        let common = &repository.common_dir;
        let read = |at: PathBuf, from: PathBuf| GitMount { at, from, writable: false };
        let mut mounts = vec![
            read(self.objects(), common.join("objects")),
            GitMount { at: common.clone(), from: self.stage(), writable: true },
        ];
        mounts.extend(borrowed.iter().map(|path| read(path.clone(), path.clone())));
        mounts
    }

    /// Makes the directories, and tidies up after a process that was killed.
    pub fn prepare(&self) -> io::Result<()> {
        for path in [self.stage(), self.aside(), self.objects()] {
            home::create_private(&path)?;
        }
        self.finish_checks()
    }

    /// What stands in the place of the user's git directory.
    pub(super) fn stage(&self) -> PathBuf {
        self.root.join("git")
    }

    /// Where the user's objects are seen inside. Outside it is empty.
    pub(super) fn objects(&self) -> PathBuf {
        self.root.join("objects")
    }

    /// A git directory that no agent can reach, from which its commits are fetched.
    pub(super) fn staging(&self) -> PathBuf {
        self.root.join("staging")
    }

    /// What was brought over.
    pub(super) fn state(&self) -> PathBuf {
        self.root.join("state.json")
    }

    /// Where the agent's is while checks have one of their own.
    fn aside(&self) -> PathBuf {
        self.root.join("aside")
    }

    /// Says that what stands in the stage is of a check.
    fn checking(&self) -> PathBuf {
        self.root.join("checking")
    }

    /// Puts the agent's aside, and leaves an empty stage to a check.
    pub(super) fn begin_checks(&self) -> io::Result<()> {
        move_all(&self.stage(), &self.aside())?;
        fs::write(self.checking(), b"")
    }

    /// Gives the stage back to the agent. Doing so twice is doing so once.
    pub(super) fn finish_checks(&self) -> io::Result<()> {
        if self.checking().exists() {
            empty(&self.stage())?;
            fs::remove_file(self.checking())?;
        }
        move_all(&self.aside(), &self.stage())
    }

    /// Removes all that stands in the stage.
    pub(super) fn clear(&self) -> io::Result<()> {
        empty(&self.stage())
    }
}

/// Moves what is in one directory to another one. A sandbox that lives on sees the same directory.
fn move_all(from: &Path, to: &Path) -> io::Result<()> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        fs::rename(entry.path(), to.join(entry.file_name()))?;
    }
    Ok(())
}

fn empty(directory: &Path) -> io::Result<()> {
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            fs::remove_dir_all(entry.path())?;
        } else {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_check_that_was_cut_off_leaves_the_agents_directory_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let place = PrivatePlace {
            root: folder.path().to_owned(),
            loop_id: "x".to_owned(),
            takes_refs: false,
        };
        place.prepare().unwrap();
        fs::write(place.stage().join("HEAD"), "agent").unwrap();
        fs::create_dir(place.stage().join("objects")).unwrap();

        place.begin_checks().unwrap();
        fs::write(place.stage().join("HEAD"), "check").unwrap();
        place.prepare().unwrap();
        assert_eq!(fs::read(place.stage().join("HEAD")).unwrap(), b"agent");

        // Cut off while the agent's was moved: both places hold parts of it.
        fs::rename(place.stage().join("objects"), place.aside().join("objects")).unwrap();
        place.prepare().unwrap();
        assert_eq!(fs::read(place.stage().join("HEAD")).unwrap(), b"agent");
        assert!(place.stage().join("objects").is_dir());
    }
}
