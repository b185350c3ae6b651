//! The state before a session, kept in windlass's own directory for the tree: what a killed loop left
//! is found by it.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use super::{Place, fact::State};
use crate::tree::{own_directory, write_private};

/// The file in windlass's own directory.
const FILE: &str = "state-before";

/// A file that is larger is not one of ours.
const MOST: u64 = 256 << 20;

/// What is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Kept {
    /// The loop that it was kept for.
    pub(super) loop_id: String,
    /// Where its agents work, as that was found before they acted.
    pub(super) place: Place,
    /// Whether the loop had not come to its end.
    pub(super) is_open: bool,
    /// How everything was before agents changed it.
    pub(super) origin: State,
    /// How everything was when the loop ended, where that differs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) last: Option<State>,
}

/// The place of a loop that was cut off and worked in `workplace`, where what it left behind has not
/// been told.
pub fn untold(home: &Path, workplace: &Path, loop_id: &str) -> Option<Place> {
    let shelves = workplace.ancestors().map(|top| Shelf::new(&own_directory(home, top)));
    let mut kept = shelves.filter_map(|shelf| shelf.load());
    let kept = kept.find(|kept| kept.loop_id == loop_id)?;
    kept.is_open.then_some(kept.place)
}

/// Where it is kept.
#[derive(Clone, Debug)]
pub(super) struct Shelf(PathBuf);

impl Shelf {
    pub(super) fn new(own: &Path) -> Self {
        Self(own.join(FILE))
    }

    /// What was kept last; nothing where it cannot be read.
    pub(super) fn load(&self) -> Option<Kept> {
        let size = fs::symlink_metadata(&self.0).ok().filter(fs::Metadata::is_file)?.len();
        if size > MOST {
            return None;
        }
        serde_json::from_slice(&fs::read(&self.0).ok()?).ok()
    }

    pub(super) fn store(&self, kept: &Kept) -> io::Result<()> {
        write_private(&self.0, &serde_json::to_vec(kept).map_err(io::Error::other)?)
    }
}
