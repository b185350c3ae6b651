//! The journal: stamps facts, stores them, shows them, and lets the rules look, in this order.
//! The only place that makes events.
//!
//! Facts are gathered and written together: before anything is done in the world, a few times a
//! second while an agent talks, and at the end of each iteration. What is not written is not
//! shown. A fact that is lost with a crash is one that nothing in the world depends on yet.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::{
    event::{Event, EventKind},
    ids::LoopId,
    report::Reporter,
    rules::{Judgement, RuleBook, Trip, is_limit},
    said::Said,
    secrets::Secrets,
    stop::{Stop, StopLevel, StopReason},
    store::{Calls, Durability, Request, Store, StoreError},
    time::Timestamp,
};

/// The journal can write no more; the loop must end. What happened is kept in the journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JournalFailed;

/// The journal of one loop, held by its one owner.
pub struct Journal {
    inner: Mutex<Inner>,
    stop: Stop,
}

struct Inner {
    store: Store,
    secrets: Arc<Secrets>,
    id: LoopId,
    epoch: u64,
    next_seq: u64,
    pending: Vec<Event>,
    pending_bytes: usize,
    reporters: Vec<Box<dyn Reporter>>,
    rules: RuleBook,
    trips: Vec<Trip>,
    failure: Option<StoreError>,
}

/// So many bytes of agent's words are gathered before they are written without waiting for more.
const FULL: usize = 256 * 1024;

impl Journal {
    /// The journal of loop `id`, whose last event has number `last_seq`.
    pub fn new(store: Store, id: LoopId, epoch: u64, last_seq: u64, stop: Stop) -> Self {
        let inner = Inner {
            store,
            secrets: Arc::default(),
            id,
            epoch,
            next_seq: last_seq + 1,
            pending: Vec::new(),
            pending_bytes: 0,
            reporters: Vec::new(),
            rules: RuleBook::default(),
            trips: Vec::new(),
            failure: None,
        };
        Self { inner: Mutex::new(inner), stop }
    }

    /// Sets what is secret, and goes no further than here.
    pub fn set_secrets(&self, secrets: &Arc<Secrets>) {
        self.lock().secrets = Arc::clone(secrets);
    }

    /// Adds someone who shows events.
    pub fn add_reporter(&self, reporter: Box<dyn Reporter>) {
        self.lock().reporters.push(reporter);
    }

    /// Sets the rules, which have seen `history`.
    ///
    /// A trip that the loop came to its ending with, or that it went on after, does not end it
    /// again, but one that it was cut off after does. What is used up stays so whatever the ending
    /// was.
    pub fn set_rules(&self, mut rules: RuleBook, history: &[Event]) {
        let mut trips: Vec<Trip> = Vec::new();
        for event in history {
            match &event.kind {
                EventKind::LoopFinished { .. }
                | EventKind::CircuitReset
                | EventKind::IterationStarted { .. } => trips.retain(|trip| is_limit(trip.rule)),
                // The limits are judged again here, as all rules are.
                EventKind::IterationFinished(_) => trips.clear(),
                _ => (),
            }
            trips.extend(rules.observe(event).into_iter().filter_map(Trip::of));
        }
        let mut inner = self.lock();
        inner.rules = rules;
        inner.trips = trips;
    }

    /// Takes a fact down. It is written with the next [`Journal::flush`].
    pub fn emit(&self, kind: EventKind) {
        let mut inner = self.lock();
        let event = inner.stamp(kind);
        inner.pending.push(event);
    }

    /// Takes an agent's words down, and writes when there are many.
    pub fn emit_said(&self, kind: EventKind, bytes: usize) -> Result<(), JournalFailed> {
        let is_full = {
            let mut inner = self.lock();
            let event = inner.stamp(kind);
            inner.pending.push(event);
            inner.pending_bytes += bytes;
            inner.pending_bytes >= FULL
        };
        if is_full { self.flush(Durability::Process) } else { Ok(()) }
    }

    /// Shows something that is not kept.
    pub fn show(&self, kind: EventKind) {
        let mut inner = self.lock();
        let kind = without_secrets(&inner.secrets, kind);
        let event = Event { seq: 0, at: Timestamp::now(), loop_id: inner.id.clone(), kind };
        inner.report(&event);
    }

    /// Writes what was taken down, then shows it, then lets the rules look.
    pub fn flush(&self, durability: Durability) -> Result<(), JournalFailed> {
        let mut inner = self.lock();
        // What the rules have to say is one more fact, written like any other.
        while !inner.pending.is_empty() && inner.failure.is_none() {
            if let Err(error) = inner.write(durability) {
                inner.failure = Some(error);
                self.stop.raise(StopLevel::End, StopReason::Journal);
            }
            if !inner.trips.is_empty() {
                self.stop.raise(StopLevel::AfterIteration, StopReason::Tripped);
            }
        }
        if inner.failure.is_some() { Err(JournalFailed) } else { Ok(()) }
    }

