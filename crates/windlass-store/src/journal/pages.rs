//! What is taken down and not written yet, and the one way to write it.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use windlass_core::{
    event::{Event, EventKind},
    ids::LoopId,
    rules::{Judgement, RuleBook, Trip, is_limit},
    secrets::Secrets,
    stop::{StopLevel, StopReason},
    time::millis,
};
use windlass_system::{clock::Clock, stop::Stop};

use super::{JournalFailed, cleaning::without_secrets};
use crate::{
    report::Reporter,
    store::{Durability, Store, StoreError},
};

/// The facts of one loop, on their way into the store.
pub(super) struct Pages {
    pub(super) store: Store,
    pub(super) id: LoopId,
    pub(super) epoch: u64,
    /// Held by the one who writes, for as long as it takes: facts are written in their order. Those
    /// who only take a fact down need not wait for it.
    turn: Mutex<()>,
    open: Mutex<Open>,
    stop: Stop,
    pub(super) clock: Clock,
}

/// What the time of this run is counted from.
struct ThisRun {
    /// How long the loop was run before.
    before_ms: u64,
    /// When this run began, since boot.
    begun: Duration,
}

/// What changes with every fact.
pub(super) struct Open {
    id: LoopId,
    clock: Clock,
    run: ThisRun,
    next_seq: u64,
    pending: Vec<Event>,
    /// How many bytes of agents' words are pending.
    pub(super) words: usize,
    pub(super) secrets: Arc<Secrets>,
    pub(super) reporters: Vec<Box<dyn Reporter>>,
    pub(super) rules: RuleBook,
    pub(super) trips: Vec<Trip>,
    pub(super) failure: Option<StoreError>,
}

impl Pages {
    pub(super) fn new(
        store: Store,
        id: LoopId,
        (epoch, last_seq): (u64, u64),
        stop: Stop,
        clock: Clock,
    ) -> Self {
        // A store that does not answer now fails with the first fact.
        let before_ms = store.get(&id).ok().flatten().map_or(0, |record| record.active_ms);
        let run = ThisRun { before_ms, begun: clock.since_boot() };
        let open = Open {
            id: id.clone(),
            clock: clock.clone(),
            run,
            next_seq: last_seq + 1,
            pending: Vec::new(),
            words: 0,
            secrets: Arc::default(),
            reporters: Vec::new(),
            rules: RuleBook::default(),
            trips: Vec::new(),
            failure: None,
        };
        Self { store, id, epoch, turn: Mutex::new(()), open: Mutex::new(open), stop, clock }
    }

    /// Writes what was taken down up to that number, then shows it, then lets the rules look.
    pub(super) fn flush(&self, up_to: u64, durability: Durability) -> Result<(), JournalFailed> {
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        // What the rules have to say is one more fact, written like any other.
        loop {
            let mut open = self.open();
            if open.failure.is_some() {
                return Err(JournalFailed);
            }
            let mut events = open.take(up_to);
            if events.is_empty() {
                return Ok(());
            }
            drop(open);
            let stored = self.store.append(&self.id, self.epoch, &events, durability);
            // Shown as they are read from the store, which has no measure for each of an agent's words.
            let said = |event: &&mut Event| matches!(event.kind, EventKind::AgentSaid { .. });
            events.iter_mut().filter(said).for_each(|event| event.ran_ms = None);
            match stored {
                // Between any two of them others may take facts down.
                Ok(()) => events.iter().for_each(|event| self.open().written(event)),
                Err(error) => self.fail(error, StopLevel::End),
            }
            if !self.open().trips.is_empty() {
                self.stop.raise(StopLevel::AfterIteration, StopReason::Tripped);
            }
        }
    }

    /// Notes that there is no going on.
    pub(super) fn fail(&self, error: StoreError, level: StopLevel) {
        self.open().fail(error, level, &self.stop);
    }

    pub(super) fn open(&self) -> MutexGuard<'_, Open> {
        // A panic while the lock was held leaves nothing half-done that a reader could misread.
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Open {
    /// Takes a fact down; gives its number.
    pub(super) fn add(&mut self, kind: EventKind) -> u64 {
        let seq = self.next_seq;
        self.next_seq += 1;
        let event = self.event(seq, kind);
        self.pending.push(event);
        seq
    }

    /// The number of the last fact.
    pub(super) fn last_seq(&self) -> u64 {
        self.next_seq - 1
    }

    /// How many facts are pending.
    pub(super) fn count(&self) -> usize {
        self.pending.len()
    }

    /// Shows something that is not kept.
    pub(super) fn show(&mut self, kind: EventKind) {
        let event = self.event(0, kind);
        self.report(&event);
    }

    fn event(&self, seq: u64, kind: EventKind) -> Event {
        let kind = without_secrets(&self.secrets, kind);
        let passed = self.clock.since_boot().saturating_sub(self.run.begun);
        let ran_ms = Some(self.run.before_ms.saturating_add(millis(passed)));
        Event { seq, at: self.clock.now(), ran_ms, loop_id: self.id.clone(), kind }
    }

    /// Takes what is to be written out. What stays has just come, and is little.
    fn take(&mut self, up_to: u64) -> Vec<Event> {
        self.words = 0;
        let count = self.pending.partition_point(|event| event.seq <= up_to);
        if count == self.pending.len() {
            return std::mem::take(&mut self.pending);
        }
        self.pending.drain(..count).collect()
    }

    /// A fact is in the store: it is shown, and the rules look at it.
    fn written(&mut self, event: &Event) {
        self.report(event);
        if matches!(event.kind, EventKind::CircuitReset) {
            self.trips.retain(|trip| is_limit(trip.rule));
        }
        for (rule, judgement) in self.rules.observe(event) {
            let kind = match judgement {
                Judgement::Fine => continue,
                Judgement::Note(text) => EventKind::Noted { text },
                Judgement::Near(reason) => EventKind::RuleWarned { rule: rule.to_owned(), reason },
                judgement @ (Judgement::Trip(_) | Judgement::Leave(..)) => {
                    let Some(trip) = Trip::of((rule, judgement)) else { continue };
                    self.trips.push(trip.clone());
                    let Trip { reason, undecided, .. } = trip;
                    EventKind::RuleTripped { rule: rule.to_owned(), reason, undecided }
                }
            };
            self.add(kind);
        }
    }

    fn report(&mut self, event: &Event) {
        let mut failures = Vec::new();
        self.reporters.retain_mut(|reporter| match reporter.report(event) {
            Ok(()) => true,
            Err(error) => {
                failures.push(format!("a reporter failed and was removed: {error}"));
                false
            }
        });
        for text in failures {
            self.add(EventKind::Noted { text });
        }
    }

    fn fail(&mut self, error: StoreError, level: StopLevel, stop: &Stop) {
        self.failure = Some(error);
        stop.raise(level, StopReason::Journal);
    }
}
