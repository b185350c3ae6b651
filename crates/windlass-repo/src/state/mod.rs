//! What a session left behind in the user's repository that could run code or hide work.
//!
//! [`Watch`] takes the state of a repository down before a session (`place`, with a file for each part
//! of it), looks again after it, and tells what the differences could do (`describe`). Everything is
//! read as data: nothing of the repository acts, no link is followed, no size is trusted. What was
//! read once is read again only if its stat data changed. The state before is kept in windlass's own
//! directory (`kept`), so that what a killed loop left is told when it is resumed or cancelled.

mod config;
mod describe;
mod fact;
mod git_dir;
mod index;
mod inner;
mod jj;
mod kept;
mod look;
mod operations;
mod place;
mod refs;
mod words;

pub use self::{kept::untold, place::Place};

use std::path::Path;

use serde::{Deserialize, Serialize};
use windlass_core::event::{LeftBehind, Leftovers};

use self::{
    describe::describe,
    fact::State,
    kept::{Kept, Shelf},
    place::Memory,
};

/// So many things are listed; the rest is counted.
const MOST: usize = 100;

/// Watches the state of a repository over the sessions of a loop.
pub struct Watch {
    place: Place,
    shelf: Shelf,
    memory: Memory,
    loop_id: String,
    /// How everything was before agents changed it; `None` before the first session.
    origin: Option<State>,
    /// How everything was after the last session.
    last: Option<State>,
    stored: Option<Kept>,
}

/// What a loop finds when it begins, or goes on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resumed {
    /// Whether the list goes on from where the loop had left it.
    pub goes_on: bool,
    /// What was left behind until now.
    pub entries: Vec<LeftBehind>,
    /// How many more there are.
    pub left_out: u32,
    /// Another loop that was cut off here, and whose list this is.
    pub of: Option<String>,
}

impl Watch {
    /// Watches a place; `own` is windlass's own directory for it.
    pub fn new(place: Place, own: &Path) -> Self {
        let (shelf, memory) = (Shelf::new(own), Memory::default());
        let loop_id = String::new();
        Self { place, shelf, memory, loop_id, origin: None, last: None, stored: None }
    }

    /// Begins for a loop: what it, or another that was cut off here, has left behind.
    pub fn resume(&mut self, loop_id: &str, nested: &[Vec<u8>]) -> Resumed {
        let of_another = self.take_up(loop_id);
        if let Some(kept) = of_another {
            let now = self.look(nested);
            let (entries, left_out) = self.list(&kept.origin, &now);
            return Resumed { goes_on: false, entries, left_out, of: Some(kept.loop_id) };
        }
        let Some(origin) = self.origin.take() else { return Resumed::default() };
        let now = match self.last.take() {
            Some(last) => last,
            None => self.look(nested),
        };
        let (entries, left_out) = self.list(&origin, &now);
        (self.origin, self.last) = (Some(origin), Some(now));
        Resumed { goes_on: true, entries, left_out, of: None }
    }

    /// Takes the state down before a session. What changed since the last one was not an agent's doing.
    pub fn begin(&mut self, loop_id: &str, nested: &[Vec<u8>]) {
        drop(self.take_up(loop_id));
        let now = self.look(nested);
        let origin = match (self.origin.take(), self.last.take()) {
            (Some(mut origin), Some(last)) => {
                origin.take_over(&last, &now);
                origin
            }
            (Some(origin), None) => origin,
            (None, _) => now,
        };
        self.origin = Some(origin.clone());
        self.store(true, origin, None);
    }

    /// What was left behind until now.
    pub fn compare(&mut self, loop_id: &str, nested: &[Vec<u8>]) -> Leftovers {
        drop(self.take_up(loop_id));
        let Some(origin) = self.origin.take() else { return Leftovers::default() };
        let now = self.look(nested);
        let (entries, left_out) = self.list(&origin, &now);
        (self.origin, self.last) = (Some(origin), Some(now));
        Leftovers { entries, left_out }
    }

    /// The loop came to its end, and everything was told.
    pub fn close(&mut self, loop_id: &str) {
        drop(self.take_up(loop_id));
        let Some(origin) = self.origin.clone() else { return };
        let last = self.last.clone().filter(|last| *last != origin);
        self.store(false, origin, last);
    }

    /// Goes on with what was kept for a loop, unless that is known already: a helper that was killed
    /// is another one now. Gives what was kept for another loop that was cut off.
    fn take_up(&mut self, loop_id: &str) -> Option<Kept> {
        if self.loop_id == loop_id {
            return None;
        }
        loop_id.clone_into(&mut self.loop_id);
        (self.origin, self.last, self.stored) = (None, None, None);
        let kept = self.shelf.load()?;
        if kept.loop_id != loop_id {
            return kept.is_open.then_some(kept);
        }
        self.origin = Some(kept.origin.clone());
        if !kept.is_open {
            self.last = kept.last.clone().or_else(|| Some(kept.origin.clone()));
        }
        self.stored = Some(kept);
        None
    }

    fn look(&mut self, nested: &[Vec<u8>]) -> State {
        self.place.look(nested, &mut self.memory)
    }

    fn list(&self, origin: &State, now: &State) -> (Vec<LeftBehind>, u32) {
        let mut found = describe(origin, now, self.place.own_head().as_deref());
        let left_out = u32::try_from(found.len().saturating_sub(MOST)).unwrap_or(u32::MAX);
        found.truncate(MOST);
        (found, left_out)
    }

    /// Keeps what is not kept so already. Where that fails, what a killed loop left is not found.
    fn store(&mut self, is_open: bool, origin: State, last: Option<State>) {
        let (loop_id, place) = (self.loop_id.clone(), self.place.clone());
        let kept = Kept { loop_id, place, is_open, origin, last };
        if self.stored.as_ref() != Some(&kept) && self.shelf.store(&kept).is_ok() {
            self.stored = Some(kept);
        }
    }
}
