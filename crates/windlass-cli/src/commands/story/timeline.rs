//! What happened in a loop, in order, a line each.

use std::collections::BTreeMap;

use windlass_core::event::{Event, EventKind};
use windlass_store::store::IterationRecord;

use crate::{commands::show, present::Moment, report::paint::Paint, text};

/// How many moments are told; of more, the last ones.
const MOST: usize = 300;

/// The moments, oldest first.
pub(super) fn moments(iterations: &[IterationRecord], history: &[Event]) -> Vec<Moment> {
    let mut moments: Vec<Moment> = history.iter().filter_map(happened).collect();
    let failures: BTreeMap<u32, &str> = history.iter().filter_map(failed).collect();
    moments.extend(iterations.iter().map(|one| iterated(one, failures.get(&one.number).copied())));
    moments.sort_by_key(|moment| moment.at);
    let earlier = moments.len().saturating_sub(MOST);
    let last = moments.drain(..earlier).next_back();
    if let Some(last) = last {
        moments.insert(0, Moment { words: format!("(and {earlier} before)"), ..last });
    }
    moments
}

fn happened(event: &Event) -> Option<Moment> {
    let words = match &event.kind {
        EventKind::LoopStarted { .. } => "started".to_owned(),
        EventKind::LoopResumed { .. } => "resumed".to_owned(),
        EventKind::RuleTripped { rule, reason, .. } => format!("rule {rule} tripped: {reason}"),
        EventKind::StopRequested { by, .. } => format!("asked to stop by {by}"),
        EventKind::RolledBack { iteration: 0, .. } => {
            "files restored to those before the loop".to_owned()
        }
        EventKind::RolledBack { iteration, .. } => {
            format!("files restored to those after iteration {iteration}")
        }
        EventKind::LoopFinished { ending } => format!("ended: {}", ending.word().replace('_', " ")),
        _ => return None,
    };
    Some(Moment { at: event.at, words })
}

/// The number of an iteration whose session failed, and why.
fn failed(event: &Event) -> Option<(u32, &str)> {
    let EventKind::IterationFinished(summary) = &event.kind else { return None };
    Some((summary.iteration, summary.failure.as_deref()?))
}

fn iterated(one: &IterationRecord, failure: Option<&str>) -> Moment {
    let mut facts: Vec<String> = one.duration_ms.map(text::millis).into_iter().collect();
    if one.tree.is_some() {
        facts.push(format!("{} changed", text::count(one.files_changed, "file")));
    }
    facts.extend(failure.map(|why| format!("failed: {why}")));
    let checks = one.checks.iter().chain(&one.originals);
    facts.extend(checks.filter_map(|check| show::check(check, Paint::default()).pop()));
    facts.extend(match one.claim.as_deref() {
        Some("accepted") => Some("claim accepted".to_owned()),
        Some("accepted_in_part") => Some("claim accepted in part".to_owned()),
        Some("rejected") => Some("claim rejected".to_owned()),
        Some("cut_off") => Some("cut off".to_owned()),
        _ => None,
    });
    Moment { at: one.started_at, words: format!("iteration {}: {}", one.number, facts.join(", ")) }
}
