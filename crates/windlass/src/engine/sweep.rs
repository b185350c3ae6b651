//! Removes worktrees of loops whose work is merged, or that hold none. One that holds work which is
//! nowhere else is never removed, and neither is one that windlass has not made.

use std::{
    fs,
    path::{Path, PathBuf},
};

use windlass_core::{
    options::Branched,
    text::count::{agree, count},
};
use windlass_repo::tree::own_directory;
use windlass_store::store::{LoopRecord, Store};
use windlass_system::{
    home,
    ownership::{Lock, LockKey},
};

use super::{
    LoopError, MergePlace,
    interrupted::{self, discard},
    programs::opening,
    setup::lock_tree,
};
use crate::{kind::Kind, workplace::Tree};

/// What became of the worktrees that windlass has made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Swept {
    /// The names of those that were removed, or would be.
    pub removed: Vec<String>,
    /// Those that stay.
    pub kept: Vec<KeptWorktree>,
}

/// A worktree that stays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptWorktree {
    /// The name of its loop.
    pub name: String,
    /// Where it is.
    pub path: PathBuf,
    /// Why it stays.
    pub why: String,
    /// The command that would bring its work home, or take it up again.
    pub next: Option<String>,
}

/// Removes worktrees whose work is merged, or that hold none, of loops that have ended. Merges that
/// were cut off are brought to their end first. Without `act` it only looks.
pub async fn sweep_worktrees(
    place: &MergePlace<'_>,
    store: &Store,
    act: bool,
) -> Result<Swept, LoopError> {
    if act {
        interrupted::settle(place, store).await?;
    }
    let how = if act { How::Sweep } else { How::Look };
    let records = store.loops(None)?;
    let mut swept = Swept::default();
    let of_loops = names(&home::worktrees(place.home)).into_iter().map(|name| (name, false));
    let of_merges = names(&home::merging(place.home)).into_iter().map(|name| (name, true));
    for (name, of_merge) in of_loops.chain(of_merges) {
        let record = records.iter().find(|record| record.name == name);
        let is_running = record.is_some_and(|one| one.ending.is_none() && one.owner.is_alive());
        if is_running || Lock::holder(place.home, &LockKey::of_making(&name)).is_some() {
            continue;
        }
        let path = if of_merge { home::merging(place.home) } else { home::worktrees(place.home) };
        let path = path.join(&name);
        match sweep_one(place, store, record, &path, how).await {
            Ok(None) => swept.removed.push(name),
            Ok(Some((why, next))) => swept.kept.push(KeptWorktree { name, path, why, next }),
            Err(LoopError::TreeInUse { .. }) => (),
            Err(error) => {
                let why = format!("it could not be looked at: {error}");
                swept.kept.push(KeptWorktree { name, path, why, next: None });
            }
        }
    }
    Ok(swept)
}

/// Removes the worktree of one loop that is to go, if its work is merged or it holds none; says
/// whether it went. That of a merge always goes: both sides of it are in their branches.
pub async fn sweep_worktree(
    place: &MergePlace<'_>,
    store: &Store,
    record: &LoopRecord,
) -> Result<bool, LoopError> {
    let is_merge = record.kind == "merge";
    let path = if is_merge { home::merging(place.home) } else { home::worktrees(place.home) };
    let path = path.join(&record.name);
    if !path.is_dir() {
        return Ok(false);
    }
    Ok(sweep_one(place, store, Some(record), &path, How::WithLoop).await?.is_none())
}

/// How thoroughly worktrees are swept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum How {
    /// Nothing is removed.
    Look,
    /// What is not needed goes.
    Sweep,
    /// The loop itself goes too.
    WithLoop,
}

type Kept = Option<(String, Option<String>)>;

