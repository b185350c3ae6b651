//! What a [`LoopView`] knows of tests and proofs.

use super::{Fate, LoopView};
use crate::event::TestsCounted;

impl LoopView {
    /// How many checks proved the claim that was accepted; 0 means that it is unverified.
    pub fn proving(&self) -> Option<u32> {
        match self.claim.as_ref()?.fate {
            Fate::Accepted { waived: true, .. } => Some(0),
            Fate::Accepted { checks, .. } => Some(checks),
            Fate::Open | Fate::Rejected { .. } => None,
        }
    }

    /// Takes in how many tests a check ran; the last count of each check is kept.
    pub(super) fn counted(&mut self, counted: &TestsCounted) {
        self.tests.retain(|known| known.command != counted.command);
        self.tests.push(counted.clone());
    }
}
