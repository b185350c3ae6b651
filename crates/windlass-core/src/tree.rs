//! A snapshot of the work tree, as a value.

use serde::{Deserialize, Serialize};

/// The work tree at one moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Snapshot {
    /// The id of the git tree that holds all files, tracked and untracked, not ignored.
    pub tree: String,
    /// The commit that HEAD was at; `None` before the first commit.
    pub head: Option<String>,
}
