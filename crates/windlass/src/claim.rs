//! What an agent's words claim. Reading never fails and does no I/O; a claim is a request, and
//! what becomes of it is decided by the proof.

use serde::{Deserialize, Serialize};

use crate::ending::ClaimedBy;

/// What the words of a session claim.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClaimReading {
    /// What claims, if anything does.
    pub by: Option<ClaimedBy>,
    /// The words that claim, for the result's `completion_text`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}
