//! What stands in for one git directory: that of the repository, or of one of its submodules.

use std::{
    io,
    os::{fd::OwnedFd, unix::ffi::OsStrExt},
    path::PathBuf,
};

use rustix::io::Errno;
use windlass_system::below::{self, Root};

use super::refs::Refs;

/// The places of one private git directory.
#[derive(Clone, Debug)]
pub(super) struct Counterpart {
    /// The directory that stands in the place of the user's git directory.
    pub(super) whole: PathBuf,
    /// Where this one is in it. An agent can have put links on the way.
    pub(super) inner: PathBuf,
    /// What windlass keeps for it, which no agent can reach.
    pub(super) kept: PathBuf,
    /// The loop, as its refs are named after it.
    pub(super) loop_id: String,
    /// Whether branches and tags that the agent makes become the user's too.
    pub(super) takes_refs: bool,
    /// What people call the submodule, if it is one.
    pub(super) submodule: Option<String>,
}

impl Counterpart {
    /// Where it is. Whoever writes there goes by [`Self::open`].
    pub(super) fn stage(&self) -> PathBuf {
        self.whole.join(&self.inner)
    }

    /// Where the user's objects are seen inside. Outside it is empty.
    pub(super) fn objects(&self) -> PathBuf {
        self.kept.join("objects")
    }

    /// A git directory that no agent can reach, from which its commits are fetched.
    pub(super) fn staging(&self) -> PathBuf {
        self.kept.join("staging")
    }

    /// What was brought over.
    pub(super) fn state(&self) -> PathBuf {
        self.kept.join("state.json")
    }

    /// Opens it, through no link; `None` where it is not there.
    pub(super) fn open(&self) -> io::Result<Option<OwnedFd>> {
        let whole = Root::open(&self.whole)?;
        match below::open_dir(whole, self.inner.as_os_str().as_bytes()) {
            Err(Errno::NOENT) => Ok(None),
            opened => Ok(Some(opened?)),
        }
    }

    /// Makes it.
    pub(super) fn make(&self) -> io::Result<OwnedFd> {
        below::make_dir(Root::open(&self.whole)?, self.inner.as_os_str().as_bytes())
    }

    /// Its refs, with the HEAD of the git directory at `head_in`; `None` where it is not there.
    pub(super) fn refs(&self, head_in: &str) -> io::Result<Option<Refs>> {
        let Some(stage) = self.open()? else { return Ok(None) };
        // Git is to read these objects, and would follow a link.
        below::open_dir(&stage, b"objects")?;
        Refs::read(&stage, head_in).map(Some)
    }

    /// What is told of it, which names it where it is a submodule.
    pub(super) fn told(&self, notes: Vec<String>) -> Vec<String> {
        match &self.submodule {
            Some(name) => {
                notes.iter().map(|note| format!("in the submodule `{name}`, {note}")).collect()
            }
            None => notes,
        }
    }
}
