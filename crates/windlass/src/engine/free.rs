//! Frees the snapshots of loops that were removed, where others of the same repository stay.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

use windlass_core::event::Event;
use windlass_repo::tree::{evidence_of, is_to_compact, mark_to_compact, own_directory};
use windlass_store::store::{LoopRecord, Store};
use windlass_system::{home, ownership::Lock};

use super::{
    LoopError, MergePlace,
    programs::opening,
    remove::{entries, remove_directory, size},
};

/// Removes from windlass's own store what only loops needed that were removed; gives how many bytes
/// that freed. What somebody uses at the moment is left for the next time.
pub async fn free_snapshots(place: &MergePlace<'_>, store: &Store) -> Result<u64, LoopError> {
    let records = store.loops(None)?;
    let stores = entries(&home::evidence(place.home))?;
    let mut freed = 0;
    for evidence in stores.into_iter().filter(|path| is_to_compact(path)) {
        let uses = |record: &&LoopRecord| stores_of(place.home, record).contains(&evidence);
        let users: Vec<&LoopRecord> = records.iter().filter(uses).collect();
        freed += match users.is_empty() {
            true => remove(place.home, &evidence, &records)?,
            false => compact(place, store, &users).await?,
        };
    }
    Ok(freed)
}

/// Says that a loop which is being removed has snapshots that can be freed.
pub(super) fn mark_for_freeing(home: &Path, record: &LoopRecord) {
    for evidence in stores_of(home, record).iter().filter(|path| path.is_dir()) {
        mark_to_compact(evidence);
    }
}

/// Where snapshots of a loop may be. Which of the directories above is the top of the work tree cannot
/// be seen while the directory is not there.
pub(super) fn own_directories(home: &Path, record: &LoopRecord) -> Vec<PathBuf> {
    let places = record.worktree.iter().chain([&record.directory]);
    let own = places.flat_map(|place| {
        // windlass's home, and with it the worktree, may be reached by a link.
        let real = place.canonicalize().unwrap_or_else(|_| place.clone());
        let tops = place.ancestors().chain(real.ancestors());
        tops.map(|top| own_directory(home, top)).collect::<Vec<_>>()
    });
    own.collect()
}

/// Where the objects of a loop's snapshots are.
pub(super) fn stores_of(home: &Path, record: &LoopRecord) -> BTreeSet<PathBuf> {
    own_directories(home, record).iter().filter_map(|own| evidence_of(home, own)).collect()
}

/// Removes a store that no loop needs, unless one is just starting.
fn remove(home: &Path, evidence: &Path, records: &[LoopRecord]) -> Result<u64, LoopError> {
    let is_known = |id| records.iter().any(|record| record.id == id);
    if Lock::holders(home).into_iter().any(|holder| !is_known(holder.loop_id)) {
        return Ok(0);
    }
    let (_, bytes) = size(evidence);
    remove_directory(evidence)?;
    Ok(bytes)
}

/// Keeps in a store what these loops need, and nothing else.
async fn compact(
    place: &MergePlace<'_>,
    store: &Store,
    users: &[&LoopRecord],
) -> Result<u64, LoopError> {
    let workplaces =
        users.iter().map(|record| record.worktree.as_ref().unwrap_or(&record.directory));
    let Some(workplace) = workplaces.into_iter().find(|path| path.is_dir()) else { return Ok(0) };
    let mut keep = BTreeSet::new();
    for record in users {
        for event in store.history(&record.id)? {
            collect_ids(&event, &mut keep);
        }
    }
    let env = place.host.iter().cloned().collect();
    let opening = opening(place.guardian, place.home, &env, &[workplace])?;
    let compacted = async {
        match opening.tree(workplace).await? {
            Some(tree) => Ok(tree.compact(&keep).await?.bytes),
            None => Ok(0),
        }
    };
    let compacted = compacted.await;
    opening.close().await;
    compacted
}

/// All that may be an object's id, wherever an event has it: one too many does no harm.
fn collect_ids(event: &Event, ids: &mut BTreeSet<String>) {
    let text = serde_json::to_string(event).unwrap_or_default();
    let words = text.split(|c: char| !c.is_ascii_hexdigit());
    ids.extend(words.filter(|word| matches!(word.len(), 40 | 64)).map(str::to_owned));
}
