//! A loop as a screen follows it: what its events came to so far, and what came since. It reads the
//! store and nothing else, so it works for loops of other processes and of last week.

use windlass::{
    event::Event,
    ids::LoopId,
    store::{Store, StoreError},
    view::{LoopView, Trail},
};

/// How many events are read at once.
const PAGE: usize = 200;

/// A loop that is followed.
#[derive(Clone, Debug)]
pub(crate) struct Followed {
    id: LoopId,
    /// How it stands.
    pub(crate) view: LoopView,
    /// What each iteration came to.
    pub(crate) trail: Trail,
    seen: u64,
}

impl Followed {
    /// Takes in what happened so far, but for the words of agents: those of a long night would
    /// cost more than all the rest.
    pub(crate) fn open(store: &Store, id: &LoopId) -> Result<Self, StoreError> {
        // What is stored between the two reads comes with the first news.
        let seen = store.get(id)?.map_or(0, |record| record.last_seq);
        let history = store.history(id)?;
        let mut followed = Self::new(id.clone());
        history.iter().filter(|event| event.seq <= seen).for_each(|event| followed.apply(event));
        followed.seen = seen;
        Ok(followed)
    }

    /// What came since, at most `most` events, taken in.
    pub(crate) fn news(&mut self, store: &Store, most: usize) -> Result<Vec<Event>, StoreError> {
        let events = store.events(&self.id, self.seen, most)?;
        events.iter().for_each(|event| self.apply(event));
        Ok(events)
    }

    /// Takes in what came since, but for the words of agents, however many they are; whether
    /// something came.
    pub(crate) fn catch_up(&mut self, store: &Store) -> Result<bool, StoreError> {
        let before = self.seen;
        loop {
            let events = store.history_after(&self.id, self.seen, PAGE)?;
            events.iter().for_each(|event| self.apply(event));
            if events.len() < PAGE {
                return Ok(self.seen != before);
            }
        }
    }

    /// The number of the last event that was taken in.
    pub(crate) fn seen(&self) -> u64 {
        self.seen
    }

    /// A loop of which nothing is known yet.
    pub(crate) fn new(id: LoopId) -> Self {
        Self { id, view: LoopView::default(), trail: Trail::default(), seen: 0 }
    }

    /// Takes one more event in.
    pub(crate) fn apply(&mut self, event: &Event) {
        self.view.apply(event);
        self.trail.apply(event);
        self.seen = event.seq;
    }
}