    /// The rules that tripped.
    pub fn trips(&self) -> Vec<Trip> {
        self.lock().trips.clone()
    }

    /// Why the journal can write no more.
    pub fn take_failure(&self) -> Option<StoreError> {
        self.lock().failure.take()
    }

    /// What other processes ask of this loop; notices too when another owner has taken it over.
    pub fn requests(&self) -> Vec<Request> {
        let mut inner = self.lock();
        let taken = match inner.store.get(&inner.id) {
            Ok(Some(record)) if record.epoch != inner.epoch => {
                Err(StoreError::Stale { id: inner.id.clone() })
            }
            Ok(_) => inner.store.take_requests(&inner.id),
            Err(error) => Err(error),
        };
        match taken {
            Ok(requests) => requests,
            // A look that fails otherwise is tried again; a write that fails is noticed there.
            Err(error @ StoreError::Stale { .. }) => {
                inner.failure = Some(error);
                self.stop.raise(StopLevel::Kill, StopReason::Journal);
                Vec::new()
            }
            Err(_) => Vec::new(),
        }
    }

    /// When the session was started that has just so many others after it; see the store.
    pub fn call_before_last(
        &self,
        calls: Calls,
        count: u32,
        since: Timestamp,
    ) -> Result<Option<Timestamp>, JournalFailed> {
        let mut inner = self.lock();
        inner.store.call_before_last(calls, count, since).map_err(|error| {
            inner.failure = Some(error);
            self.stop.raise(StopLevel::End, StopReason::Journal);
            JournalFailed
        })
    }

    /// Gives the store back when the loop is over.
    pub fn into_store(self) -> Store {
        self.inner.into_inner().unwrap_or_else(PoisonError::into_inner).store
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        // A panic while the lock was held leaves nothing half-done that a reader could misread.
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inner {
    fn stamp(&mut self, kind: EventKind) -> Event {
        let seq = self.next_seq;
        self.next_seq += 1;
        let kind = without_secrets(&self.secrets, kind);
        Event { seq, at: Timestamp::now(), loop_id: self.id.clone(), kind }
    }

    fn write(&mut self, durability: Durability) -> Result<(), StoreError> {
        self.store.append(&self.id, self.epoch, &self.pending, durability)?;
        self.pending_bytes = 0;
        for event in std::mem::take(&mut self.pending) {
            self.report(&event);
            if matches!(event.kind, EventKind::CircuitReset) {
                self.trips.retain(|trip| is_limit(trip.rule));
            }
            for (rule, judgement) in self.rules.observe(&event) {
                let kind = match judgement {
                    Judgement::Fine => continue,
                    Judgement::Note(text) => EventKind::Noted { text },
                    Judgement::Near(reason) => {
                        EventKind::RuleWarned { rule: rule.to_owned(), reason }
                    }
                    Judgement::Trip(reason) => {
                        self.trips.push(Trip { rule, reason: reason.clone() });
                        EventKind::RuleTripped { rule: rule.to_owned(), reason }
                    }
                };
                let said = self.stamp(kind);
                self.pending.push(said);
            }
        }
        Ok(())
    }

    fn report(&mut self, event: &Event) {
        let mut failures = Vec::new();
        self.reporters.retain_mut(|reporter| match reporter.report(event) {
            Ok(()) => true,
            Err(error) => {
                failures.push(format!("whoever showed this loop is gone: {error}"));
                false
            }
        });
        for text in failures {
            let said = self.stamp(EventKind::Noted { text });
            self.pending.push(said);
        }
    }
}

/// The same fact without secrets. It goes through here whatever it is: before it is stored, and so
/// before anybody sees it.
fn without_secrets(secrets: &Secrets, mut kind: EventKind) -> EventKind {
    match &mut kind {
        // These are many, and often long.
        EventKind::AgentSaid { said, .. } => {
            clean_words(secrets, said);
            kind
        }
        EventKind::Ticked { last_line, .. } => {
            secrets.clean(last_line);
            kind
        }
        _ => secrets.cleaned(&kind).unwrap_or(kind),
    }
}

fn clean_words(secrets: &Secrets, said: &mut Said) {
    match said {
        Said::Text { text }
        | Said::Problem { text }
        | Said::Raw { text }
        | Said::Stderr { text } => {
            secrets.clean(text);
        }
        Said::ToolUse { name, summary } => {
            secrets.clean(name);
            secrets.clean(summary);
        }
        Said::ToolResult { summary, .. } | Said::Hook { summary, .. } => secrets.clean(summary),
        Said::Usage(_) | Said::Limit { .. } => (),
    }
}
