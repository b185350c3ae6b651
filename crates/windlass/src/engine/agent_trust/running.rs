//! What the work tree brings for agents while a loop runs.

use std::{
    path::PathBuf,
    sync::{Mutex, PoisonError},
};

use windlass_agents::Cast;
use windlass_core::{event::ConfigEntry, ids::LoopId};
use windlass_store::store::{Store, StoreError};

use super::{admit::shown, is_confined, known::Known, repository};
use crate::{
    engine::{
        LoopError,
        grounds::Grounds,
        repo_config::{self, Entry},
        setup::Setup,
    },
    perform::{AtHead, Brings},
};

/// How many entries a refusal names.
const MOST_SHOWN: usize = 10;

/// The entries of a loop that runs.
pub(in crate::engine) struct Running {
    home: PathBuf,
    id: LoopId,
    cast: Cast,
    directory: PathBuf,
    workplace: PathBuf,
    is_confined: bool,
    is_trusted_for_this_call: bool,
    /// What the last look was refused for.
    refused: Mutex<Vec<Entry>>,
}

impl Running {
    pub(in crate::engine) fn new(setup: &Setup, grounds: &Grounds, id: &LoopId) -> Self {
        Self {
            home: grounds.home.clone(),
            id: id.clone(),
            cast: grounds.cast.clone(),
            directory: grounds.directory.clone(),
            workplace: grounds.workplace().to_owned(),
            is_confined: is_confined(&grounds.kind.common().sandbox),
            is_trusted_for_this_call: setup.trust_agent_config,
            refused: Mutex::default(),
        }
    }

    fn note(&self, entries: &[Entry]) -> Result<(), StoreError> {
        if entries.is_empty() {
            return Ok(());
        }
        let digests = entries.iter().map(|one| one.digest.as_str());
        Store::open(&self.home)?.note_entries(&self.id, self.is_confined, digests)
    }

    /// Why no session may begin, in a line, and what to do.
    fn refusal(&self, unknown: &[Entry]) -> String {
        let shown: Vec<String> = shown(unknown).iter().map(ConfigEntry::line).collect();
        let (first, rest) = shown.split_at(shown.len().min(MOST_SHOWN));
        let more = match rest.len() {
            0 => String::new(),
            more => format!("; and {more} more"),
        };
        format!(
            "{} ({}{more}): read what they do, run `windlass trust`, and then `windlass resume {}`",
            LoopError::UNTRUSTED,
            first.join("; "),
            self.id
        )
    }

    /// Those that may not act. What was found before is taken down where all may.
    fn unknown(&self, entries: &[Entry], is_foreign: bool) -> Result<Vec<Entry>, StoreError> {
        let is_needed = is_foreign || !self.is_confined;
        if !is_needed || self.is_trusted_for_this_call {
            return Ok(Vec::new());
        }
        let store = Store::open(&self.home)?;
        let root = repository(&self.directory);
        let mut known = Known::of_repository(&store, &root)?;
        known.add_loop(&store, &self.id, self.is_confined, &[])?;
        let unknown = known.unknown(entries);
        if !unknown.is_empty() {
            let refused = unknown.iter().map(|one| (one.digest.as_str(), &one.entry));
            store.refuse_entries(&root, refused)?;
        }
        Ok(unknown)
    }
}

impl Brings for Running {
    fn after_session(&self) {
        // What could not be taken down is asked about when the loop is resumed.
        drop(self.note(&repo_config::of_cast(&self.cast, &self.workplace)));
    }

    fn at_head(&self, is_foreign: bool) -> AtHead {
        let entries = repo_config::of_cast(&self.cast, &self.workplace);
        let found = repo_config::found(&entries, &[]);
        let refused = match self.unknown(&entries, is_foreign) {
            Ok(unknown) if unknown.is_empty() => {
                drop(self.note(&entries));
                None
            }
            Ok(unknown) => {
                let message = self.refusal(&unknown);
                *self.refused.lock().unwrap_or_else(PoisonError::into_inner) = unknown;
                Some(message)
            }
            Err(error) => Some(format!("what the repository has agents run is not known: {error}")),
        };
        AtHead { found, refused }
    }

    fn trust(&self) -> Result<(), String> {
        let refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
        let digests = || refused.iter().map(|one| one.digest.as_str());
        let kept = Store::open(&self.home).and_then(|store| {
            store.trust_entries(&repository(&self.directory), digests())?;
            store.note_entries(&self.id, self.is_confined, digests())
        });
        kept.map_err(|error| error.to_string())
    }
}
