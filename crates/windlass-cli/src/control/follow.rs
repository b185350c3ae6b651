//! A loop as a screen follows it: what its events came to so far, and what came since. It reads the
//! store and nothing else, so it works for loops of other processes and of last week.

use windlass_core::{
    event::{Event, EventKind},
    ids::LoopId,
    step::StepResult,
    view::{LoopView, Trail},
};
use windlass_store::store::{Store, StoreError};

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
    /// The number of the last event that may have told of another tree: a diff from before it is old.
    pub(crate) tree_seen: u64,
    seen: u64,
}

impl Followed {
    /// Takes in what happened so far, but for the words of agents: those of a long night would
    /// cost more than all the rest.
    pub(crate) fn open(store: &Store, id: &LoopId) -> Result<Self, StoreError> {
        let mut followed = Self::new(id.clone());
        followed.catch_up(store, |_| {})?;
        Ok(followed)
    }

    /// Takes in what came since, but for the words of agents, however many they are, and shows it
    /// to `look`; whether something came.
    pub(crate) fn catch_up(
        &mut self,
        store: &Store,
        mut look: impl FnMut(&Event),
    ) -> Result<bool, StoreError> {
        let before = self.seen;
        loop {
            let events = store.history_after(&self.id, self.seen, PAGE)?;
            for event in &events {
                self.apply(event);
                look(event);
            }
            if events.len() < PAGE {
                return Ok(self.seen != before);
            }
        }
    }

    /// A loop of which nothing is known yet.
    pub(crate) fn new(id: LoopId) -> Self {
        Self { id, view: LoopView::default(), trail: Trail::default(), tree_seen: 0, seen: 0 }
    }

    /// Takes one more event in.
    pub(crate) fn apply(&mut self, event: &Event) {
        self.view.apply(event);
        self.trail.apply(event);
        self.seen = event.seq;
        if tells_of_a_tree(&event.kind) {
            self.tree_seen = event.seq;
        }
    }
}

fn tells_of_a_tree(kind: &EventKind) -> bool {
    match kind {
        EventKind::StepFinished { result, .. } => matches!(result, StepResult::Snapshot { .. }),
        EventKind::IterationFinished(_)
        | EventKind::RolledBack { .. }
        | EventKind::LoopFinished { .. } => true,
        _ => false,
    }
}
