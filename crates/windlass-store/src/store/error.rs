//! What can go wrong in the store, and the one place that turns what SQLite says into it.

use std::{
    fs::{self, OpenOptions},
    io,
    os::unix::fs::FileExt,
    path::{Path, PathBuf},
};

use rusqlite::{Error as Sqlite, ErrorCode, ffi};
use rustix::io::Errno;
use windlass_core::ids::LoopId;

use super::open::log_of;

/// What the store could not do. All of these are exit code 6 but `Stale`, `Gone`, `NameTaken`
/// and `Gap`.
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
    /// The loop is not in the store, or not any more.
    #[error("loop {id} is not in the store")]
    Gone {
        /// The loop.
        id: LoopId,
    },
    /// Another loop has that name.
    #[error("there is already a loop `{name}`")]
    NameTaken {
        /// The name.
        name: String,
    },
    /// An event does not follow the last one: a bug of ours, and nothing was stored.
    #[error("event {found} of loop {id} does not follow event {last}")]
    Gap {
        /// The loop.
        id: LoopId,
        /// The last one that is stored.
        last: u64,
        /// The one that was to be stored.
        found: u64,
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

/// Turns what SQLite says of the database at `path` into what it means.
pub(super) fn explain(path: &Path, error: &Sqlite) -> StoreError {
    let Sqlite::SqliteFailure(failure, message) = error else {
        // A value that is not of the type that was written is damage too: SQLite has no checksums.
        return StoreError::Corrupt { path: path.to_owned(), why: error.to_string() };
    };
    let path = path.to_owned();
    let why = message.clone().unwrap_or_else(|| failure.to_string());
    match failure.code {
        // Nothing that we write is too big; a damaged length is.
        ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase | ErrorCode::TooBig => {
            StoreError::Corrupt { path, why }
        }
        ErrorCode::DiskFull => StoreError::Full { path },
        ErrorCode::DatabaseBusy
        | ErrorCode::DatabaseLocked
        | ErrorCode::FileLockingProtocolFailed => StoreError::Locked { path },
        ErrorCode::SystemIoFailure if failure.extended_code == ffi::SQLITE_IOERR_CORRUPTFS => {
            StoreError::Corrupt { path, why }
        }
        ErrorCode::SystemIoFailure
        | ErrorCode::CannotOpen
        | ErrorCode::ReadOnly
        | ErrorCode::PermissionDenied => unusable(path, why),
        _ if DAMAGED_SCHEMA.iter().any(|part| why.starts_with(part)) => {
            StoreError::Corrupt { path, why }
        }
        _ => StoreError::Other { why },
    }
}

/// What SQLite says with its general code when the list of tables is damaged: our own statements
/// are right for every sound store.
const DAMAGED_SCHEMA: [&str; 6] = [
    "no such ",
    "unsupported file format",
    "malformed ",
    "attached databases must use",
    "table ",
    "unknown function",
];

/// Turns an error of the file system at `path` into what it means.
pub(super) fn explain_io(path: &Path, error: &io::Error) -> StoreError {
    let path = path.to_owned();
    if is_full(error) {
        StoreError::Full { path }
    } else {
        StoreError::Unusable { path, why: error.to_string() }
    }
}

/// SQLite says "disk I/O error" for a quota, a limit on file sizes, and a shared-memory file that
/// cannot grow, and keeps the reason to itself; so a few bytes are written to see whether space is
/// what lacks.
fn unusable(path: PathBuf, why: String) -> StoreError {
    match probe(&path) {
        Err(error) if is_full(&error) => StoreError::Full { path },
        Err(error) => StoreError::Unusable { why: format!("{why} ({error})"), path },
        Ok(()) => StoreError::Unusable { path, why },
    }
}

fn probe(path: &Path) -> io::Result<()> {
    let size = |path: &Path| fs::metadata(path).map_or(0, |found| found.len());
    let end = size(path).max(size(&log_of(path)));
    let probe = path.with_extension(format!("probe-{}", std::process::id()));
    // As long as the longest of our files, with a hole for all but the end.
    let written = OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(&probe)
        .and_then(|file| file.write_all_at(&[0; 64 * 1024], end));
    // Nothing depends on the probe; one that could not be made cannot be removed either.
    drop(fs::remove_file(&probe));
    written
}

fn is_full(error: &io::Error) -> bool {
    matches!(Errno::from_io_error(error), Some(Errno::NOSPC | Errno::DQUOT | Errno::FBIG))
}
