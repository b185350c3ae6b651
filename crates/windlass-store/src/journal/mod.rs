//! The journal: stamps facts, stores them, shows them, and lets the rules look, in this order.
//! The only place that makes events.
//!
//! Facts are gathered and written together: before anything is done in the world, a few times a
//! second while an agent talks, and at the end of each iteration. What is not written is not
//! shown. A fact that is lost with a crash is one that nothing in the world depends on yet.

mod cleaning;
mod pages;
mod writer;

use std::sync::Arc;

use windlass_core::{
    ending::Ending,
    event::{Event, EventKind},
    ids::LoopId,
    rules::{RuleBook, Trip, is_limit, kind_of},
    secrets::Secrets,
    stop::StopLevel,
    time::Timestamp,
};
use windlass_system::{clock::Clock, stop::Stop};

use self::{pages::Pages, writer::Writer};
use crate::{
    report::Reporter,
    store::{Calls, Durability, Request, Store, StoreError},
};

/// The journal can write no more; the loop must end. What happened is kept in the journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JournalFailed;

/// The journal of one loop, held by its one owner.
pub struct Journal {
    pages: Arc<Pages>,
    writer: Writer,
}

/// When so many of an agent's words wait, they are written while it goes on.
const MANY: usize = 512;

/// Fewer are not worth waking anybody for.
const SOME: usize = 64;

/// When so many bytes of an agent's words wait, nothing more is heard until they are written.
const FULL: usize = 256 * 1024;

/// All that was taken down.
const ALL: u64 = u64::MAX;

impl Journal {
    /// The journal of loop `id`, whose last event has number `last_seq`.
    pub fn new(store: Store, id: LoopId, epoch: u64, last_seq: u64, stop: Stop) -> Self {
        Self::with_clock(store, id, epoch, last_seq, stop, Clock::default())
    }

    /// The same, by a clock of the caller's choice.
    pub fn with_clock(
        store: Store,
        id: LoopId,
        epoch: u64,
        last_seq: u64,
        stop: Stop,
        clock: Clock,
    ) -> Self {
        let pages = Pages::new(store, id, (epoch, last_seq), stop, clock);
        Self { pages: Arc::new(pages), writer: Writer::default() }
    }

    /// Sets what is secret, and goes no further than here.
    pub fn set_secrets(&self, secrets: &Arc<Secrets>) {
        self.pages.open().secrets = Arc::clone(secrets);
    }

    /// Adds someone who shows events.
    pub fn add_reporter(&self, reporter: Box<dyn Reporter>) {
        self.pages.open().reporters.push(reporter);
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
                // An agent that failed in the last allowed iteration has another try.
                EventKind::LoopFinished { ending: Ending::AgentFailed { .. } } => {
                    trips.retain(|trip| kind_of(trip.rule).is_some());
                }
                EventKind::LoopFinished { .. }
                | EventKind::CircuitReset
                | EventKind::IterationStarted { .. } => trips.retain(|trip| is_limit(trip.rule)),
                // The limits are judged again here, as all rules are.
                EventKind::IterationFinished(_) => trips.clear(),
                _ => (),
            }
            trips.extend(rules.observe(event).into_iter().filter_map(Trip::of));
        }
        let mut open = self.pages.open();
        open.rules = rules;
        open.trips = trips;
    }

    /// Takes a fact down. It is written with the next [`Journal::flush`].
    pub fn emit(&self, kind: EventKind) {
        self.pages.open().add(kind);
    }

    /// Takes an agent's words down. Where there are many, they are written meanwhile; no fact that
    /// comes later is, for what it needs to be safe from is not known yet.
    pub fn emit_said(&self, kind: EventKind, bytes: usize) -> Result<(), JournalFailed> {
        let mut open = self.pages.open();
        let seq = open.add(kind);
        open.words += bytes;
        let (is_full, are_many) = (open.words >= FULL, open.count().is_multiple_of(MANY));
        drop(open);
        if is_full || (are_many && !self.writer.ask(&self.pages, seq, Durability::Process)) {
            return self.flush(Durability::Process);
        }
        Ok(())
    }

    /// Has agents' words made safe while something else is done, where they are worth it: what comes
    /// after them does not wait for so much then.
    pub fn flush_meanwhile(&self) {
        let open = self.pages.open();
        let (last, are_some) = (open.last_seq(), open.count() >= SOME);
        drop(open);
        if are_some {
            // Without anybody to do it they are written later.
            self.writer.ask(&self.pages, last, Durability::Power);
        }
    }

    /// Shows something that is not kept.
    pub fn show(&self, kind: EventKind) {
        self.pages.open().show(kind);
    }

    /// Writes what was taken down, then shows it, then lets the rules look.
    pub fn flush(&self, durability: Durability) -> Result<(), JournalFailed> {
        self.pages.flush(ALL, durability)
    }

    /// The rules that tripped.
    pub fn trips(&self) -> Vec<Trip> {
        self.pages.open().trips.clone()
    }

    /// Why the journal can write no more.
    pub fn take_failure(&self) -> Option<StoreError> {
        self.pages.open().failure.take()
    }

    /// What other processes ask of this loop; notices too when another owner has taken it over.
    pub fn requests(&self) -> Vec<Request> {
        let Pages { store, id, epoch, .. } = &*self.pages;
        let taken = match store.get(id) {
            Ok(Some(record)) if record.epoch != *epoch => Err(StoreError::Stale { id: id.clone() }),
            Ok(_) => store.take_requests(id),
            Err(error) => Err(error),
        };
        match taken {
            Ok(requests) => requests,
            // A look that fails otherwise is tried again; a write that fails is noticed there.
            Err(error @ StoreError::Stale { .. }) => {
                self.pages.fail(error, StopLevel::Kill);
                Vec::new()
            }
            Err(_) => Vec::new(),
        }
    }

    /// The clock that facts are stamped with, and that the loop goes by.
    pub fn clock(&self) -> &Clock {
        &self.pages.clock
    }

    /// When sessions were started since `since`, over all loops, the latest first.
    pub fn calls(&self, calls: Calls, since: Timestamp) -> Result<Vec<Timestamp>, JournalFailed> {
        self.pages.store.calls(calls, since).map_err(|error| {
            self.pages.fail(error, StopLevel::End);
            JournalFailed
        })
    }

    /// Gives the store back when the loop is over.
    pub fn into_store(self) -> Store {
        let Self { pages, writer } = self;
        writer.close();
        Arc::into_inner(pages).expect("nobody else has it when the writer is gone").store
    }
}
