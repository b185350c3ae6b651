//! The work tree as evidence: snapshots, what changed between them, and the way back.
//!
//! Snapshots go into a git directory of windlass's own, with its own index and config and the
//! repository's objects as alternates. The agent cannot reach it, nothing from the repository's
//! config, filters or hooks acts in it, and the user's index, branches and stash stay as they are.

use serde::{Deserialize, Serialize};

/// The work tree at one moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Snapshot {
    /// The id of the git tree that holds all files, tracked and untracked, not ignored.
    pub tree: String,
    /// The commit that HEAD was at; `None` before the first commit.
    pub head: Option<String>,
}
