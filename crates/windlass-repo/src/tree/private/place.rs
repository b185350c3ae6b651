//! Where the parts of a private git directory are.

use std::{
    collections::BTreeSet,
    fs, io,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use windlass_system::{home, sandbox::GitMount};

use super::{
    super::Repository,
    counterpart::Counterpart,
    submodule::{Submodule, suited},
};

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
    /// The submodules of the repository, each before its own.
    pub submodules: Vec<Submodule>,
}

impl PrivatePlace {
    /// The place for a loop.
    pub fn new(root: PathBuf, loop_id: String) -> Self {
        Self { root, loop_id, takes_refs: false, submodules: Vec::new() }
    }

    /// The same for a repository with its submodules; or why nothing can stand in the place of its
    /// git directory.
    pub fn for_repository(self, repository: &Repository) -> Result<Self, &'static str> {
        if repository.top.join(".git").is_symlink() {
            return Err("its `.git` is a symbolic link");
        }
        suited(&repository.common_dir)?;
        Ok(Self { submodules: Submodule::all(repository)?, ..self })
    }

    /// What a sandbox puts up for it. What the user's objects borrow in turn is in `borrowed`.
    pub fn mounts(&self, repository: &Repository, borrowed: &[PathBuf]) -> Vec<GitMount> {
        let common = &repository.common_dir;
        let read = |at: PathBuf, from: PathBuf| GitMount { at, from, writable: false };
        let submodules = self.submodules.iter();
        let objects = submodules.map(|submodule| {
            let at = self.of_submodule(submodule, &repository.top).objects();
            read(at, submodule.git_dir().join("objects"))
        });
        let mut mounts = vec![read(self.of_repository().objects(), common.join("objects"))];
        // What lies in the user's git directory is reached no more when something stands there.
        mounts.extend(objects);
        mounts.push(GitMount { at: common.clone(), from: self.stage(), writable: true });
        mounts.extend(borrowed.iter().map(|path| read(path.clone(), path.clone())));
        mounts.extend(self.kept_links(&repository.top));
        mounts
    }

    /// The files that name the git directories of submodules stay as they are, and so do the
    /// directories on the way to them: the user's git enters what they name.
    fn kept_links(&self, top: &Path) -> Vec<GitMount> {
        let tops: Vec<&Path> = self.submodules.iter().filter_map(Submodule::top).collect();
        let above = |inner: &&Path| inner.starts_with(top) && **inner != *top;
        let pinned: BTreeSet<&Path> =
            tops.iter().flat_map(|inner| inner.ancestors()).filter(above).collect();
        let kept = |path: PathBuf, writable| GitMount { at: path.clone(), from: path, writable };
        let pins = pinned.into_iter().map(|path| kept(path.to_owned(), true));
        pins.chain(tops.iter().map(|inner| kept(inner.join(".git"), false))).collect()
    }

    /// Makes the directories, and tidies up after a process that was killed.
    pub fn prepare(&self) -> io::Result<()> {
        for path in [self.stage(), self.aside(), self.of_repository().objects()] {
            home::create_private(&path)?;
        }
        for submodule in &self.submodules {
            home::create_private(&self.kept_of(submodule).join("objects"))?;
        }
        self.finish_checks()
    }

    /// What stands in for the repository's git directory.
    pub(super) fn of_repository(&self) -> Counterpart {
        Counterpart {
            whole: self.stage(),
            inner: PathBuf::new(),
            kept: self.root.clone(),
            loop_id: self.loop_id.clone(),
            takes_refs: self.takes_refs,
            submodule: None,
        }
    }

    /// What stands in for a submodule's.
    pub(super) fn of_submodule(&self, submodule: &Submodule, top: &Path) -> Counterpart {
        Counterpart {
            inner: submodule.inner.clone(),
            kept: self.kept_of(submodule),
            submodule: Some(submodule.shown(top)),
            ..self.of_repository()
        }
    }

    fn kept_of(&self, submodule: &Submodule) -> PathBuf {
        self.root.join("submodules").join(submodule.id())
    }

    /// What stands in the place of the user's git directory.
    fn stage(&self) -> PathBuf {
        self.root.join("git")
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
        let place = PrivatePlace::new(folder.path().to_owned(), "x".to_owned());
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
