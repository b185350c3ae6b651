//! What a loop is known to have left in the work tree. Whatever differs from it is the user's.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::{Tree, TreeError, diff::RawChange, evidence::Depth, listing::RawPath};

/// What a loop is known to have left.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Known {
    /// The tree that was recorded last; `None` where nobody can tell the loop's work from the
    /// user's, and all counts as the loop's.
    pub tree: Option<String>,
    /// What windlass changed since, as the trees before and after: rollbacks, later loops.
    pub put_back: Vec<(String, String)>,
    /// Whether files that were added since stay.
    #[serde(default)]
    pub existing_only: bool,
}

impl Tree {
    /// The paths that the user has changed since, of those that `changes` would put back from the
    /// tree `now`.
    pub(super) async fn of_the_user(
        &self,
        known: &Known,
        now: &str,
        changes: &[RawChange],
    ) -> Result<BTreeSet<RawPath>, TreeError> {
        let Some(tree) = &known.tree else { return Ok(BTreeSet::new()) };
        let since = self.paths_between(tree, now).await?;
        let mut expected: BTreeMap<RawPath, (String, String)> = BTreeMap::new();
        for (before, after) in &known.put_back {
            let meanwhile = self.paths_between(tree, before).await?;
            self.verify_between(before, after, Depth::Trees).await?;
            for RawChange { path, old_mode, old_id, new_mode, new_id, .. } in
                self.raw_changes(before, after).await?
            {
                // What the user changed in between stays the user's, whatever became of it.
                let was_known = match expected.get(&path) {
                    Some(left) => *left == (old_mode, old_id),
                    None => !meanwhile.contains(&path),
                };
                if was_known {
                    expected.insert(path, (new_mode, new_id));
                }
            }
        }
        let is_the_users = |change: &&RawChange| match expected.get(&change.path) {
            Some((mode, id)) => (mode, id) != (&change.old_mode, &change.old_id),
            None => since.contains(&change.path),
        };
        Ok(changes.iter().filter(is_the_users).map(|change| change.path.clone()).collect())
    }

    async fn paths_between(&self, old: &str, new: &str) -> Result<BTreeSet<RawPath>, TreeError> {
        self.verify_between(old, new, Depth::Trees).await?;
        Ok(self.raw_changes(old, new).await?.into_iter().map(|change| change.path).collect())
    }
}
