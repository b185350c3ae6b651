//! The branch of a loop that has one of its own, and where its work belongs when it is done.

use serde::{Deserialize, Serialize};

/// The branch of a loop that has one of its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Branched {
    /// The branch.
    pub branch: String,
    /// The branch that it began from, where it began from one.
    pub from: Option<String>,
    /// The commit that it began at; `None` before the first commit.
    pub commit: Option<String>,
    /// Whether it was made for the loop, and nobody said where it begins.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_new: bool,
}
