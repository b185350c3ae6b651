//! Repositories of windlass's own in which heads of pull requests are audited: made before the loop,
//! made again when it goes on, and removed when it ends. Nothing in them is work.

use std::path::{Path, PathBuf};

use windlass_repo::tree::{evidence_of, own_directory};
use windlass_store::store::LoopRecord;
use windlass_system::{
    home,
    ownership::{Lock, LockKey},
};

use super::{
    LoopError,
    grounds::Grounds,
    programs::opening,
    remove::{entries, remove_directory},
    setup::Setup,
    worktree::no_room,
};

/// Whether a loop works in such a repository.
pub(super) fn is_apart(home: &Path, worktree: Option<&PathBuf>) -> bool {
    worktree.is_some_and(|worktree| worktree.starts_with(home::heads(home)))
}

/// Makes room for one that may have been removed, so that the loop can be looked at.
pub(super) fn make_room(home: &Path, record: &LoopRecord) -> Result<(), LoopError> {
    match &record.worktree {
        Some(worktree) if is_apart(home, Some(worktree)) => {
            home::create_private(worktree).map_err(no_room)
        }
        _ => Ok(()),
    }
}

/// Makes one again for a loop that goes on. Only for the holder of its locks.
pub(super) async fn renew(setup: &Setup, grounds: &Grounds) -> Result<(), LoopError> {
    let Grounds { home, directory, worktree, env, .. } = grounds;
    let Some(path) = worktree.as_ref().filter(|_| is_apart(home, worktree.as_ref())) else {
        return Ok(());
    };
    remove(home, path);
    home::create_private(path).map_err(no_room)?;
    let opening = opening(&setup.guardian, home, env, &[directory])?.reaching([path.clone()]);
    let made = async {
        let needs_git = || LoopError::NeedsGit { flag: "pr", directory: directory.clone() };
        let tree = opening.tree(directory).await?.ok_or_else(needs_git)?;
        Ok(tree.make_apart(path).await?)
    };
    let made = made.await;
    opening.close().await;
    made
}

/// Removes one, with what was recorded of it. What cannot be removed now is left to `gc`.
pub(super) fn remove(home: &Path, path: &Path) {
    for top in [path.to_owned(), path.canonicalize().unwrap_or_else(|_| path.to_owned())] {
        let own = own_directory(home, &top);
        if let Some(evidence) = evidence_of(home, &own) {
            drop(remove_directory(&evidence));
        }
        drop(remove_directory(&own));
    }
    drop(remove_directory(path));
}

/// Those that no loop is at work in.
pub(super) fn left(home: &Path, records: &[LoopRecord]) -> Vec<PathBuf> {
    let found = entries(&home::heads(home)).unwrap_or_default();
    let is_left = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let record = records.iter().find(|record| record.name == name);
        let is_running = record.is_some_and(|one| one.ending.is_none() && one.owner.is_alive());
        !is_running && Lock::holder(home, &LockKey::of_making(&name)).is_none()
    };
    found.into_iter().filter(is_left).collect()
}
