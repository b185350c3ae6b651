//! What a loop knows of its earlier owners: what they did, and what they gave up.

use windlass_core::{event::EventKind, ids::Place, rules::Trip, time::Timestamp};
use windlass_store::store::Calls;

use super::Run;
use crate::halt::Halt;

impl Run<'_> {
    /// Takes a fact down that an iteration came to after its end, once.
    pub(crate) fn note_after(&self, iteration: u32, kind: EventKind) {
        self.note(iteration + 1, kind);
    }

    /// Whether a rule has tripped that decides on the ending also in the last allowed iteration.
    pub(crate) fn is_given_up(&self) -> bool {
        self.journal.trips().iter().any(Trip::goes_before_the_limit)
    }

    /// Whether a task was escalated after that iteration; `None` where that is yet to be decided.
    pub(crate) fn was_escalated(&self, iteration: u32) -> Option<bool> {
        if self.past.escalated.contains(&iteration) {
            return Some(true);
        }
        let went_on = self.has_begun(iteration + 1) || self.was_given_up(iteration);
        went_on.then_some(false)
    }

    /// Whether the loop was given up after that iteration, for the agent kept failing.
    pub(crate) fn was_given_up(&self, iteration: u32) -> bool {
        self.past.given_up.contains(&iteration)
    }

    /// Whether an earlier owner has begun that iteration.
    pub(crate) fn has_begun(&self, iteration: u32) -> bool {
        iteration <= self.past.started
    }

    /// The task that an earlier owner worked on in that iteration, where one was given out.
    pub(crate) fn task_at(&self, iteration: u32) -> Option<&str> {
        self.past.tasks.get(&iteration).map(String::as_str)
    }

    /// Whether an earlier owner has done the step there.
    pub(crate) fn is_done(&self, place: &Place) -> bool {
        self.past.steps.contains_key(place)
    }

    /// The agent that an earlier owner called there.
    pub(crate) fn agent_at(&self, place: &Place) -> Option<&str> {
        self.past.agents.get(place).map(String::as_str)
    }

    /// Whether an earlier owner has begun to wait there.
    pub(crate) fn has_begun_to_wait(&self, place: &Place) -> bool {
        self.past.waits.contains_key(place)
    }

    /// When sessions were started since `since`, over all loops, the latest first.
    pub(crate) fn calls(&self, calls: Calls, since: Timestamp) -> Result<Vec<Timestamp>, Halt> {
        Ok(self.journal.calls(calls, since)?)
    }
}
