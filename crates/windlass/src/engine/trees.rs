//! The trees that a loop's iterations left: what changed between them, and the way back.

pub(super) mod recorded;

use std::{ffi::OsString, path::Path};

use windlass_core::event::EventKind;
use windlass_repo::tree::{Known, Restored};
use windlass_store::store::{LoopRecord, Store};
use windlass_system::process::GuardianProgram;

use self::recorded::Trees;
use super::{
    LoopError, apart, aside::take_down, home_outside, programs::opening, settle::settle_tree,
    setup::lock_tree,
};
use crate::workplace::{Opening, Tree};

/// What changed in one iteration, or in the whole loop, as a unified diff.
pub async fn diff(
    guardian: &GuardianProgram,
    home: &Path,
    host: impl IntoIterator<Item = (OsString, OsString)>,
    store: &Store,
    record: &LoopRecord,
    iteration: Option<u32>,
) -> Result<Vec<u8>, LoopError> {
    if apart::is_apart(home, record.worktree.as_ref()) {
        // It audited the head of a pull request, and changed none of the user's files.
        return Ok(Vec::new());
    }
    let trees = Trees::of(&store.history(&record.id)?);
    let (from, to) = match iteration {
        Some(n) => (trees.at(record, n.saturating_sub(1))?, trees.at(record, n)?),
        None => (trees.at(record, 0)?, trees.last(record)?),
    };
    let opening = opening(guardian, home, &host.into_iter().collect(), &[workplace(record)])?;
    let tree = open(&opening, record).await?;
    let shown = tree.patch(from, to).await?;
    opening.close().await;
    Ok(shown)
}

/// Puts the work tree back to how iteration `iteration` left it; 0 is the start. What the user has
/// changed since the loop stays as it is.
pub async fn rollback(
    guardian: &GuardianProgram,
    home: &Path,
    host: impl IntoIterator<Item = (OsString, OsString)>,
    store: &Store,
    record: &LoopRecord,
    iteration: u32,
) -> Result<Restored, LoopError> {
    if apart::is_apart(home, record.worktree.as_ref()) {
        let why = "it audited the head of a pull request, and changed none of your files";
        return Err(LoopError::NoTree { name: record.name.clone(), why: why.to_owned() });
    }
    let trees = Trees::of(&store.history(&record.id)?);
    let target = trees.at(record, iteration)?;
    if record.ending.is_none() && record.owner.is_alive() {
        let (name, owner) = (record.name.clone(), Some(record.owner.clone()));
        return Err(LoopError::LoopInUse { name, owner });
    }
    home_outside::check(home, workplace(record))?;
    let lock = lock_tree(home, workplace(record), &record.id, &record.name)?;
    let opening = opening(guardian, home, &host.into_iter().collect(), &[workplace(record)])?;
    let tree = open(&opening, record).await?;
    drop(settle_tree(home, store, &tree, None).await?);
    let restored = tree.restore(target, &known(store, record, &trees)?).await?;
    let left = tree.snapshot().await?;
    opening.close().await;
    let fact = EventKind::RolledBack {
        iteration,
        from: restored.before.tree.clone(),
        to: target.tree.clone(),
        left: Some(left.tree),
    };
    take_down(home, record, vec![fact])?;
    drop(lock);
    Ok(restored)
}

/// What windlass is known to have left in the work tree: the loop, then later loops and rollbacks there.
fn known(store: &Store, record: &LoopRecord, trees: &Trees) -> Result<Known, LoopError> {
    let Some((at, tree)) = trees.known() else { return Ok(Known::default()) };
    let mut changes = trees.put_back.clone();
    for other in store.loops(None)? {
        if other.id != record.id && workplace(&other) == workplace(record) {
            changes.extend(Trees::of(&store.history(&other.id)?).changes_since(at));
        }
    }
    changes.sort_by_key(|change| change.at);
    let put_back = changes.into_iter().map(|change| (change.before, change.after)).collect();
    Ok(Known { tree: Some(tree), put_back, existing_only: false })
}

async fn open(opening: &Opening, record: &LoopRecord) -> Result<Tree, LoopError> {
    let tree = opening.tree(workplace(record)).await?;
    tree.ok_or_else(|| LoopError::NoTree {
        name: record.name.clone(),
        why: format!("`{}` is not in a git repository", workplace(record).display()),
    })
}

pub(super) fn workplace(record: &LoopRecord) -> &Path {
    record.worktree.as_deref().unwrap_or(&record.directory)
}
