//! Hands each report of the guardian to the one who waits for it.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use tokio::sync::mpsc;

use super::protocol::Report;

/// Who waits for which report.
#[derive(Default)]
pub(super) struct Reports(Mutex<Waiting>);

#[derive(Default)]
struct Waiting {
    sessions: HashMap<u64, mpsc::UnboundedSender<Report>>,
    gone: bool,
}

impl Reports {
    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn enter(&self, id: u64) -> mpsc::UnboundedReceiver<Report> {
        let (sender, receiver) = mpsc::unbounded_channel();
        let mut waiting = self.lock();
        if !waiting.gone {
            waiting.sessions.insert(id, sender);
        }
        receiver
    }

    pub(super) fn leave(&self, id: u64) {
        self.lock().sessions.remove(&id);
    }

    pub(super) fn give(&self, report: Report) {
        if let Some(session) = self.lock().sessions.get(&report.id()) {
            // Whoever does not wait any more does not need to know.
            drop(session.send(report));
        }
    }

    /// Everyone who waits learns that nothing will come.
    pub(super) fn give_up(&self) {
        let mut waiting = self.lock();
        waiting.gone = true;
        waiting.sessions.clear();
    }
}
