//! Tests in source files that are the agent's to change: what became of those that there were.

use std::collections::BTreeSet;

use windlass_core::{step::guarded::WatchedChange, text::causes::with_causes};
use windlass_proof::inline;
use windlass_repo::tree::{InTree, Tree};
use windlass_system::below::{self, Links};

use super::{
    compare::{Comparer, Comparison},
    levels::Levels,
    start_files::StartFiles,
};

/// How many bytes of originals are compared at most.
const MOST_IN_ALL: u64 = 64 << 20;

impl Comparer<'_> {
    /// Compares the inline tests of files that snapshots have.
    pub(super) async fn inline_tests(
        &self,
        tree: &Tree,
        levels: &Levels,
        found: &mut Comparison,
    ) -> Result<(), String> {
        let changed = levels.changed().into_iter().filter_map(|one| {
            let old = one.old.as_ref().filter(|old| old.is_file() && !one.only_mode)?;
            let path = std::str::from_utf8(&one.path).ok()?;
            self.guard.watches_inline_tests(path).then_some((path, old))
        });
        let mut changed: Vec<(&str, &InTree)> = changed.collect();
        let ids: BTreeSet<String> = changed.iter().map(|(_, old)| old.id.clone()).collect();
        let sizes = tree.object_sizes(&ids).await.map_err(|error| with_causes(&error))?;
        let mut left = MOST_IN_ALL;
        changed.retain(|(_, old)| {
            let size = sizes.get(&old.id).copied().filter(|size| *size <= inline::MOST);
            let rest = size.and_then(|size| left.checked_sub(size));
            left = rest.unwrap_or(left);
            rest.is_some()
        });
        let ids: BTreeSet<String> = changed.iter().map(|(_, old)| old.id.clone()).collect();
        let contents = tree.contents(ids).await.map_err(|error| with_causes(&error))?;
        for (path, old) in changed {
            if let Some(before) = contents.get(&old.id) {
                self.inline_tests_of(path, before, found);
            }
        }
        Ok(())
    }

    /// Compares the inline tests of files that were kept when the loop began outside git.
    pub(super) fn inline_tests_outside(&self, found: &mut Comparison) -> Result<(), String> {
        let Some(files) = StartFiles::read(self.folder)? else { return Ok(()) };
        let wanted = |path: &str| self.guard.watches_inline_tests(path);
        files.each(wanted, |path, before| self.inline_tests_of(path, before, found))
    }

    /// Compares the inline tests of one file with how they were.
    pub(super) fn inline_tests_of(&self, path: &str, before: &[u8], found: &mut Comparison) {
        let now = below::read(self.root, path.as_bytes(), Links::Refused, inline::MOST).ok();
        if let Some(inline::InlineChange { line, reason }) =
            inline::changed(path, before, now.as_deref())
        {
            found.inline_tests.push(WatchedChange { path: path.to_owned(), reason, line });
        }
    }
}
