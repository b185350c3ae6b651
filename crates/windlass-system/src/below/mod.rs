//! Files below a root, and nowhere else: the one way to a file in a place that an agent can write.
//!
//! A path is resolved by the kernel below an open directory, so that no link, `..` or rename in the
//! middle leads out, whatever the race. Only regular files are read, without waiting for a pipe's
//! writer, and never more than the caller allows. A file is replaced by renaming a new one, made
//! exclusively, over it.

mod moving;
mod open;
mod private;
mod read;
mod text;
mod walk;
mod write;

pub use self::{
    moving::{Stood, exchange, move_to, remove_empty, set_mode, set_modified, stood, stood_in},
    open::{Links, TooLarge, open_dir, open_dir_by, open_file, reach, split},
    private::replace_private,
    read::{digest, kind, read, read_link, read_some},
    text::{TextError, read_text},
    walk::{Walked, newest, walk},
    write::{
        Content, Written, make_dir, remove, remove_file, remove_unfinished, replace,
        set_executable, write, write_nowhere,
    },
};

use std::{
    os::fd::{AsFd, BorrowedFd, OwnedFd},
    path::Path,
};

use rustix::{
    fs::{Mode, OFlags},
    io::Errno,
};

/// A directory that paths are resolved below.
#[derive(Debug)]
pub struct Root(OwnedFd);

impl Root {
    /// Opens a directory. Its own path is trusted: it was resolved before an agent acted.
    pub fn open(path: &Path) -> Result<Self, Errno> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        rustix::fs::open(path, flags, Mode::empty()).map(Self)
    }
}

impl Root {
    /// The same directory once more.
    pub fn try_clone(&self) -> std::io::Result<Self> {
        self.0.try_clone().map(Self)
    }
}

impl AsFd for Root {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

impl From<Root> for OwnedFd {
    fn from(root: Root) -> Self {
        root.0
    }
}
