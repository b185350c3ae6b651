//! What the places other than the work tree's files hold: HEAD, branches, the stash, other work trees,
//! submodules and repositories inside the tree.

use windlass_core::evidence::PlaceMark;

use super::{Tree, TreeError};

impl Tree {
    /// What each of them holds now.
    pub async fn places(&self) -> Result<Vec<PlaceMark>, TreeError> {
        Ok(Vec::new())
    }
}
