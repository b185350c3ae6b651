//! The parts of a [`super::LoopView`] that have states of their own.

use crate::{ending::ClaimedBy, step::WaitFor, time::Timestamp};

/// What a loop does now.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Phase {
    /// It gets ready for its next step.
    #[default]
    Starting,
    /// An agent works.
    Session {
        /// In whose part.
        role: String,
    },
    /// A check runs.
    Check {
        /// Its command.
        command: String,
    },
    /// The work tree is recorded or compared.
    Snapshot,
    /// It waits.
    Waiting {
        /// Until when.
        until: Timestamp,
        /// What kind of wait it is.
        what: WaitFor,
        /// What for.
        reason: String,
    },
    /// It commits.
    Committing,
    /// It is over.
    Ended,
}

/// A claim, and what became of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Claim {
    /// In which iteration.
    pub iteration: u32,
    /// What claimed.
    pub by: ClaimedBy,
    /// What became of it.
    pub fate: Fate,
}

/// What became of a claim.
#[derive(Clone, Debug, PartialEq)]
pub enum Fate {
    /// It is looked into.
    Open,
    /// It was not accepted.
    Rejected {
        /// Why, a line each.
        reasons: Vec<String>,
    },
    /// It was accepted.
    Accepted {
        /// How many checks passed; 0 means unverified.
        checks: u32,
        /// The tree that the proof is bound to.
        tree: Option<String>,
    },
}

/// One check of this iteration.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckView {
    /// Its command.
    pub command: String,
    /// Whether it passed; `None` while it runs.
    pub passed: Option<bool>,
}

/// Whether a rule warned or tripped.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Circuit {
    /// All is well.
    #[default]
    Closed,
    /// A rule is one short of tripping.
    HalfOpen {
        /// Its name.
        rule: String,
        /// What it saw.
        reason: String,
    },
    /// A rule tripped.
    Open {
        /// Its name.
        rule: String,
        /// What it saw.
        reason: String,
    },
}
