//! The place where an agent works, as windlass touches it: by way of a confined helper process.
//!
//! The place belongs to the agent: a file may be a link, a pipe or terabytes large, and may be
//! swapped at any moment. So this process opens nothing there. It asks a helper (`serve`) that the
//! kernel lets reach the work tree, its git directory and windlass's own store for this repository,
//! and nothing else; and it kills the helper when a loop is stopped.
//!
//! What belongs to the place is decided once, in `open`, before an agent acts: the top of the work
//! tree, its git directories, the programs. [`Tree`] and [`Files`] are what can be asked, `call` the
//! questions, and `serve` answers them with `windlass-repo`.

mod alternates;
mod apart;
mod call;
mod files;
mod fingerprints;
mod git_settings;
mod guard;
mod guarding;
mod itself;
mod open;
mod private;
mod remote;
mod serve;
mod siblings;
mod state;
mod tree;
mod unmatched;

pub(crate) use self::{
    call::Recorded,
    files::{Files, Text, plain},
    fingerprints::hex,
    guard::Asked,
    itself::{is_itself, still_meant},
    open::Opening,
    remote::Courier,
    serve::ROLES,
    state::Watched,
    tree::Tree,
};

use std::{path::PathBuf, sync::Arc, time::Duration};

use serde::de::DeserializeOwned;
use windlass_repo::tree::Repository;
use windlass_system::worker::{Frame, Worker, WorkerError};

use self::call::Call;

/// How long one answer may take. It is long, for a large tree takes its time; a loop that is stopped
/// does not wait for it.
const LIMIT: Duration = Duration::from_secs(15 * 60);

/// However short a loop may be, an answer has so much time.
const SHORTEST: Duration = Duration::from_secs(5);

/// A place where an agent works.
pub(crate) struct Workplace {
    /// Its files.
    pub(crate) files: Files,
    /// Its work tree; `None` outside a repository, or without git.
    pub(crate) tree: Option<Tree>,
    /// What sessions leave behind in it.
    pub(crate) watched: Watched,
}

/// The way to the helper, which both share.
#[derive(Clone)]
struct Line {
    worker: Arc<Worker>,
    limit: Duration,
}

impl Line {
    /// Whether the helper did not answer the last question in time.
    fn is_silent(&self) -> bool {
        self.worker.is_silent()
    }

    /// Asks, and reads the answer.
    async fn ask<T, E>(&self, call: impl Into<Call>) -> Result<T, E>
    where
        T: DeserializeOwned,
        E: DeserializeOwned + From<WorkerError>,
    {
        let answer: Result<(T, Vec<u8>), E> = self.ask_for_bytes(call).await;
        answer.map(|(answer, _)| answer)
    }

    /// The same, with the bytes that came with the answer.
    async fn ask_for_bytes<T, E>(&self, call: impl Into<Call>) -> Result<(T, Vec<u8>), E>
    where
        T: DeserializeOwned,
        E: DeserializeOwned + From<WorkerError>,
    {
        let unreadable = |error: serde_json::Error| {
            E::from(WorkerError::Gone { why: format!("its words cannot be read: {error}") })
        };
        let text = serde_json::to_vec(&call.into()).map_err(unreadable)?;
        let answer = self.worker.ask(&Frame { text, bytes: Vec::new() }, self.limit).await?;
        let told: Result<T, E> = serde_json::from_slice(&answer.text).map_err(unreadable)?;
        Ok((told?, answer.bytes))
    }
}

/// What of a place is known without asking.
#[derive(Clone, Debug)]
struct Known {
    /// Where the agent works.
    directory: PathBuf,
    /// What file names are resolved below: the top of the work tree, or that directory.
    root: PathBuf,
    repository: Option<Repository>,
}
