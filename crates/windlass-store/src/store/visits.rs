//! When the user last looked at the loops of a repository, so that they are told what is new since then.

use std::path::Path;

use rusqlite::{OptionalExtension, params};
use windlass_core::time::Timestamp;

use super::{
    Durability, Store, StoreError,
    columns::{TimeColumn, path},
    find::canonical,
};

impl Store {
    /// When the user last looked at the loops of the repository with this root; `None` before the first
    /// time.
    pub fn last_visit(&self, root: &Path) -> Result<Option<Timestamp>, StoreError> {
        self.with(|connection| {
            let at = connection
                .query_row(
                    "SELECT at FROM visits WHERE repository = ?",
                    [path(&canonical(root))],
                    |row| row.get::<_, TimeColumn>(0),
                )
                .optional()?;
            Ok(at.map(|TimeColumn(at)| at))
        })
    }

    /// Remembers that the user looked at the loops of the repository with this root.
    pub fn visit(&self, root: &Path, at: Timestamp) -> Result<(), StoreError> {
        self.write(Durability::Process, |connection| {
            connection.execute(
                "INSERT INTO visits (repository, at) VALUES (?1, ?2)
                 ON CONFLICT (repository) DO UPDATE SET at = ?2",
                params![path(&canonical(root)), TimeColumn(at)],
            )?;
            Ok(Ok(()))
        })
    }
}
