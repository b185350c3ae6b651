//! Finishes or undoes what killed processes had begun in repositories: by the process that has the work
//! tree next, and for all of them by `gc`, `rm`, `merge`, `cancel`, `accept`, `rollback` and `doctor`.

use std::{
    collections::BTreeMap,
    ffi::OsString,
    path::{Path, PathBuf},
};

use windlass_core::ids::LoopId;
use windlass_repo::tree::{Intended, Intent, PutBack, TreeError, intents, intents_of};
use windlass_store::store::Store;
use windlass_system::{
    home,
    ownership::{Lock, LockError, LockKey},
    process::GuardianProgram,
};

use super::{
    LoopError, MergePlace, Settled, acquire::acquire, programs::opening, settled::tell,
    setup::holder,
};
use crate::workplace::{Files, Tree, is_itself};

/// What it takes to ask about a repository.
pub(super) struct Asked<'a> {
    pub(super) guardian: &'a GuardianProgram,
    pub(super) home: &'a Path,
    pub(super) env: &'a BTreeMap<OsString, OsString>,
}

/// Settles what was begun in a work tree that this process holds the lock of, and maybe that of a loop;
/// gives what is to be told.
pub(super) async fn settle_tree(
    home: &Path,
    store: &Store,
    tree: &Tree,
    held: Option<&LoopId>,
) -> Result<Vec<String>, LoopError> {
    tree.clear().await?;
    let mut told = Vec::new();
    let [_, common_dir] = tree.git_directories();
    for intent in intents_of(home, common_dir).iter().filter(|one| one.top == tree.top()) {
        if has_come_to_be(store, intent)? {
            intent.forget(home);
        } else if !intent.change.is_of_worktree() {
            let back = tree.settle(intent).await?;
            told.extend(tell(home, store, intent, &back, held)?);
            intent.forget(home);
        }
    }
    told.extend(settle_submodules(home, store, tree).await?);
    Ok(told)
}

/// Settles what was begun in a directory outside of git that this process holds the lock of; gives what
/// is to be told.
pub(super) async fn settle_files(
    home: &Path,
    store: &Store,
    files: &Files,
    held: Option<&LoopId>,
) -> Result<Vec<String>, LoopError> {
    let mut told = Vec::new();
    for intent in intents_of(home, files.root()).iter().filter(|one| one.top == files.root()) {
        if matches!(intent.change, Intended::Originals { .. }) {
            let back = files.settle_originals(intent).await?;
            told.extend(tell(home, store, intent, &back, held)?);
            intent.forget(home);
        }
    }
    Ok(told)
}

/// Settles what was begun in the submodules of a work tree.
async fn settle_submodules(
    home: &Path,
    store: &Store,
    tree: &Tree,
) -> Result<Vec<String>, LoopError> {
    let mut told = Vec::new();
    for (top, git_dir) in tree.submodules() {
        for intent in intents_of(home, git_dir).iter().filter(|one| one.top == top) {
            // A loop of the submodule's own sees to it itself.
            let Ok(lock) = lock_top(home, top) else { continue };
            if let Some(inner) = tree.submodule(top).await? {
                let back = inner.settle(intent).await?;
                told.extend(tell(home, store, intent, &back, None)?);
            }
            intent.forget(home);
            drop(lock);
        }
    }
    Ok(told)
}

/// Settles all that was begun anywhere, and that nobody is at work on.
pub async fn settle_left(place: &MergePlace<'_>, store: &Store) -> Result<Settled, LoopError> {
    let env = place.host.iter().cloned().collect();
    let asked = Asked { guardian: place.guardian, home: place.home, env: &env };
    let mut all = Settled::default();
    for intent in intents(place.home) {
        match settle_one(&asked, store, &intent, None).await {
            Ok(told) => all.told.extend(told),
            Err(LoopError::TreeInUse { .. }) => (),
            Err(LoopError::Tree(error)) => {
                let top = intent.top.display();
                all.troubles
                    .push(format!("what was cut off in `{top}` is not settled yet: {error}"));
            }
            Err(error) => return Err(error),
        }
    }
    Ok(all)
}

/// Settles what was begun with worktrees of a repository, by a process that is about to make one of
/// that name.
pub(super) async fn settle_repository(
    asked: &Asked<'_>,
    store: &Store,
    common_dir: &Path,
    making: &str,
) -> Result<(), LoopError> {
    for intent in intents_of(asked.home, common_dir) {
        match settle_one(asked, store, &intent, Some(making)).await {
            // Somebody is at work on it, or the index is another git's just now.
            Err(LoopError::TreeInUse { .. } | LoopError::Tree(TreeError::IndexLocked { .. })) => (),
            settled => drop(settled?),
        }
    }
    Ok(())
}

