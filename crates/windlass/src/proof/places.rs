//! Where the steps of a proof stand in the journal.

use std::fmt::Display;

use windlass_core::ids::Place;

/// The places of one proof.
#[derive(Clone, Debug)]
pub(crate) struct Places {
    pub(crate) iteration: u32,
    /// The number of the proof in its iteration, where there may be several; 0 for the only one.
    pub(super) round: u32,
    /// Before the names of all steps.
    base: String,
    /// Before the numbers of the checks as they first run.
    first: String,
}

impl Places {
    /// Of a claim, and of the work of an iteration that is proven once.
    pub(crate) fn of_claim(iteration: u32) -> Self {
        Self { iteration, round: 0, base: String::new(), first: "check".to_owned() }
    }

    /// Of a look at the checks, where nothing is proven.
    pub(super) fn of_look(iteration: u32) -> Self {
        Self { iteration, round: 0, base: "look/".to_owned(), first: "look".to_owned() }
    }

    /// Of tests that run again and again in an iteration.
    pub(crate) fn of_tests(iteration: u32, round: u32) -> Self {
        let first = format!("test/{round}");
        Self { iteration, round, base: format!("{first}/"), first }
    }

    pub(super) fn of(&self, what: impl Display) -> Place {
        Place::new(self.iteration, format_args!("{}{what}", self.base))
    }

    /// A check as it first runs.
    pub(super) fn first(&self, number: usize) -> Place {
        Place::new(self.iteration, format_args!("{}/{number}", self.first))
    }
}
