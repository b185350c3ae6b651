//! What a review found, and what became of the fixes.

use serde::{Deserialize, Serialize};

use crate::findings::{Mark, Observed};

/// A review was read: what it found, held against what was known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FindingsSeen {
    /// In which iteration.
    pub iteration: u32,
    /// What the ledger takes from it.
    #[serde(flatten)]
    pub observed: Observed,
}

/// A fix was tried.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FixTried {
    /// In which iteration.
    pub iteration: u32,
    /// The finding's number in the ledger.
    pub number: u32,
    /// What became of it.
    pub fix: Fix,
    /// What the ledger takes from it. In loops that review again, that review decides whether a
    /// finding is fixed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mark: Option<Mark>,
}

/// What became of a fix.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Fix {
    /// The session finished and changed files; outside a repository nobody knows whether it did.
    Applied,
    /// The agent says why it did not do it.
    Skipped {
        /// Its words.
        reason: String,
    },
    /// The session finished and changed nothing.
    Unchanged,
    /// The session failed.
    Failed {
        /// How.
        reason: String,
    },
}
