//! A database that is being made under another name, until it is complete and moved to its place.
//!
//! Whoever makes one keeps it locked. So what a killed process left behind is told from what is
//! still being made, and only the former is cleared away.

use std::{
    ffi::{OsStr, OsString},
    fs::{self, File},
    io,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
};

use rustix::fs::{FlockOperation, flock};

use super::create::create_private_file;

/// What stands between the name of the database and the number of a draft.
const MARK: &str = "new-";

/// A draft. The file goes with it, unless it was moved to its place.
#[derive(Debug)]
pub(super) struct Draft {
    path: PathBuf,
    file: File,
}

impl Draft {
    /// An empty, private file beside `database`.
    pub(super) fn new(database: &Path) -> io::Result<Self> {
        loop {
            let path = database.with_extension(format!("{MARK}{:08x}", fastrand::u32(..)));
            let file = create_private_file(&path)?;
            // Before it was locked, somebody may have taken it for a leftover.
            if is_ours(&file) && is_at(&file, &path) {
                return Ok(Self { path, file });
            }
        }
    }

    /// Where it is.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Makes what was written survive a power cut.
    pub(super) fn sync(&self) -> io::Result<()> {
        self.file.sync_all()
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if is_at(&self.file, &self.path) {
            drop(fs::remove_file(&self.path));
        }
    }
}

/// Removes the drafts beside `database` that nobody makes any more. One that stays does no harm.
pub(super) fn clear_leftovers(database: &Path) {
    let Some((folder, stem)) = database.parent().zip(database.file_stem()) else { return };
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if !is_draft(&entry.file_name(), stem)
            || !entry.file_type().is_ok_and(|kind| kind.is_file())
        {
            continue;
        }
        let path = entry.path();
        let Ok(file) = File::open(&path) else { continue };
        // It stays locked until it is gone: whoever is just making it then takes another name.
        if is_ours(&file) && is_at(&file, &path) {
            for more in ["", "-wal", "-shm", "-journal"] {
                let mut name = path.clone().into_os_string();
                name.push(more);
                drop(fs::remove_file(name));
            }
        }
    }
}

/// Whether a name is that of a draft of ours: `windlass.new-0123abcd`.
fn is_draft(name: &OsStr, stem: &OsStr) -> bool {
    let mut start = OsString::from(stem);
    start.push(".");
    start.push(MARK);
    let number = name.as_encoded_bytes().strip_prefix(start.as_encoded_bytes());
    number.is_some_and(|number| number.len() == 8 && number.iter().all(u8::is_ascii_hexdigit))
}

/// Takes the lock of a draft, if nobody has it.
fn is_ours(file: &File) -> bool {
    flock(file, FlockOperation::NonBlockingLockExclusive).is_ok()
}

fn is_at(file: &File, path: &Path) -> bool {
    match (file.metadata(), fs::symlink_metadata(path)) {
        (Ok(mine), Ok(there)) => (mine.dev(), mine.ino()) == (there.dev(), there.ino()),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_nobody_makes_any_more_is_cleared() {
        let folder = tempfile::tempdir().unwrap();
        let database = folder.path().join("windlass.db");
        let left = ["windlass.new-0123abcd", "windlass.new-0123abcd-wal"];
        let others = ["windlass.new-", "windlass.new-notanumb", "other.new-0123abcd"];
        for name in left.iter().chain(&others) {
            fs::write(folder.path().join(name), "x").unwrap();
        }
        let draft = Draft::new(&database).unwrap();
        clear_leftovers(&database);
        assert!(draft.path().exists(), "it is still being made");
        assert!(left.iter().all(|name| !folder.path().join(name).exists()));
        assert!(others.iter().all(|name| folder.path().join(name).exists()));
        let path = draft.path().to_owned();
        drop(draft);
        assert!(!path.exists());
    }
}
