//! What a path holds now.

use std::io;

use serde::{Deserialize, Serialize};
use windlass_system::{
    below::{self, Links, Root, Stood},
    clock,
};

use crate::workplace::hex;

/// What is larger is known by its size and times.
const MOST: u64 = 256 << 20;

/// A change within this time of a look may not show in the times of a file.
const STEP: i64 = 3;

/// What a path holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Print {
    File { digest: String, executable: bool },
    Large { size: u64, modified: (i64, i64), executable: bool },
    Link { target: Vec<u8> },
    Other,
}

/// What tells that a file was not touched, without reading it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Touched {
    file: (u64, u64),
    mode: u32,
    size: u64,
    modified: (i64, i64),
    changed: (i64, i64),
}

impl Touched {
    pub(super) fn of(stood: &Stood) -> Self {
        Self {
            file: (stood.device, stood.inode),
            mode: stood.mode,
            size: stood.size,
            modified: stood.modified,
            changed: stood.changed,
        }
    }

    /// Whether a later change shows in it.
    pub(super) fn is_settled(&self) -> bool {
        self.changed.0 + STEP < clock::now().0.div_euclid(1000)
    }
}

impl Print {
    /// What stands at a path, of which that is known already.
    pub(super) fn of(root: &Root, path: &str, stood: &Stood) -> io::Result<Self> {
        let executable = stood.mode & 0o100 != 0;
        let kind = stood.kind();
        Ok(if kind.is_symlink() {
            Self::Link { target: below::read_link(root, path.as_bytes())? }
        } else if !kind.is_file() {
            Self::Other
        } else if stood.size > MOST {
            Self::Large { size: stood.size, modified: stood.modified, executable }
        } else {
            let (digest, _) = below::digest(root, path.as_bytes(), Links::Refused, MOST)?;
            Self::File { digest: hex(&digest), executable }
        })
    }
}
