//! The head of a pull request that is to be checked out, as a step.

use serde::{Deserialize, Serialize};

use crate::forge::Pull;

/// The head of a pull request, and where it may be had.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeadStep {
    /// The pull request.
    pub number: u64,
    /// The commit.
    pub commit: String,
    /// The branch that it is on, in the repository that it comes from.
    pub branch: String,
    /// The address of that repository, where it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub address: Option<String>,
    /// The branch that the pull request is to go into.
    pub base: String,
    /// The commit that this one is at.
    pub base_commit: String,
}

impl HeadStep {
    /// The step for a pull request.
    pub fn of(pull: &Pull) -> Self {
        Self {
            number: pull.number,
            commit: pull.head_sha.clone(),
            branch: pull.head_ref.clone(),
            address: pull.head_address.clone(),
            base: pull.base_ref.clone(),
            base_commit: pull.base_sha.clone(),
        }
    }
}
