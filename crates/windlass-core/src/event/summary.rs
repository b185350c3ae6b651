//! What an iteration came to: what the rules judge by.

use serde::{Deserialize, Serialize};

use crate::evidence::Evidence;

/// What an iteration came to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct IterationSummary {
    /// Its number, from 1.
    pub iteration: u32,
    /// The tree that it left, where there is one.
    pub tree: Option<String>,
    /// The commit that HEAD is at, where there is one.
    pub head: Option<String>,
    /// How many files differ from those before the iteration.
    pub files_changed: u32,
    /// How many lines differ from those before the iteration.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub lines_changed: u64,
    /// How many files differ from those at the loop's start.
    pub files_modified: u32,
    /// What became of its claim.
    pub claim: ClaimFate,
    /// How its sessions failed, where they did; what `agent-failing` counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    /// What windlass saw in it; what the rules judge by.
    #[serde(default)]
    pub evidence: Evidence,
    /// How long it took.
    pub duration_ms: u64,
}

impl IterationSummary {
    /// Whether its session met a limit of its own, such as its number of turns, after it changed
    /// files: it has worked, and the next one goes on from there.
    pub(crate) fn worked_though_cut_short(&self) -> bool {
        self.evidence.cut_short && self.files_changed > 0
    }

    /// Whether its session failed, and not because it had worked to a limit of its own or left
    /// background work unfinished.
    pub fn failed_in_vain(&self) -> bool {
        let has_worked = self.worked_though_cut_short() || self.evidence.left_background;
        self.failure.is_some() && !has_worked
    }
}

/// What became of an iteration's claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClaimFate {
    /// There was none.
    None,
    /// Checks or protected files spoke against it.
    Rejected,
    /// It was accepted: the loop is done.
    Accepted,
    /// It was accepted for a part of the work, such as one of several tasks.
    AcceptedInPart,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}
