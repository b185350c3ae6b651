//! Reads a text that may be anything by now: it never waits for a pipe's writer, and never reads
//! without end.

use std::{
    fs::File,
    io::{self, Read},
    path::Path,
};

use rustix::{
    fs::{FileType, Mode, OFlags},
    io::Errno,
};
use windlass_core::task_file::LARGEST;

/// Why a text cannot be read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ReadError {
    /// There is nothing.
    #[error("it is not there")]
    Missing,
    /// It is something else.
    #[error("it is {what}, and not a file")]
    NotAFile {
        /// What it is.
        what: &'static str,
    },
    /// It is more than is read.
    #[error("it has more than 1 MiB, which is the most that is read")]
    TooLarge,
    /// It is no text.
    #[error("it is not UTF-8 text")]
    NotText,
    /// The system says no.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// The text of a file; symbolic links are followed.
pub(crate) fn read_text(path: &Path) -> Result<String, ReadError> {
    // A pipe without a writer would make a plain open wait for ever.
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC | OFlags::NOCTTY;
    let file = rustix::fs::open(path, flags, Mode::empty()).map_err(|errno| match errno {
        Errno::NOENT | Errno::NOTDIR => ReadError::Missing,
        Errno::NXIO => ReadError::NotAFile { what: "a socket or a device" },
        errno => ReadError::Io(errno.into()),
    })?;
    let stat = rustix::fs::fstat(&file).map_err(io::Error::from)?;
    let what = match FileType::from_raw_mode(stat.st_mode) {
        FileType::RegularFile => None,
        FileType::Directory => Some("a directory"),
        FileType::Fifo => Some("a pipe"),
        FileType::Symlink
        | FileType::Socket
        | FileType::CharacterDevice
        | FileType::BlockDevice
        | FileType::Unknown => Some("a socket or a device"),
    };
    if let Some(what) = what {
        return Err(ReadError::NotAFile { what });
    }
    let mut bytes = Vec::new();
    File::from(file).take(LARGEST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LARGEST {
        return Err(ReadError::TooLarge);
    }
    let text = String::from_utf8(bytes).map_err(|_| ReadError::NotText)?;
    if text.contains('\0') { Err(ReadError::NotText) } else { Ok(text) }
}
