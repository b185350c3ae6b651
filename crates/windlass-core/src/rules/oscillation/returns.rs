//! How often a state comes back that had been left.

use std::collections::{HashMap, HashSet};

/// After this many states in a row that were never there before, earlier returns are forgotten: an attempt
/// that was taken back in a long loop is no circle.
const FORGIVEN: u32 = 10;

/// Counts returns, in halves: another attempt that is taken back to the same state counts half.
#[derive(Clone, Default)]
pub(super) struct Returns {
    /// The states that were there, and the iteration that left each first; 0 is the start.
    seen: HashMap<String, u32>,
    current: Option<String>,
    /// Whether the present state was never there before.
    is_fresh: bool,
    /// The states that fresh attempts were taken back to.
    bases: HashSet<String>,
    number: u32,
    halves: u32,
    /// How many states in a row were never there before.
    fresh: u32,
}

impl Returns {
    /// Starts from a state.
    pub(super) fn start(&mut self, state: &str) {
        *self = Self::default();
        self.seen.insert(state.to_owned(), 0);
        self.current = Some(state.to_owned());
    }

    /// Takes in the state that an iteration left; gives the iteration that had left it before, if it is a
    /// return.
    pub(super) fn observe(&mut self, iteration: u32, state: &str) -> Option<u32> {
        if self.current.as_deref() == Some(state) {
            return None;
        }
        self.current = Some(state.to_owned());
        let was_fresh = std::mem::replace(&mut self.is_fresh, false);
        let Some(&earlier) = self.seen.get(state) else {
            self.seen.insert(state.to_owned(), iteration);
            self.is_fresh = true;
            self.fresh += 1;
            if self.fresh >= FORGIVEN {
                self.forgive();
            }
            return None;
        };
        let is_known_base = was_fresh && !self.bases.insert(state.to_owned());
        self.halves += if is_known_base { 1 } else { 2 };
        self.number += 1;
        self.fresh = 0;
        Some(earlier)
    }

    /// Forgets what was counted.
    pub(super) fn forgive(&mut self) {
        (self.number, self.halves) = (0, 0);
        self.bases.clear();
    }

    /// How many returns there were.
    pub(super) fn number(&self) -> u32 {
        self.number
    }

    /// What they count, in halves.
    pub(super) fn halves(&self) -> u32 {
        self.halves
    }
}