/// Removes a worktree, or says why it stays and what to do.
async fn sweep_one(
    place: &MergePlace<'_>,
    store: &Store,
    record: Option<&LoopRecord>,
    path: &Path,
    how: How,
) -> Result<Kept, LoopError> {
    // One that was made and not yet used is an empty directory, which git does not know.
    if how != How::Look && fs::remove_dir(path).is_ok() {
        return Ok(None);
    }
    let env = place.host.iter().cloned().collect();
    let opening = opening(place.guardian, place.home, &env, &[path])?;
    let lock = record.map(|record| lock_tree(place.home, path, &record.id, &record.name));
    let lock = lock.transpose()?;
    let swept = async {
        let is_top = |tree: &Tree| path.canonicalize().is_ok_and(|path| path == tree.top());
        let tree = opening.tree(path).await?;
        let Some(tree) = tree.filter(is_top) else {
            return Ok(Some(("git does not know it any more".to_owned(), None)));
        };
        let kept = match record {
            Some(record) if record.kind == "merge" => {
                of_merge(record).filter(|_| how != How::WithLoop)
            }
            record => of_loop(store, record, &tree).await?,
        };
        if kept.is_none() && how != How::Look {
            if record.is_some_and(|record| record.kind == "merge") {
                discard(place.home, &tree, &name_of(path)).await;
            } else {
                tree.remove_worktree(path).await?;
                drop(fs::remove_dir_all(own_directory(place.home, path)));
            }
        }
        Ok(kept)
    };
    let swept = swept.await;
    opening.close().await;
    drop(lock);
    swept
}

/// Whether the worktree of a merge is still needed.
fn of_merge(record: &LoopRecord) -> Kept {
    let is_done = record.ending.as_ref().is_some_and(|ending| ending.is_success());
    if is_done || record.sessions == 0 {
        return None;
    }
    let why = "an agent was bringing two sides together in it".to_owned();
    Some((why, Some(format!("windlass resume {}", record.name))))
}

/// Whether a worktree holds work that is nowhere else.
async fn of_loop(
    store: &Store,
    record: Option<&LoopRecord>,
    tree: &Tree,
) -> Result<Kept, LoopError> {
    let command = |word: &str| record.map(|record| format!("windlass {word} {}", record.name));
    if record.is_some_and(|record| record.ending.is_none()) {
        return Ok(Some((
            "its loop was interrupted and can be resumed".to_owned(),
            command("resume"),
        )));
    }
    let dirty = tree.dirty_paths(&tree.snapshot().await?).await?.len();
    if dirty > 0 {
        let are = agree(dirty, "is", "are");
        let why = format!("{} in it {are} not committed", count(dirty, "file"));
        return Ok(Some((why, command("merge").map(|merge| format!("{merge} --commit")))));
    }
    let Some(head) = tree.head_commit().await? else { return Ok(None) };
    let branched = match record {
        Some(record) => branched(store, record)?,
        None => None,
    };
    if branched.as_ref().is_some_and(|branched| branched.commit.as_ref() == Some(&head)) {
        return Ok(None);
    }
    let own = [tree.branch().await?, branched.map(|branched| branched.branch)];
    let others = tree.branches_with(&head).await?;
    if others.iter().any(|other| !own.contains(&Some(other.clone()))) {
        return Ok(None);
    }
    if let Some(record) = record
        && was_merged(store, record, &head)?
    {
        return Ok(None);
    }
    let why = match &own[0] {
        Some(branch) => format!("`{branch}` has commits that no other branch has"),
        None => "it has commits that no branch has".to_owned(),
    };
    Ok(Some((why, command("merge"))))
}

fn branched(store: &Store, record: &LoopRecord) -> Result<Option<Branched>, LoopError> {
    let whole = store.get(&record.id)?;
    let kind = whole.and_then(|whole| serde_json::from_value::<Kind>(whole.options).ok());
    Ok(kind.and_then(|kind| kind.common().git.branched.clone()))
}

/// Whether a merge has brought that commit home, in whatever form.
fn was_merged(store: &Store, record: &LoopRecord, head: &str) -> Result<bool, LoopError> {
    for merge in store.loops(None)?.into_iter().filter(|one| one.kind == "merge") {
        if !merge.ending.as_ref().is_some_and(|ending| ending.is_success()) {
            continue;
        }
        let Some(whole) = store.get(&merge.id)? else { continue };
        if let Ok(Kind::Merge(options)) = serde_json::from_value(whole.options)
            && options.of == record.id.as_str()
            && options.from == head
        {
            return Ok(true);
        }
    }
    Ok(false)
}

fn names(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries
        .filter(|entry| entry.path().is_dir())
        .filter_map(|entry| entry.file_name().into_string().ok())
        .collect();
    names.sort();
    names
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
