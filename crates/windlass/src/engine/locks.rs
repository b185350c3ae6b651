//! What a merge keeps others away from while it lasts.

use std::path::Path;

use windlass_core::ids::LoopId;
use windlass_system::ownership::{Lock, LockError, LockKey};

use super::{
    LoopError,
    acquire::acquire,
    setup::{holder, lock_tree, work_tree},
};
use crate::kind::{Kind, merge::Options};

/// The locks that a loop of a kind needs besides those of its tree and of itself.
pub(super) fn more_locks(
    home: &Path,
    kind: &Kind,
    id: &LoopId,
    name: &str,
) -> Result<Vec<Lock>, LoopError> {
    match kind {
        Kind::Merge(options) => merge_locks(home, options, id, name),
        Kind::Iterate(_) | Kind::Tasks(_) | Kind::Develop(_) | Kind::Heal(_) | Kind::Pr(_) => {
            Ok(Vec::new())
        }
    }
}

/// The branch that work is brought to, the tree that has it checked out, and where the work is.
pub(super) fn merge_locks(
    home: &Path,
    options: &Options,
    id: &LoopId,
    name: &str,
) -> Result<Vec<Lock>, LoopError> {
    let key = LockKey::of_branch(&options.repository, &options.into);
    let branch = match acquire(home, &key, &holder(id, name)) {
        Ok(lock) => lock,
        Err(LockError::Held { holder }) => {
            let (branch, holder) = (options.into.clone(), holder.map(|holder| holder.name));
            return Err(LoopError::MergeUnderWay { branch, holder });
        }
        Err(LockError::Unusable { source, .. }) => {
            return Err(LoopError::Home { what: "lock the branch", source });
        }
    };
    let mut locks = vec![branch];
    let mut trees: Vec<_> = options.checked_out.iter().chain([&options.workplace]).collect();
    trees.retain(|tree| tree.is_dir());
    let mut tops: Vec<_> = trees.into_iter().map(|tree| work_tree(tree)).collect();
    tops.sort();
    tops.dedup();
    for top in tops {
        locks.push(lock_tree(home, &top, id, name)?);
    }
    Ok(locks)
}
