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
    /// What was put back since, as the trees before and after.
    pub put_back: Vec<(String, String)>,
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
        self.verify_between(tree, now, Depth::Trees).await?;
        let since: BTreeSet<RawPath> =
            self.raw_changes(tree, now).await?.into_iter().map(|change| change.path).collect();
        let mut put_back = BTreeMap::new();
        for (before, after) in &known.put_back {
            self.verify_between(before, after, Depth::Trees).await?;
            for change in self.raw_changes(before, after).await? {
                put_back.insert(change.path, (change.new_mode, change.new_id));
            }
        }
        let is_the_users = |change: &&RawChange| match put_back.get(&change.path) {
            Some((mode, id)) => (mode, id) != (&change.old_mode, &change.old_id),
            None => since.contains(&change.path),
        };
        Ok(changes.iter().filter(is_the_users).map(|change| change.path.clone()).collect())
    }
}
