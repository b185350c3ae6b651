//! What is not done, in words: why the last claim was rejected, what fails, what is open.

use windlass_core::{
    event::Event,
    findings::Status,
    view::{Fate, LoopView},
};

use crate::{
    commands::why::LastClaim,
    report::{
        ending::{Standing, State},
        paint::Paint,
        progress,
        words::{self, finding},
    },
};

/// How many findings and tasks are named.
const MOST: usize = 5;

/// The lines; none where it ended well.
pub(super) fn lines(view: &LoopView, standing: &Standing, history: &[Event]) -> Vec<String> {
    if matches!(&standing.state, State::Ended(ending) if ending.is_success()) {
        return Vec::new();
    }
    let paint = Paint::default();
    let mut lines = Vec::new();
    if let Some(Fate::Rejected { reasons }) = view.claim.as_ref().map(|claim| &claim.fate) {
        lines.extend(words::rejected("last claim rejected:", reasons, paint));
        let claim = LastClaim::of(view, history);
        lines.extend(claim.iter().flat_map(|claim| claim.lines(true, paint)));
    }
    lines.extend(progress::of(view).map(|(_, words)| words));
    let open = view.ledger.entries().iter().filter(|entry| entry.status != Status::Fixed);
    let open = open.map(|entry| finding(&entry.finding, paint)).collect();
    lines.extend(some("finding", open));
    let left = view.tasks.as_ref().map(|tasks| tasks.left.clone()).unwrap_or_default();
    lines.extend(some("open task", left));
    lines
}

fn some(what: &str, all: Vec<String>) -> Vec<String> {
    let more = all.len().saturating_sub(MOST);
    let mut lines: Vec<String> =
        all.iter().take(MOST).map(|one| format!("{what}: {}", one.trim())).collect();
    lines.extend((more > 0).then(|| format!("{what}: and {more} more")));
    lines
}
