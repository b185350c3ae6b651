//! What `why` tells of words that looked like a claim and did not count.

use serde::Serialize;
use windlass_core::{
    claim::Why,
    event::{Event, EventKind},
};

use crate::{
    report::{paint::Paint, words::near_miss},
    text,
};

/// How many people see.
const SHOWN: usize = 3;

/// Something that looked like a claim.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct NearMiss {
    iteration: u32,
    why: Why,
    text: String,
}

/// All of a loop, in order.
pub(super) fn all(history: &[Event]) -> Vec<NearMiss> {
    let of = |event: &Event| match &event.kind {
        EventKind::NearMiss { iteration, why, text } => {
            Some(NearMiss { iteration: *iteration, why: *why, text: text.clone() })
        }
        _ => None,
    };
    history.iter().filter_map(of).collect()
}

/// The last of them, a line each.
pub(super) fn lines(misses: &[NearMiss], paint: Paint) -> Vec<String> {
    let earlier = misses.len().saturating_sub(SHOWN);
    let mut lines: Vec<String> = misses[earlier..]
        .iter()
        .map(|miss| {
            let words = near_miss(miss.why, &miss.text);
            format!("  {} {words}", paint.warn(&format!("iteration {}:", miss.iteration)))
        })
        .collect();
    if earlier > 0 {
        lines
            .push(paint.faint(&format!("  and {} before", text::count(earlier, "such iteration"))));
    }
    lines
}
