//! The store: one SQLite database in windlass's home. The only place that speaks SQL.
//!
//! `events` is the truth. The other tables follow from it, in the same transaction, so that people
//! can ask with plain SQL; see `schema/`. Reading order: `open`, `append`, `project`, `read`.

#![expect(clippy::disallowed_methods, reason = "this is the module that speaks SQL")]

mod agent_trust;
mod append;
mod columns;
mod create;
mod draft;
mod error;
mod events;
mod filesystem;
mod find;
mod migrate;
mod names;
mod open;
mod project;
mod read;
mod records;
mod repair;
mod requests;
mod result;
mod rows;
mod trust;
mod visits;

use std::{
    path::PathBuf,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use rusqlite::Connection;

pub use error::{FindError, StoreError};
pub use records::{
    Calls, CheckRecord, IterationRecord, LoopRecord, MessageRecord, NewLoop, SessionRecord,
    TaskCounts, TaskRecord, Waiting,
};
pub use repair::{Health, Repaired};
pub use windlass_system::ownership::Owner;

/// How safe an append must be when it returns; the safer is the greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Durability {
    /// Survives `kill -9` of windlass; a power cut may lose the last moments.
    Process,
    /// Survives a power cut.
    Power,
}

/// A request from another process to the one that runs a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Request {
    /// Stop after this iteration.
    CancelAfterIteration,
    /// Stop now.
    Cancel,
}

/// How a store is opened.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// How long to wait for another process before giving up.
    pub busy_timeout: Duration,
}

impl Default for Settings {
    fn default() -> Self {
        Self { busy_timeout: Duration::from_secs(5) }
    }
}

/// The open store. It can be shared between threads; calls wait for each other.
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    inner: Mutex<Inner>,
}

#[derive(Debug)]
struct Inner {
    connection: Connection,
    /// What `PRAGMA synchronous` stands at.
    durability: Durability,
}

impl Store {
    /// Runs `work` on the connection and turns what SQLite says into what it means.
    fn with<T>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        work(&self.inner().connection).map_err(|error| error::explain(&self.path, &error))
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        // A panic cannot leave half a write behind: the transaction was rolled back by its drop.
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
