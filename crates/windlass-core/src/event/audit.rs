//! What an iteration of audits came to, in the numbers of its log line.

use serde::{Deserialize, Serialize};

use crate::findings::Skip;

/// What an iteration of audits came to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditLogged {
    /// Which iteration.
    pub iteration: u32,
    /// How many findings the audit had.
    pub found: u32,
    /// How many of them the fixer says to have fixed.
    pub applied: u32,
    /// Why it skipped others, one each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skipped: Vec<String>,
    /// Which findings these are about, as far as the fixer named them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skips: Vec<Skip>,
    /// How the fixer's session failed, where it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    /// What the loop made of the audit, where that is its last one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<AuditEnd>,
}

/// What a loop makes of its last audit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AuditEnd {
    /// Nothing was found.
    Approved,
    /// It is no better than the one before.
    Stalled,
    /// It was the last one that was allowed, and what it found is left.
    UsedUp,
}

impl AuditLogged {
    /// An audit that found nothing.
    pub fn approved(iteration: u32) -> Self {
        Self { iteration, end: Some(AuditEnd::Approved), ..Self::default() }
    }

    /// An audit that is no better than the one before.
    pub fn stalled(iteration: u32, found: usize) -> Self {
        let found = u32::try_from(found).unwrap_or(u32::MAX);
        Self { iteration, found, end: Some(AuditEnd::Stalled), ..Self::default() }
    }

    /// An audit after which no iteration is left.
    pub fn used_up(iteration: u32, found: usize) -> Self {
        let found = u32::try_from(found).unwrap_or(u32::MAX);
        Self { iteration, found, end: Some(AuditEnd::UsedUp), ..Self::default() }
    }
}
