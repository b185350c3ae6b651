//! Merges that were cut off: one that was just moving the branch is brought to its end, any other
//! leaves everything as it was, and neither leaves a lock or a worktree.

use std::{collections::HashSet, fs, path::Path};

use windlass_core::{
    ending::{CancelledBy, ClaimedBy, Ending},
    event::{Event, EventKind},
    ids::Place,
    step::{AdvanceStep, Step},
};
use windlass_repo::tree::{Move, TreeError, own_directory};
use windlass_store::store::{LoopRecord, Store};
use windlass_system::{
    home,
    ownership::{Lock, LockKey},
};

use super::{
    LoopError, MergePlace, aside::take_down, locks::merge_locks, programs, settle::settle_left,
};
use crate::{
    kind::{Kind, merge::Options},
    workplace::{Opening, Tree},
};

/// Brings all merges that were cut off to their end. One in which an agent has worked stays, for it
/// can be taken up again; so does one that somebody else just looks after.
pub(super) async fn settle(place: &MergePlace<'_>, store: &Store) -> Result<(), LoopError> {
    drop(settle_left(place, store).await?);
    let is_cut_off = |record: &LoopRecord| {
        record.kind == "merge" && record.ending.is_none() && !record.owner.is_alive()
    };
    let merges: Vec<LoopRecord> = store.loops(None)?.into_iter().filter(is_cut_off).collect();
    for record in merges {
        match settle_one(place, store, &record).await {
            Ok(())
            | Err(
                LoopError::LoopInUse { .. }
                | LoopError::TreeInUse { .. }
                | LoopError::MergeUnderWay { .. }
                // It is left until its directory is back: other merges are not about it.
                | LoopError::Tree(TreeError::BecameALink { .. }),
            ) => (),
            Err(error) => return Err(error),
        }
    }
    discard_unowned(place, store).await
}

async fn settle_one(
    place: &MergePlace<'_>,
    store: &Store,
    record: &LoopRecord,
) -> Result<(), LoopError> {
    let Some(whole) = store.get(&record.id)? else { return Ok(()) };
    let Ok(Kind::Merge(options)) = serde_json::from_value(whole.options.clone()) else {
        return Ok(());
    };
    let history = store.history(&record.id)?;
    let advance = advance_under_way(&history);
    if advance.is_none() && record.sessions > 0 {
        return Ok(());
    }
    let locks = merge_locks(place.home, &options, &record.id, &record.name)?;
    let worktree = home::merging(place.home).join(&record.name);
    let opening = opening(place, &options.home)?.reaching([worktree]);
    let settled = async {
        let tree = open(&opening, &options.home).await?;
        let ending = match (&tree, advance) {
            (Some(tree), Some((_, step))) => bring_to_its_end(tree, &step, &options).await,
            _ => Ending::Cancelled { by: CancelledBy::Request },
        };
        if let Some(tree) = &tree {
            discard(place.home, tree, &record.name).await;
        }
        Ok(ending)
    };
    let settled: Result<Ending, LoopError> = settled.await;
    opening.close().await;
    drop(locks);
    let text = "this merge was cut off; it was brought to its end afterwards".to_owned();
    let ending = settled?;
    take_down(
        place.home,
        record,
        vec![EventKind::Noted { text }, EventKind::LoopFinished { ending }],
    )
}

/// The move of the branch that was begun and not ended.
fn advance_under_way(history: &[Event]) -> Option<(Place, AdvanceStep)> {
    let begun = history.iter().rev().find_map(|event| match &event.kind {
        EventKind::StepStarted { place, step: Step::Advance(step), .. } => {
            Some((place.clone(), step.clone()))
        }
        _ => None,
    })?;
    let is_end = |event: &Event| matches!(&event.kind, EventKind::StepFinished { place, .. } if *place == begun.0);
    (!history.iter().any(is_end)).then_some(begun)
}

async fn bring_to_its_end(tree: &Tree, step: &AdvanceStep, options: &Options) -> Ending {
    let AdvanceStep { branch, old, new, mark } = step;
    match tree.advance(Move { branch, old, new, mark }).await {
        Ok(_) => {
            let unverified = !options.common.proof.has_checks();
            Ending::Done { by: ClaimedBy::Merge, unverified }
        }
        Err(error) => Ending::Error { message: error.to_string(), code: 4 },
    }
}

/// Removes worktrees of merges that did not come to be.
async fn discard_unowned(place: &MergePlace<'_>, store: &Store) -> Result<(), LoopError> {
    let Ok(entries) = fs::read_dir(home::merging(place.home)) else { return Ok(()) };
    let found: Vec<_> = entries.flatten().map(|entry| entry.file_name()).collect();
    let names: HashSet<String> = store.loops(None)?.into_iter().map(|record| record.name).collect();
    let found = found.iter().filter_map(|name| name.to_str());
    let left: Vec<&str> = found
        .filter(|name| !names.contains(*name))
        .filter(|name| Lock::holder(place.home, &LockKey::of_making(name)).is_none())
        .collect();
    if left.is_empty() {
        return Ok(());
    }
    let opening = opening(place, &home::merging(place.home))?;
    for name in left {
        let path = home::merging(place.home).join(name);
        if let Ok(Some(tree)) = open(&opening, &path).await {
            discard(place.home, &tree, name).await;
        }
        // Where git knows nothing of it, it is no more than a directory.
        drop(fs::remove_dir_all(&path));
    }
    opening.close().await;
    Ok(())
}

fn opening(place: &MergePlace<'_>, directory: &Path) -> Result<Opening, LoopError> {
    let env = place.host.iter().cloned().collect();
    Ok(programs::opening(place.guardian, place.home, &env, &[directory])?)
}

async fn open(opening: &Opening, directory: &Path) -> Result<Option<Tree>, LoopError> {
    if !directory.is_dir() {
        return Ok(None);
    }
    Ok(opening.tree(directory).await?)
}

/// Removes the worktree of a merge, and what was recorded of it. One that will not go is tried
/// again by whoever comes next.
pub(super) async fn discard(home: &Path, tree: &Tree, name: &str) {
    let path = home::merging(home).join(name);
    drop(tree.discard_worktree(&path).await);
    // One that was made and not yet used is an empty directory, which git does not know.
    drop(fs::remove_dir(&path));
    drop(fs::remove_dir_all(own_directory(home, &path)));
}
