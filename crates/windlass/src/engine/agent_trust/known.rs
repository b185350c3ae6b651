//! Which entries may act without a question: those that their user trusts, and those that a loop which
//! goes on knows already.

use std::collections::HashSet;

use windlass_core::{
    event::{ConfigEntry, Event},
    ids::LoopId,
};
use windlass_store::store::{Store, StoreError};

use crate::engine::repo_config::{Entry, listed_before};

/// The entries that may act.
#[derive(Default)]
pub(super) struct Known {
    digests: HashSet<String>,
    /// Of a loop whose version took down only what is shown.
    shown: HashSet<ConfigEntry>,
}

impl Known {
    /// Those that the user of the repository trusts.
    pub(super) fn of_repository(store: &Store, root: &std::path::Path) -> Result<Self, StoreError> {
        Ok(Self { digests: store.trusted_entries(root)?, shown: HashSet::new() })
    }

    /// Adds those that were there when the loop began or that its sessions left. What was there while
    /// a sandbox made trust needless counts only while it does.
    pub(super) fn add_loop(
        &mut self,
        store: &Store,
        id: &LoopId,
        is_confined: bool,
        history: &[Event],
    ) -> Result<(), StoreError> {
        let noted = store.noted_entries(id)?;
        if noted.is_empty() {
            self.shown.extend(history.iter().flat_map(listed_before).cloned());
        }
        let counts = |was_confined: bool| is_confined || !was_confined;
        let digests = noted.into_iter().filter(|(_, was)| counts(*was)).map(|(digest, _)| digest);
        self.digests.extend(digests);
        Ok(())
    }

    /// Adds those that somebody has just trusted.
    pub(super) fn add(&mut self, trusted: &[Entry]) {
        self.digests.extend(trusted.iter().map(|one| one.digest.clone()));
    }

    /// Those that may not act.
    pub(super) fn unknown(&self, entries: &[Entry]) -> Vec<Entry> {
        let is_unknown =
            |one: &&Entry| !self.digests.contains(&one.digest) && !self.shown.contains(&one.entry);
        entries.iter().filter(is_unknown).cloned().collect()
    }
}
