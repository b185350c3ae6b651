//! What changed in files, through coarser and coarser lenses, and what identifies all work since the start.
//! What was seen of a content is remembered by its id, so that git is asked at most once for files that were
//! not changed before, and not at all otherwise.

mod contents;
mod mark;
mod read;
mod work;

use windlass_core::evidence::{FileChange, FilesMark, Lenses};

pub(super) use self::contents::Contents;
use self::contents::Wanted;
use super::{Tree, diff::RawChange, snapshot::Memory};

/// What was seen of changes.
#[derive(Debug, Default)]
pub(super) struct Seen {
    /// What changed in each file.
    pub(super) files: FilesMark,
    /// Whether the changes are in nothing but numbers, dates and ids. A file that came or went, and all that
    /// cannot be told, is a real change.
    pub(super) only_numbers: bool,
}

impl Tree {
    /// Looks at the changes that lead to the tree `to`, and at all that lead there since the start.
    pub(super) async fn look_through_lenses(
        &self,
        changes: &[RawChange],
        since_start: Option<&[RawChange]>,
        to: &str,
    ) -> Seen {
        let mut memory = self.memory.lock().await;
        let shown = &changes[..changes.len().min(FilesMark::MOST)];
        memory.contents.name(changes, to);
        memory.note_large(shown, to);
        let mut wanted = Wanted::default();
        shown.iter().for_each(|change| mark::wants(change, &mut wanted));
        since_start.iter().for_each(|changes| work::wants(changes, &mut wanted));
        let is_read = self.read_contents(wanted, &mut memory.contents).await;
        let contents = &memory.contents;
        let marks: Vec<_> = shown.iter().map(|change| mark::of(change, contents)).collect();
        let is_number = |change| matches!(change, FileChange::Stamps | FileChange::Numbers);
        let only_numbers = !marks.is_empty() && marks.iter().all(|mark| is_number(mark.change));
        let left_out = changes.len() - shown.len();
        Seen {
            only_numbers: only_numbers && left_out == 0,
            files: FilesMark {
                changed: marks,
                left_out: u32::try_from(left_out).unwrap_or(u32::MAX),
                // What could not be read now may be told the next time, and must not be another work then.
                work: since_start.filter(|_| is_read).map(|changes| work::id(changes, contents)),
            },
        }
    }
}

impl Memory {
    /// Notes which files of the tree `to` are too large to be looked at, so that they are not read.
    fn note_large(&mut self, changes: &[RawChange], to: &str) {
        if self.recorded.tree.as_deref() != Some(to) {
            return;
        }
        for change in changes {
            let entry = self.scan.listing.entry(&change.path);
            if entry.is_some_and(|entry| entry.stat.size > Lenses::LARGEST as u64) {
                self.contents.note_large(change);
            }
        }
    }
}
