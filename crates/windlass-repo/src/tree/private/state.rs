//! What is remembered of a private git directory from one session to the next.

use std::{fs, io, os::unix::fs::MetadataExt, path::Path};

use serde::{Deserialize, Serialize};

use super::{super::own::write_private, counterpart::Counterpart, refs::Refs};

/// What was brought over last.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct State {
    /// The private refs as they were then.
    pub(super) refs: Refs,
    /// The user's index as it was then.
    pub(super) index: IndexMark,
    /// The names of refs that people were told of.
    pub(super) told: Vec<String>,
    /// Refs that could not be brought over, with their ids: they are tried again.
    #[serde(default)]
    pub(super) missing: Vec<(String, String)>,
}

/// Tells whether the user's index is another one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct IndexMark {
    modified: (i64, i64),
    inode: u64,
    size: u64,
}

impl IndexMark {
    /// The mark of a file; that of nothing where it is missing.
    pub(super) fn of(path: &Path) -> Self {
        let Ok(found) = path.symlink_metadata() else { return Self::default() };
        let modified = (found.mtime(), found.mtime_nsec());
        Self { modified, inode: found.ino(), size: found.size() }
    }
}

impl State {
    /// Whether people were told of something by that name.
    pub(super) fn told(&self, name: &str) -> bool {
        self.told.iter().any(|told| told == name)
    }

    /// What was written last; `None` before the first time.
    pub(super) fn read(place: &Counterpart) -> Option<Self> {
        serde_json::from_slice(&fs::read(place.state()).ok()?).ok()
    }

    /// Writes it, whole or not at all.
    pub(super) fn write(&self, place: &Counterpart) -> io::Result<()> {
        write_private(&place.state(), &serde_json::to_vec(self)?)
    }
}
