//! The trees that originals are in: the loop's start, and later ones for some paths or for all.

use std::collections::{BTreeMap, BTreeSet};

use windlass_core::{step::guarded::LaterOriginals, text::causes::with_causes};
use windlass_repo::tree::{ChangeKind, Differing, Tree};

/// How the tree of now differs from the trees that originals are in.
pub(super) struct Levels {
    /// Against the start.
    start: BTreeMap<Vec<u8>, Differing>,
    /// Against later ones, the latest first.
    later: Vec<Level>,
}

struct Level {
    /// The paths whose originals are here; `None` for all.
    paths: Option<BTreeSet<Vec<u8>>>,
    differing: BTreeMap<Vec<u8>, Differing>,
}

impl Level {
    fn has(&self, path: &[u8]) -> bool {
        self.paths.as_ref().is_none_or(|paths| paths.contains(path))
    }
}

impl Levels {
    pub(super) async fn read(
        tree: &Tree,
        start: &str,
        now: &str,
        later: &[LaterOriginals],
    ) -> Result<Self, String> {
        let mut levels = Self { start: differing(tree, start, now).await?, later: Vec::new() };
        for LaterOriginals { tree: then, since } in later.iter().rev() {
            let paths = match since {
                Some(since) => Some(differing(tree, since, then).await?.into_keys().collect()),
                None => None,
            };
            levels.later.push(Level { paths, differing: differing(tree, then, now).await? });
        }
        Ok(levels)
    }

    /// The paths with an original that is not what there is now.
    pub(super) fn changed(&self) -> Vec<&Differing> {
        let all = self.later.iter().map(|level| &level.differing).chain([&self.start]);
        let paths: BTreeSet<&Vec<u8>> = all.flat_map(BTreeMap::keys).collect();
        let of = |path: &&Vec<u8>| self.at(path).get(path.as_slice());
        let changed = paths.iter().filter_map(of);
        changed.filter(|one| one.kind != ChangeKind::Added).collect()
    }

    /// Whether a file that is there now has no original; `was_there` says so of the start.
    pub(super) fn is_new(&self, path: &str, was_there: bool) -> bool {
        let path = path.as_bytes();
        let Some(level) = self.later.iter().find(|level| level.has(path)) else {
            return !was_there;
        };
        match (level.differing.get(path), self.start.get(path)) {
            (Some(one), _) => one.kind == ChangeKind::Added,
            // It is as in the later tree. Since the start it came, or went, in snapshots.
            (None, Some(since)) => since.kind == ChangeKind::Deleted,
            (None, None) => !was_there,
        }
    }

    fn at(&self, path: &[u8]) -> &BTreeMap<Vec<u8>, Differing> {
        let level = self.later.iter().find(|level| level.has(path));
        level.map_or(&self.start, |level| &level.differing)
    }
}

async fn differing(
    tree: &Tree,
    from: &str,
    to: &str,
) -> Result<BTreeMap<Vec<u8>, Differing>, String> {
    let all = tree.differing_between(from, to).await.map_err(|error| with_causes(&error))?;
    Ok(all.into_iter().map(|one| (one.path.clone(), one)).collect())
}
