//! Which entries of a repository's files its user lets agents run or obey. Entries are known by their
//! digests, which say all that matters about one: this knows nothing of agents.

use std::{collections::HashSet, path::Path};

use rusqlite::params;
use windlass_core::{event::ConfigEntry, ids::LoopId};

use super::{
    Durability, Store, StoreError,
    columns::{TimeColumn, path},
    find::canonical,
};

impl Store {
    /// Remembers that these entries of the repository at `root` may act.
    pub fn trust_entries<'a>(
        &self,
        root: &Path,
        entries: impl IntoIterator<Item = &'a str>,
    ) -> Result<(), StoreError> {
        let (root, now) = (canonical(root), windlass_system::clock::now());
        self.write(Durability::Power, |connection| {
            let mut insert = connection.prepare(
                "INSERT INTO agent_trust (root, entry, at) VALUES (?1, ?2, ?3)
                 ON CONFLICT (root, entry) DO UPDATE SET at = ?3",
            )?;
            for entry in entries {
                insert.execute(params![path(&root), entry, TimeColumn(now)])?;
            }
            connection.execute("DELETE FROM agent_refused WHERE root = ?", [path(&root)])?;
            Ok(Ok(()))
        })
    }

    /// Forgets all entries of the repository at `root`; says how many were trusted.
    pub fn distrust_entries(&self, root: &Path) -> Result<usize, StoreError> {
        let root = canonical(root);
        self.write(Durability::Power, |connection| {
            connection.execute("DELETE FROM agent_refused WHERE root = ?", [path(&root)])?;
            Ok(Ok(connection.execute("DELETE FROM agent_trust WHERE root = ?", [path(&root)])?))
        })
    }

    /// The entries of the repository at `root` that may act.
    pub fn trusted_entries(&self, root: &Path) -> Result<HashSet<String>, StoreError> {
        self.with(|connection| {
            connection
                .prepare("SELECT entry FROM agent_trust WHERE root = ?")?
                .query_map([path(&canonical(root))], |row| row.get(0))?
                .collect()
        })
    }

    /// Remembers what a loop in the repository at `root` was refused for, in place of what was
    /// remembered before.
    pub fn refuse_entries<'a>(
        &self,
        root: &Path,
        entries: impl IntoIterator<Item = (&'a str, &'a ConfigEntry)>,
    ) -> Result<(), StoreError> {
        let root = canonical(root);
        self.write(Durability::Process, |connection| {
            connection.execute("DELETE FROM agent_refused WHERE root = ?", [path(&root)])?;
            let mut insert = connection.prepare(
                "INSERT OR REPLACE INTO agent_refused (root, entry, told) VALUES (?, ?, ?)",
            )?;
            for (digest, entry) in entries {
                let told = serde_json::to_string(entry).unwrap_or_default();
                insert.execute(params![path(&root), digest, told])?;
            }
            Ok(Ok(()))
        })
    }

    /// What a loop in the repository at `root` was refused for last, and nobody has trusted since.
    pub fn refused_entries(&self, root: &Path) -> Result<Vec<(String, ConfigEntry)>, StoreError> {
        let rows: Vec<(String, String)> = self.with(|connection| {
            connection
                .prepare("SELECT entry, told FROM agent_refused WHERE root = ? ORDER BY rowid")?
                .query_map([path(&canonical(root))], |row| Ok((row.get(0)?, row.get(1)?)))?
                .collect()
        })?;
        let read = |(digest, told): (String, String)| {
            serde_json::from_str(&told).ok().map(|entry| (digest, entry))
        };
        Ok(rows.into_iter().filter_map(read).collect())
    }

    /// Remembers that these entries were there when the loop began, or were left by its sessions.
    pub fn note_entries<'a>(
        &self,
        id: &LoopId,
        is_confined: bool,
        entries: impl IntoIterator<Item = &'a str>,
    ) -> Result<(), StoreError> {
        self.write(Durability::Process, |connection| {
            let mut insert = connection.prepare(
                "INSERT OR IGNORE INTO agent_seen (loop, entry, is_confined) VALUES (?, ?, ?)",
            )?;
            for entry in entries {
                insert.execute(params![id.as_str(), entry, is_confined])?;
            }
            Ok(Ok(()))
        })
    }

    /// The entries that a loop began with or that its sessions left, each with whether the loop
    /// was confined so well then that they needed no trust.
    pub fn noted_entries(&self, id: &LoopId) -> Result<Vec<(String, bool)>, StoreError> {
        self.with(|connection| {
            connection
                .prepare("SELECT entry, is_confined FROM agent_seen WHERE loop = ?")?
                .query_map([id.as_str()], |row| Ok((row.get(0)?, row.get(1)?)))?
                .collect()
        })
    }
}
