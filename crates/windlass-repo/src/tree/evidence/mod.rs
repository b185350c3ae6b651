//! The objects that snapshots consist of: a store of windlass's own, one for each repository, which
//! all of its work trees share.
//!
//! It stands alone. Nothing that is pruned, repacked or forged in the repository changes a snapshot:
//! what the first one needs is copied (`fill`), later ones add what changed, and an object is held
//! against its id when it is read back (`verify`). Only where copying would take too much room
//! (`room`) it borrows the repository's objects, and says so. `compact` frees what no loop needs.

mod compact;
mod fill;
mod reflink;
mod room;
mod verify;

pub use self::compact::{Compacted, is_to_compact, mark_to_compact};
pub(super) use self::verify::{BATCH, Depth};

use std::{
    fs::{self, File},
    io,
    os::unix::{
        ffi::OsStrExt,
        fs::{DirBuilderExt, OpenOptionsExt},
    },
    path::{Path, PathBuf},
    sync::Arc,
};

use rustix::fs::{FlockOperation, flock};
use sha2::{Digest, Sha256};
use windlass_system::home;

use super::{
    Repository,
    own::{hex, quote, write_private},
};

/// What the store borrows from, if it does.
const BORROWED: &str = "info/alternates";

/// The file that is locked by everybody who uses the store.
const IN_USE: &str = "in-use";

/// Where the objects for snapshots of a repository are, by the directory that its work trees share.
pub fn evidence_directory(home: &Path, common_dir: &Path) -> PathBuf {
    let common = Sha256::digest(common_dir.as_os_str().as_bytes());
    home::evidence(home).join(hex(&common[..16]))
}

/// The store of a repository's snapshots.
#[derive(Clone, Debug)]
pub(super) struct Evidence {
    objects: PathBuf,
    /// Held as long as this: nothing is removed from a store that is in use.
    in_use: Arc<File>,
}

impl Evidence {
    /// Opens the store for `repository`, and makes what is missing of it.
    pub(super) fn open(home: &Path, repository: &Repository) -> io::Result<Self> {
        let objects = evidence_directory(home, &repository.common_dir);
        for directory in ["info", "pack"] {
            fs::DirBuilder::new().recursive(true).mode(0o700).create(objects.join(directory))?;
        }
        let in_use = lock_file(&objects)?;
        // Whoever compacts it is done in seconds.
        flock(&in_use, FlockOperation::LockShared)?;
        Ok(Self { objects, in_use: Arc::new(in_use) })
    }

    /// Where its objects are.
    pub(super) fn objects(&self) -> &Path {
        &self.objects
    }

    /// Whether it borrows objects of the repository.
    pub(super) fn borrows(&self) -> bool {
        self.objects.join(BORROWED).exists()
    }

    /// Has it borrow the repository's objects from now on.
    fn borrow_from(&self, repository: &Repository) -> io::Result<()> {
        let mut line = Vec::new();
        quote(&mut line, repository.objects().as_os_str().as_bytes());
        line.push(b'\n');
        write_private(&self.objects.join(BORROWED), &line)
    }

    /// Whether it has no object yet.
    fn is_empty(&self) -> bool {
        let entries = |path: &Path| fs::read_dir(path).into_iter().flatten().flatten();
        // Loose objects are in directories of two digits.
        let has_loose = entries(&self.objects).any(|entry| entry.file_name().len() == 2);
        !self.borrows() && !has_loose && entries(&self.objects.join("pack")).next().is_none()
    }
}

fn lock_file(objects: &Path) -> io::Result<File> {
    let mut options = fs::OpenOptions::new();
    options.write(true).create(true).truncate(false).mode(0o600).open(objects.join(IN_USE))
}
