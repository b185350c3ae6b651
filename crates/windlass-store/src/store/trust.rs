//! Which config files of repositories may act. Trust is bound to what a file holds, not to where
//! it lies: one changed byte, and it is gone.

use std::path::Path;

use rusqlite::{OptionalExtension, params};

use super::{
    Durability, Store, StoreError,
    columns::{TimeColumn, path},
    find::canonical,
};

impl Store {
    /// Remembers that the file with this content hash may act.
    pub fn trust(&self, file: &Path, hash: &str) -> Result<(), StoreError> {
        self.write(Durability::Power, |connection| {
            connection.execute(
                "INSERT INTO trust (path, hash, at) VALUES (?1, ?2, ?3)
                 ON CONFLICT (path) DO UPDATE SET hash = ?2, at = ?3",
                params![path(&canonical(file)), hash, TimeColumn(windlass_system::clock::now())],
            )?;
            Ok(Ok(()))
        })
    }

    /// Forgets a file; says whether it was trusted.
    pub fn distrust(&self, file: &Path) -> Result<bool, StoreError> {
        self.write(Durability::Power, |connection| {
            let forgotten =
                connection.execute("DELETE FROM trust WHERE path = ?", [path(&canonical(file))])?;
            Ok(Ok(forgotten > 0))
        })
    }

    /// Whether the file with this content hash may act.
    pub fn is_trusted(&self, file: &Path, hash: &str) -> Result<bool, StoreError> {
        self.with(|connection| {
            let trusted: Option<String> = connection
                .query_row(
                    "SELECT hash FROM trust WHERE path = ?",
                    [path(&canonical(file))],
                    |row| row.get(0),
                )
                .optional()?;
            Ok(trusted.as_deref() == Some(hash))
        })
    }
}
