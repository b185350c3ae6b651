//! Which sessions are in a container just now.

use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// The sessions that are in a container, by their marks.
#[derive(Clone, Debug, Default)]
pub(super) struct Visits(Arc<Mutex<BTreeSet<String>>>);

/// One session in a container. It is over when this is dropped.
#[derive(Debug)]
pub struct Visit {
    visits: Visits,
    mark: String,
}

impl Visits {
    /// One more session.
    pub(super) fn enter(&self) -> Visit {
        let mark = format!("{:016x}", fastrand::u64(..));
        self.marks().insert(mark.clone());
        Visit { visits: self.clone(), mark }
    }

    /// Whether nobody is in it.
    pub(super) fn is_empty(&self) -> bool {
        self.marks().is_empty()
    }

    fn marks(&self) -> MutexGuard<'_, BTreeSet<String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Visit {
    /// What its processes are known by.
    pub(super) fn mark(&self) -> &str {
        &self.mark
    }

    /// Ends it; gives its mark.
    pub(super) fn leave(self) -> String {
        self.mark.clone()
    }
}

impl Drop for Visit {
    fn drop(&mut self) {
        self.visits.marks().remove(&self.mark);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_that_is_forgotten_is_over_too() {
        let visits = Visits::default();
        let (first, second) = (visits.enter(), visits.enter());
        assert_ne!(first.mark(), second.mark());
        drop(first);
        assert!(!visits.is_empty());
        second.leave();
        assert!(visits.is_empty());
    }
}
