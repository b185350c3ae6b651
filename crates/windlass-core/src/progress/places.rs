//! Which places other than the work tree's files hold what none of them held before.

use std::collections::BTreeSet;

use super::Move;
use crate::evidence::PlaceMark;

/// What the places held.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Places {
    seen: BTreeSet<String>,
    are_known: bool,
}

impl Places {
    /// Takes in how they were before the first session.
    pub(super) fn begin_with(&mut self, places: &[PlaceMark]) {
        self.are_known |= !places.is_empty();
        self.seen.extend(places.iter().map(|place| place.holds.clone()));
    }

    /// Takes in those that changed; gives those that hold something new.
    pub(super) fn observe(&mut self, changed: &[PlaceMark]) -> Vec<Move> {
        self.are_known |= !changed.is_empty();
        let is_new = |place: &&PlaceMark| self.seen.insert(place.holds.clone());
        let moved = changed.iter().filter(is_new);
        moved.map(|place| Move::Place { kind: place.kind, name: place.name.clone() }).collect()
    }

    /// Whether this version of windlass looked at them.
    pub(super) fn are_known(&self) -> bool {
        self.are_known
    }
}
