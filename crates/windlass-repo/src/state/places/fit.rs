//! Bounds the number of marks: all of them go into every snapshot that is stored.

use std::collections::BTreeMap;

use sha2::{Digest, Sha256};
use windlass_core::evidence::{PlaceKind, PlaceMark};

use super::mark::digest;

/// So many marks of a kind are told; those of all kinds are 64.
const fn most(kind: PlaceKind) -> usize {
    match kind {
        PlaceKind::Head => 1,
        PlaceKind::Branch => 32,
        PlaceKind::Stash => 8,
        PlaceKind::Worktree => 7,
        PlaceKind::Submodule | PlaceKind::Nested => 8,
        PlaceKind::Ignored | PlaceKind::Unknown => 0,
    }
}

/// The marks in their order, those that are the same once. Where there are too many of a kind, some
/// stand together in one mark.
///
/// Which ones do is decided by their names alone (and in the stash, which has no names, by what they
/// hold), so that a change in one place changes one mark. Only a number of places that rises above the
/// limit, or falls below it, changes marks of places that stayed the same, once.
pub(super) fn fit(marks: Vec<PlaceMark>) -> Vec<PlaceMark> {
    let mut by_kind: BTreeMap<PlaceKind, Vec<PlaceMark>> = BTreeMap::new();
    for mark in marks {
        by_kind.entry(mark.kind).or_default().push(mark);
    }
    let mut fitting = Vec::new();
    for (kind, mut marks) in by_kind {
        marks.sort_unstable_by(|one, other| {
            (&one.name, &one.holds).cmp(&(&other.name, &other.holds))
        });
        marks.dedup();
        if marks.len() > most(kind) {
            marks = put_together(marks, most(kind));
        }
        fitting.extend(marks);
    }
    fitting
}

fn put_together(marks: Vec<PlaceMark>, most: usize) -> Vec<PlaceMark> {
    let mut slots: BTreeMap<usize, Vec<PlaceMark>> = BTreeMap::new();
    for mark in marks {
        let key = if mark.name.is_empty() { &mark.holds } else { &mark.name };
        let slot = usize::from(Sha256::digest(key)[0]).checked_rem(most).unwrap_or_default();
        slots.entry(slot).or_default().push(mark);
    }
    let mut fitting: Vec<PlaceMark> = slots.into_values().filter_map(one_of).collect();
    fitting
        .sort_unstable_by(|one, other| (&one.name, &one.holds).cmp(&(&other.name, &other.holds)));
    fitting
}

/// One mark for several places: it is called by the first of them.
fn one_of(mut marks: Vec<PlaceMark>) -> Option<PlaceMark> {
    if marks.len() < 2 {
        return marks.pop();
    }
    let texts: Vec<&str> = marks.iter().flat_map(|mark| [&*mark.name, &*mark.holds]).collect();
    let holds = digest(&texts);
    let more = marks.len() - 1;
    let PlaceMark { kind, name, .. } = marks.swap_remove(0);
    let name = if name.is_empty() { name } else { format!("{name} and {more} more") };
    Some(PlaceMark { kind, name, holds })
}
