//! Whether files changed in nothing but numbers, dates and ids. What stays of a content without
//! them is remembered by its id, so that git is asked at most once for files that were not changed
//! before, and not at all otherwise.

use std::collections::HashMap;

use sha2::{Digest, Sha256};
use windlass_core::text::normalise;

use super::{
    Tree,
    diff::{ChangeKind, RawChange},
    listing::RawPath,
};

/// Of more files than this some is a real change.
pub(super) const MOST_FILES: usize = 50;
/// A file larger than this is a real change.
const LARGEST: usize = 1 << 20;
/// So many contents are remembered.
const MOST_KNOWN: usize = 4096;

/// What stays of a content without numbers, dates and ids; `None` where that cannot be told.
type Essence = Option<[u8; 32]>;

/// What stays of the contents that were seen.
#[derive(Debug, Default)]
pub(super) struct Essences {
    by_id: HashMap<String, Essence>,
    /// Of what the last tree was written with, for which there are no ids yet.
    written: HashMap<RawPath, Essence>,
    tree: Option<String>,
}

impl Essences {
    /// Takes in what a new tree was written with; none of it where that is too much.
    pub(super) fn wrote<'a>(
        &mut self,
        tree: &str,
        contents: impl Iterator<Item = (&'a RawPath, &'a [u8])> + Clone,
    ) {
        self.tree = Some(tree.to_owned());
        self.written.clear();
        let bytes: usize = contents.clone().map(|(_, bytes)| bytes.len()).sum();
        if contents.clone().count() <= MOST_FILES && bytes <= LARGEST {
            self.written = contents.map(|(path, bytes)| (path.clone(), essence(bytes))).collect();
        }
    }

    /// Gives what was written the ids that it has in the tree `to`.
    fn name(&mut self, changes: &[RawChange], to: &str) {
        if self.by_id.len() > MOST_KNOWN {
            self.by_id.clear();
        }
        if self.tree.as_deref() != Some(to) {
            return;
        }
        for change in changes {
            if let Some(essence) = self.written.get(&change.path) {
                self.by_id.insert(change.new_id.clone(), *essence);
            }
        }
    }

    fn unknown(&self, changes: &[RawChange]) -> Vec<String> {
        let ids = changes.iter().flat_map(|change| [&change.old_id, &change.new_id]);
        ids.filter(|id| !self.by_id.contains_key(*id)).cloned().collect()
    }

    fn are_alike(&self, change: &RawChange) -> bool {
        let of = |id| self.by_id.get(id).copied().flatten();
        of(&change.old_id).is_some_and(|old| of(&change.new_id) == Some(old))
    }
}

impl Tree {
    /// Whether these changes, which lead to the tree `to`, are in nothing but numbers, dates and
    /// ids. A file that came or went, and all that cannot be told, is a real change.
    pub(super) async fn only_numbers(&self, changes: &[RawChange], to: &str) -> bool {
        let is_edit = |change: &RawChange| {
            change.kind == ChangeKind::Modified
                && change.old_mode == change.new_mode
                && change.new_mode.starts_with("100")
        };
        if changes.is_empty() || changes.len() > MOST_FILES || !changes.iter().all(is_edit) {
            return false;
        }
        let mut memory = self.memory.lock().await;
        let is_large = |change: &RawChange| {
            let entry = memory.scan.listing.entry(&change.path);
            entry.is_some_and(|entry| entry.stat.size > LARGEST as u64)
        };
        if changes.iter().any(is_large) {
            return false;
        }
        memory.essences.name(changes, to);
        let unknown = memory.essences.unknown(changes);
        if !unknown.is_empty() {
            let Some(found) = self.essences_of(&unknown).await else { return false };
            memory.essences.by_id.extend(found);
        }
        changes.iter().all(|change| memory.essences.are_alike(change))
    }

    /// Reads contents by their ids, in one call.
    async fn essences_of(&self, ids: &[String]) -> Option<HashMap<String, Essence>> {
        let call = self
            .own
            .stored()
            .args(["cat-file", "--batch"])
            .stdin((ids.join("\n") + "\n").into_bytes());
        let output = self.git.run(call).await.ok()?;
        let mut rest = output.stdout.as_slice();
        let mut found = HashMap::new();
        for id in ids {
            let (head, after) = rest.split_at_checked(memchr::memchr(b'\n', rest)? + 1)?;
            let head = std::str::from_utf8(head).ok()?;
            let Some(size) = head.split(' ').nth(2).and_then(|size| size.trim().parse().ok())
            else {
                // The repository has lost it.
                found.insert(id.clone(), None);
                rest = after;
                continue;
            };
            let (content, after) = after.split_at_checked(size)?;
            found.insert(id.clone(), essence(content));
            rest = after.get(1..)?;
        }
        Some(found)
    }
}

/// What stays of a text. Indentation stays, for in some languages it is all that matters.
fn essence(content: &[u8]) -> Essence {
    if content.len() > LARGEST {
        return None;
    }
    let text = std::str::from_utf8(content).ok().filter(|text| !text.contains('\0'))?;
    let mut hash = Sha256::new();
    for line in text.split('\n') {
        let words = line.trim_start();
        hash.update(&line[..line.len() - words.len()]);
        hash.update(normalise::line(words));
        hash.update(b"\n");
    }
    Some(hash.finalize().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_dates_and_ids_do_not_stay() {
        let same = |a: &str, b: &str| assert_eq!(essence(a.as_bytes()), essence(b.as_bytes()));
        let differ = |a: &str, b: &str| assert_ne!(essence(a.as_bytes()), essence(b.as_bytes()));
        same("built 2026-11-15\n  n = 12\n", "built 2026-11-16\n  n = 7\n");
        same("run 1a2b3c4d5e", "run 99ffee0011");
        differ("n = 12\n", "m = 12\n");
        differ("  a\n", "    a\n");
        differ("a\n", "a\n\n");
        assert_eq!(essence(b"a\0b"), None);
        assert_eq!(essence(&[0xff]), None);
    }
}
