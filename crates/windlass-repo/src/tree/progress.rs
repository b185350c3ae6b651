//! How far a long snapshot is, for other processes to show.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::atomic::{AtomicUsize, Ordering},
};

use super::own::{own_directory, write_private};

/// Progress is told each time that so many files were read.
const STEP: usize = 2_000;

/// Where it is told, in the directory of the work tree's own.
const FILE: &str = "progress";

/// How far a snapshot of many files is. It is forgotten with this.
#[derive(Debug)]
pub(super) struct Progress {
    path: PathBuf,
    total: usize,
    done: AtomicUsize,
}

/// What the snapshot that is being taken of a work tree is at; `None` while there is nothing to tell.
pub fn snapshot_progress(home: &Path, top: &Path) -> Option<String> {
    fs::read_to_string(own_directory(home, top).join(FILE)).ok()
}

impl Progress {
    /// Begins to tell about `total` files.
    pub(super) fn new(own: &Path, total: usize) -> Self {
        Self { path: own.join(FILE), total, done: AtomicUsize::new(0) }
    }

    /// One more file was read.
    pub(super) fn read_one(&self) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        if done.is_multiple_of(STEP) {
            self.tell(&format!("{done} of {} files read", self.total));
        }
    }

    /// All files were read, and their contents are being taken over.
    pub(super) fn copying(&self) {
        if self.total >= STEP {
            self.tell(&format!("{} files read, copying their contents", self.total));
        }
    }

    fn tell(&self, text: &str) {
        // Without it nobody sees how far it is; the snapshot is taken all the same.
        drop(write_private(&self.path, text.as_bytes()));
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        drop(fs::remove_file(&self.path));
    }
}
