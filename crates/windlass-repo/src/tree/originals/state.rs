//! What stands at a path now: the agent's file, the original, or something else.

use std::{io, os::unix::ffi::OsStrExt};

use sha2::{Digest, Sha256};
use windlass_system::below::{self, Links, Root, Stood};

use super::{Entry, Original, Put};
use crate::tree::own::hex;

/// No original is larger.
const MOST: u64 = 4 << 30;

/// Whose is what stands at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Now {
    Nothing,
    /// What was there before the originals.
    Agents,
    /// What was put there.
    Ours,
    /// Neither: somebody wrote it meanwhile.
    Other,
}

impl Entry {
    pub(super) fn bytes(&self) -> &[u8] {
        self.path.as_os_str().as_bytes()
    }

    /// Whose is what stands at the path. With `modified` an original must still have that time.
    pub(super) fn now(&self, top: &Root, modified: Option<i64>) -> io::Result<Now> {
        let Some(stood) = below::stood(top, self.bytes())? else { return Ok(Now::Nothing) };
        if self.found == Some((stood.device, stood.inode)) {
            return Ok(Now::Agents);
        }
        let is_in_time = modified.is_none_or(|second| stood.modified == (second, 0));
        let is_ours = self.put.is_at(top, self.bytes(), &stood)?;
        Ok(if is_ours && is_in_time { Now::Ours } else { Now::Other })
    }
}

impl Put {
    /// How an original is known again.
    pub(super) fn of(original: &Original) -> Self {
        match original {
            Original::File { bytes, .. } => Self::File { digest: hex(&Sha256::digest(bytes)) },
            Original::Link(target) => Self::Link { digest: hex(&Sha256::digest(target)) },
        }
    }

    /// Whether what stands at a path holds this.
    pub(super) fn is_at(&self, root: &Root, path: &[u8], stood: &Stood) -> io::Result<bool> {
        Ok(match self {
            Self::Nothing => false,
            Self::Directory => stood.kind().is_dir(),
            Self::File { digest } => {
                let held = || below::digest(root, path, Links::Refused, MOST);
                stood.kind().is_file() && hex(&held()?.0) == *digest
            }
            Self::Link { digest } => {
                let leads = || below::read_link(root, path);
                stood.kind().is_symlink() && hex(&Sha256::digest(leads()?)) == *digest
            }
        })
    }
}
