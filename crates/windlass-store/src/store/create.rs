//! Makes a new database, whole or not at all.
//!
//! It is made under another name and moved to its place when it is complete. So a database file
//! that is there and is empty was never made by a crash of ours: it is damage, and stays as it is.

use std::{
    fs::{self, File, OpenOptions, Permissions},
    io,
    os::unix::fs::{OpenOptionsExt, PermissionsExt},
    path::Path,
};

use rusqlite::{Connection, OpenFlags};
use rustix::{
    fs::{CWD, RenameFlags, renameat_with},
    io::Errno,
};

use super::{
    draft::Draft,
    error::{StoreError, explain, explain_io},
    migrate::{APPLICATION_ID, MIGRATIONS, migrate},
};

/// Makes a new database at `path`. If another process was faster, its one stays.
pub(super) fn create(path: &Path) -> Result<(), StoreError> {
    let new = make_aside(path)?;
    match place(new.path(), path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        other => other.map_err(|error| explain_io(path, &error)),
    }
}

/// Makes a complete, empty database beside `path`.
pub(super) fn make_aside(path: &Path) -> Result<Draft, StoreError> {
    let new = Draft::new(path).map_err(|error| explain_io(path, &error))?;
    fill(new.path()).map_err(|error| explain(path, &error))?;
    new.sync().map_err(|error| explain_io(path, &error))?;
    Ok(new)
}

/// Creates an empty file that only its user may read, whatever the mask of the process. SQLite
/// gives the files that it puts beside a database the same mode.
pub(super) fn create_private_file(path: &Path) -> io::Result<File> {
    let file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
    file.set_permissions(Permissions::from_mode(0o600))?;
    Ok(file)
}

fn fill(path: &Path) -> rusqlite::Result<()> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    // Nobody sees the file yet, so it is synced once, when it is complete.
    connection.pragma_update(None, "synchronous", "OFF")?;
    connection.pragma_update(None, "journal_mode", "MEMORY")?;
    connection.pragma_update(None, "application_id", APPLICATION_ID)?;
    migrate(&connection, &MIGRATIONS)?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.close().map_err(|(_, error)| error)
}

fn place(new: &Path, path: &Path) -> io::Result<()> {
    match renameat_with(CWD, new, CWD, path, RenameFlags::NOREPLACE) {
        // Some file systems cannot; a hard link refuses to replace as well.
        Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {
            fs::hard_link(new, path)?;
            fs::remove_file(new)?;
        }
        other => other?,
    }
    sync_directory(path)
}

/// Makes the names in the directory of `path` survive a power cut.
pub(super) fn sync_directory(path: &Path) -> io::Result<()> {
    match path.parent() {
        Some(directory) => File::open(directory)?.sync_all(),
        None => Ok(()),
    }
}
