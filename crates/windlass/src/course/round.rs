//! What one iteration came to, before it is closed.

use windlass_core::{
    event::{ClaimFate, IterationSummary},
    evidence::Evidence,
    step::SessionReport,
};

use crate::{
    proof::{Hearing, Judged},
    run::Seen,
};

/// What a session left behind, before anything is judged.
pub(crate) struct Worked {
    /// What the session came to.
    pub session: SessionReport,
    /// The tree that it left.
    pub seen: Seen,
    /// What speaks against its claim, whatever the checks say: a clause each.
    pub objections: Vec<String>,
    /// The task that its report of being blocked counts for, where others can go on.
    pub blocked_task: Option<String>,
}

/// What one iteration came to.
pub(crate) struct Round {
    /// The tree that it leaves.
    pub seen: Seen,
    /// What became of its claim.
    pub hearing: Hearing,
    /// Whether an accepted claim is about a part of the work, so that the loop goes on.
    pub in_part: bool,
    /// How its sessions failed, where they did.
    pub failure: Option<String>,
    /// What windlass saw in it.
    pub evidence: Evidence,
}

impl Round {
    /// An iteration whose work was done by one session.
    pub(crate) fn of(session: &SessionReport, seen: Seen, hearing: Hearing) -> Self {
        let mut evidence = Evidence::of(session, &hearing.checks);
        evidence.only_numbers = seen.only_numbers;
        evidence.rejected_only_for.clone_from(&hearing.only_for);
        Self { seen, hearing, in_part: false, failure: session.failure(), evidence }
    }

    /// An iteration that several sessions worked in, which were judged one by one.
    pub(crate) fn without_session(seen: Seen, hearing: Hearing) -> Self {
        let mut evidence = Evidence { only_numbers: seen.only_numbers, ..Evidence::default() };
        evidence.add_checks(&hearing.checks);
        Self { seen, hearing, in_part: false, failure: None, evidence }
    }

    pub(super) fn summary(&self, iteration: u32, head: Option<String>) -> IterationSummary {
        IterationSummary {
            iteration,
            tree: self.seen.tree(),
            head,
            files_changed: self.seen.changed,
            lines_changed: self.seen.lines,
            files_modified: self.seen.modified,
            claim: match self.hearing.judged {
                Judged::None => ClaimFate::None,
                Judged::Accepted { .. } if self.in_part => ClaimFate::AcceptedInPart,
                Judged::Accepted { .. } => ClaimFate::Accepted,
                Judged::Rejected(_) => ClaimFate::Rejected,
            },
            failure: self.failure.clone(),
            evidence: self.evidence.clone(),
            duration_ms: 0,
        }
    }
}