async fn settle_one(
    asked: &Asked<'_>,
    store: &Store,
    intent: &Intent,
    making: Option<&str>,
) -> Result<Vec<String>, LoopError> {
    let Intent { common_dir, top, .. } = intent;
    if !is_itself(asked.home, common_dir) {
        // It is on a disk that is not there now, or something else is in its place.
        return Ok(Vec::new());
    }
    let making = Making::end(asked.home, intent, making)?;
    let lock = lock_top(asked.home, top)?;
    let mut told = Vec::new();
    // Whoever held the locks may have seen to it.
    let is_there = intents_of(asked.home, common_dir).contains(intent);
    if is_there && !has_come_to_be(store, intent)? {
        let opening = opening(asked.guardian, asked.home, asked.env, &[top])?;
        let settled = async {
            if matches!(intent.change, Intended::Originals { .. }) {
                return opening.bare(top).await?.settle_originals(intent).await;
            }
            if intent.change.is_of_worktree() {
                return opening.remains(top, common_dir).await?.settle(intent).await;
            }
            match opening.tree(top).await? {
                Some(tree) if tree.top() == top => tree.settle(intent).await,
                _ => Ok(PutBack::default()),
            }
        };
        let settled = match settled.await {
            // Where the work tree is gone, so is what was begun in it.
            Err(TreeError::Gone { .. }) if !top.exists() => Ok(None),
            settled => settled.map(Some),
        };
        opening.close().await;
        // What was recorded of a worktree that is gone now is left to `gc`.
        if let Some(back) = settled? {
            told = tell(asked.home, store, intent, &back, None)?;
        }
    }
    intent.forget(asked.home);
    drop((lock, making));
    Ok(told)
}

/// Whether the loop is there for which it was begun: then it is done.
fn has_come_to_be(store: &Store, intent: &Intent) -> Result<bool, LoopError> {
    Ok(match &intent.change {
        Intended::Branch { of_loop, .. } => store.get(&LoopId::from(of_loop.clone()))?.is_some(),
        Intended::AddWorktree { .. } => {
            let works_there = |worktree: &PathBuf| worktree.starts_with(&intent.top);
            let records = store.loops(None)?;
            records.iter().any(|record| record.worktree.as_ref().is_some_and(works_there))
        }
        Intended::Refs { .. }
        | Intended::Commit { .. }
        | Intended::Advance { .. }
        | Intended::Write { .. }
        | Intended::RemoveWorktree
        | Intended::Originals { .. } => false,
    })
}

/// Takes a work tree for a moment.
fn lock_top(home: &Path, top: &Path) -> Result<Lock, LoopError> {
    take(home, &LockKey::of_tree(top), top)
}

fn take(home: &Path, key: &LockKey, top: &Path) -> Result<Lock, LoopError> {
    let holder = holder(&LoopId::of_number(fastrand::u64(..)), "settle");
    match acquire(home, key, &holder) {
        Ok(lock) => Ok(lock),
        Err(LockError::Held { holder }) => Err(LoopError::TreeInUse {
            directory: top.to_owned(),
            holder: holder.map(|holder| holder.name),
        }),
        Err(LockError::Unusable { source, .. }) => {
            Err(LoopError::Home { what: "lock the work tree", source })
        }
    }
}

/// That nobody makes a worktree of that name.
struct Making {
    held: Option<(Lock, LockKey, PathBuf)>,
}

impl Making {
    fn end(home: &Path, intent: &Intent, mine: Option<&str>) -> Result<Self, LoopError> {
        let name = intent.top.file_name().unwrap_or_default().to_string_lossy();
        let is_ours = [home::worktrees(home), home::merging(home)]
            .iter()
            .any(|folder| intent.top.parent() == Some(folder));
        if !is_ours || mine == Some(&name) {
            return Ok(Self { held: None });
        }
        let key = LockKey::of_making(&name);
        let lock = take(home, &key, &intent.top)?;
        Ok(Self { held: Some((lock, key, home.to_owned())) })
    }
}

impl Drop for Making {
    fn drop(&mut self) {
        if let Some((lock, key, home)) = self.held.take() {
            lock.remove(&home, &key);
        }
    }
}
