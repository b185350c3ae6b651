//! The store: one SQLite database in windlass's home. The only place that speaks SQL.

mod records;

pub use records::{
    CheckRecord, IterationRecord, LoopRecord, MessageRecord, NewLoop, SessionRecord,
};

use std::path::{Path, PathBuf};

use crate::{event::Event, ids::LoopId, ownership::Owner};

/// How safe an append must be when it returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

/// The open store.
#[derive(Debug)]
pub struct Store {}

/// What the store could not do. All of these are exit code 6 but `Stale` and `Unknown`.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// No space, or a quota.
    #[error("there is no space left for `{}`", path.display())]
    Full {
        /// The database.
        path: PathBuf,
    },
    /// Not a database, or a broken one. It is left as it is.
    #[error("`{}` is damaged: {why}", path.display())]
    Corrupt {
        /// The database.
        path: PathBuf,
        /// What SQLite says.
        why: String,
    },
    /// Written by a newer windlass.
    #[error(
        "`{}` was written by a newer windlass (format {found}, this one knows {known})",
        path.display()
    )]
    Newer {
        /// The database.
        path: PathBuf,
        /// Its format.
        found: i64,
        /// Ours.
        known: i64,
    },
    /// Another process holds it for too long.
    #[error("`{}` is locked by another process", path.display())]
    Locked {
        /// The database.
        path: PathBuf,
    },
    /// It cannot be opened or written.
    #[error("`{}` cannot be used: {why}", path.display())]
    Unusable {
        /// The database or its directory.
        path: PathBuf,
        /// Why.
        why: String,
    },
    /// Another owner has taken the loop over; this one must stop.
    #[error("loop {id} has been taken over by another process")]
    Stale {
        /// The loop.
        id: LoopId,
    },
    /// SQLite is older than the first version that is safe.
    #[error("this build has SQLite {found}, which can lose data; 3.51.3 is needed")]
    OldSqlite {
        /// The linked version.
        found: String,
    },
    /// Anything else that SQLite says.
    #[error("the store failed: {why}")]
    Other {
        /// What it says.
        why: String,
    },
}

/// No loop fits, or more than one does.
#[derive(Debug, thiserror::Error)]
pub enum FindError {
    /// Nothing fits; the nearest name, if one is near.
    #[error("there is no loop `{reference}`")]
    Unknown {
        /// What was asked for.
        reference: String,
        /// The nearest name.
        nearest: Option<String>,
    },
    /// This directory has no loop.
    #[error("no loop was started in `{}`", directory.display())]
    NoneHere {
        /// The directory.
        directory: PathBuf,
    },
    /// Several fit.
    #[error("`{reference}` fits several loops: {}", names.join(", "))]
    Ambiguous {
        /// What was asked for.
        reference: String,
        /// Their names.
        names: Vec<String>,
    },
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

#[expect(unused_variables, clippy::unused_self, reason = "signatures first")]
impl Store {
    /// Opens the store below `home`, creating or migrating it as needed.
    pub fn open(home: &Path) -> Result<Self, StoreError> {
        unimplemented!()
    }
    /// Opens the store if there is one; for commands that only read.
    pub fn open_existing(home: &Path) -> Result<Option<Self>, StoreError> {
        unimplemented!()
    }
    /// Creates a loop with epoch 1.
    pub fn create_loop(&self, new: &NewLoop) -> Result<u64, StoreError> {
        unimplemented!()
    }
    /// A name that no loop has yet, such as `brave-otter`.
    pub fn free_name(&self) -> Result<String, StoreError> {
        unimplemented!()
    }
    /// Makes `owner` the owner of a loop; gives the new epoch.
    pub fn take_over(&self, id: &LoopId, owner: &Owner) -> Result<u64, StoreError> {
        unimplemented!()
    }
    /// Replaces the frozen options on resume.
    pub fn set_options(
        &self,
        id: &LoopId,
        epoch: u64,
        options: &serde_json::Value,
    ) -> Result<(), StoreError> {
        unimplemented!()
    }
    /// Appends events and everything that follows from them, in one transaction.
    pub fn append(
        &self,
        id: &LoopId,
        epoch: u64,
        events: &[Event],
        durability: Durability,
    ) -> Result<(), StoreError> {
        unimplemented!()
    }
    /// Events after number `after`, at most `limit`.
    pub fn events(&self, id: &LoopId, after: u64, limit: usize) -> Result<Vec<Event>, StoreError> {
        unimplemented!()
    }
    /// All events but what agents said: what resume and replay need.
    pub fn history(&self, id: &LoopId) -> Result<Vec<Event>, StoreError> {
        unimplemented!()
    }
    /// The loop of that name, id or unique prefix; the newest of `directory` if left out.
    pub fn find(&self, reference: Option<&str>, directory: &Path) -> Result<LoopRecord, FindError> {
        unimplemented!()
    }
    /// One loop.
    pub fn get(&self, id: &LoopId) -> Result<Option<LoopRecord>, StoreError> {
        unimplemented!()
    }
    /// Loops, newest first; all, or those of one directory.
    pub fn loops(&self, directory: Option<&Path>) -> Result<Vec<LoopRecord>, StoreError> {
        unimplemented!()
    }
    /// The iterations of a loop, in order, with their checks.
    pub fn iterations(&self, id: &LoopId) -> Result<Vec<IterationRecord>, StoreError> {
        unimplemented!()
    }
    /// The sessions of a loop, in order.
    pub fn sessions(&self, id: &LoopId) -> Result<Vec<SessionRecord>, StoreError> {
        unimplemented!()
    }
    /// The last messages of a loop, oldest first.
    pub fn last_messages(&self, id: &LoopId, n: usize) -> Result<Vec<MessageRecord>, StoreError> {
        unimplemented!()
    }
    /// Asks the owner of a loop for something.
    pub fn request(&self, id: &LoopId, request: Request) -> Result<(), StoreError> {
        unimplemented!()
    }
    /// Takes the requests to a loop off the list.
    pub fn take_requests(&self, id: &LoopId) -> Result<Vec<Request>, StoreError> {
        unimplemented!()
    }
    /// Removes a loop and all that belongs to it.
    pub fn remove(&self, id: &LoopId) -> Result<(), StoreError> {
        unimplemented!()
    }
    /// Remembers that the file with this content hash may act.
    pub fn trust(&self, path: &Path, hash: &str) -> Result<(), StoreError> {
        unimplemented!()
    }
    /// Forgets a file.
    pub fn distrust(&self, path: &Path) -> Result<bool, StoreError> {
        unimplemented!()
    }
    /// Whether the file with this content hash may act.
    pub fn is_trusted(&self, path: &Path, hash: &str) -> Result<bool, StoreError> {
        unimplemented!()
    }
}
