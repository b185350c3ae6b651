//! What a loop posts to a forge. A value, so that it can be kept until it is confirmed.

use serde::{Deserialize, Serialize};

use crate::{
    findings::Finding,
    forge::{MarkerKey, ReviewEvent},
};

/// One thing to be posted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Post {
    /// A review, with the findings as comments where the diff has their lines.
    Review {
        /// The pull request.
        number: u64,
        /// The commit that was audited.
        commit: String,
        /// What the review says as a whole.
        event: ReviewEvent,
        /// How its text begins.
        head: String,
        /// What was found.
        findings: Vec<Finding>,
        /// By which it is found again, should the answer be lost.
        marker: MarkerKey,
    },
    /// What the description says of the audit.
    Description {
        /// The pull request.
        number: u64,
        /// The text.
        text: String,
    },
    /// A title.
    Title {
        /// The pull request.
        number: u64,
        /// The title.
        title: String,
    },
}

impl Post {
    /// What it is, in a word.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Review { .. } => "review",
            Self::Description { .. } => "description",
            Self::Title { .. } => "title",
        }
    }
}
