//! One move of a branch, as a step.

use serde::{Deserialize, Serialize};

/// One move of a branch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AdvanceStep {
    /// The branch.
    pub branch: String,
    /// The commit that it is at.
    pub old: String,
    /// The commit that it is to be at.
    pub new: String,
    /// What the move is known by when it was cut off.
    pub mark: String,
}

impl AdvanceStep {
    /// What the move of a loop is known by.
    pub fn mark_of(id: &str) -> String {
        format!("windlass {id}\n")
    }
}
