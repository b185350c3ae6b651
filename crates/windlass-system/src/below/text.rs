//! Reads a text that may be anything by now.

use std::{io, os::fd::AsFd};

use rustix::{fs::FileType, io::Errno};
use serde::{Deserialize, Serialize};

use super::{Links, kind, read_some};

/// Why a text cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
pub enum TextError {
    /// There is nothing.
    #[error("it is not there")]
    Missing,
    /// It is something else.
    #[error("it is {what}, and not a file")]
    NotAFile {
        /// What it is.
        what: String,
    },
    /// It, or a directory on the way, is a link that leads out of the directory.
    #[error("a symbolic link leads out of the work tree; name the file that it leads to")]
    LeadsOut,
    /// It is more than is read.
    #[error("it has more than {} MiB, which is the most that is read", most >> 20)]
    TooLarge {
        /// The most that is read.
        most: u64,
    },
    /// It is no text.
    #[error("it is not UTF-8 text")]
    NotText,
    /// The system says no.
    #[error("{0}")]
    Io(String),
}

impl TextError {
    fn of(error: &io::Error, kind: Option<FileType>) -> Self {
        let not_a_file = |what: &str| Self::NotAFile { what: what.to_owned() };
        match error.raw_os_error().map(Errno::from_raw_os_error) {
            Some(Errno::NOENT | Errno::NOTDIR) => Self::Missing,
            Some(Errno::ISDIR) => not_a_file("a directory"),
            Some(Errno::NODEV) if kind.is_some_and(|kind| kind.is_fifo()) => not_a_file("a pipe"),
            Some(Errno::NODEV | Errno::NXIO) => not_a_file("a socket or a device"),
            Some(Errno::XDEV | Errno::LOOP) => Self::LeadsOut,
            _ => Self::Io(error.to_string()),
        }
    }
}

/// The text of a file of at most `most` bytes. Links that stay below the root are followed.
pub fn read_text(root: impl AsFd, path: &[u8], most: u64) -> Result<String, TextError> {
    let bytes = read_some(&root, path, Links::Inside, most.saturating_add(1));
    let bytes = bytes.map_err(|error| TextError::of(&error, kind(&root, path).ok()))?;
    if bytes.len() as u64 > most {
        return Err(TextError::TooLarge { most });
    }
    let text = String::from_utf8(bytes).map_err(|_| TextError::NotText)?;
    if text.contains('\0') { Err(TextError::NotText) } else { Ok(text) }
}
