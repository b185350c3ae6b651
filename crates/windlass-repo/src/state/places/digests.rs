//! What files hold, as digests: a file is read again only if its stat data changed.

use std::collections::HashMap;

use super::super::look::{Dir, Mark};

/// The digests of the files that were looked at last.
#[derive(Debug, Default)]
pub(super) struct Digests {
    known: HashMap<Vec<u8>, (Mark, [u8; 32])>,
    seen: HashMap<Vec<u8>, (Mark, [u8; 32])>,
}

impl Digests {
    /// What `digest` makes of the content of a file in a directory; `None` where it cannot be read or
    /// has more than `most` bytes. `key` tells it from all others.
    pub(super) fn of(
        &mut self,
        key: Vec<u8>,
        (dir, name, mark): (&Dir, &[u8], Mark),
        most: u64,
        digest: impl FnOnce(&[u8]) -> Option<[u8; 32]>,
    ) -> Option<[u8; 32]> {
        let found = match self.known.get(&key) {
            Some((then, found)) if *then == mark => *found,
            _ => digest(&dir.read(name, most)?)?,
        };
        // What is racy is read again the next time.
        if !mark.is_racy() {
            self.seen.insert(key, (mark, found));
        }
        Some(found)
    }

    /// Forgets what this look did not see.
    pub(super) fn turn(&mut self) {
        self.known = std::mem::take(&mut self.seen);
    }
}
