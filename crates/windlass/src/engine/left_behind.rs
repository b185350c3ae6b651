//! What a loop that was cut off left behind: found and told afterwards, when it is resumed, cancelled
//! or removed, or by `gc`.

use std::{collections::BTreeMap, ffi::OsString, path::Path};

use windlass_core::event::{EventKind, LeftBehindFound, Leftovers};
use windlass_repo::state::{Place, untold};
use windlass_store::store::{LoopRecord, Store};
use windlass_system::process::GuardianProgram;

use super::{
    LoopError, MergePlace,
    aside::{append, take_down},
    programs::opening,
};
use crate::workplace::Watched;

/// Tells what a loop that was cut off left behind in its repository, unless that was told; gives what
/// is new. Of a loop that runs there is nothing to be told.
pub async fn tell_left_behind(
    place: &MergePlace<'_>,
    store: &Store,
    record: &LoopRecord,
) -> Result<Option<LeftBehindFound>, LoopError> {
    if record.ending.is_none() && record.owner.is_alive() {
        return Ok(None);
    }
    let Some(at) = place_of(place.home, record) else { return Ok(None) };
    let env = place.host.iter().cloned().collect();
    let told = store.left_behind(&record.id)?;
    find(place.guardian, place.home, &env, record, at, told, |fact| {
        take_down(place.home, record, vec![fact])
    })
    .await
}

/// The same for whoever holds the loop's lock already.
pub(super) async fn tell_held(
    guardian: &GuardianProgram,
    home: &Path,
    env: &BTreeMap<OsString, OsString>,
    store: &Store,
    record: &LoopRecord,
) -> Result<(), LoopError> {
    let Some(at) = place_of(home, record) else { return Ok(()) };
    let told = store.left_behind(&record.id)?;
    find(guardian, home, env, record, at, told, |fact| append(home, record, vec![fact])).await?;
    Ok(())
}

fn place_of(home: &Path, record: &LoopRecord) -> Option<Place> {
    let workplace = record.worktree.as_deref().unwrap_or(&record.directory);
    let workplace = workplace.canonicalize().unwrap_or_else(|_| workplace.to_owned());
    untold(home, &workplace, record.id.as_str())
}

/// Looks, has what is new taken down, and notes that it was told.
async fn find(
    guardian: &GuardianProgram,
    home: &Path,
    env: &BTreeMap<OsString, OsString>,
    record: &LoopRecord,
    at: Place,
    told: Leftovers,
    take_down: impl FnOnce(EventKind) -> Result<(), LoopError>,
) -> Result<Option<LeftBehindFound>, LoopError> {
    let opening = opening(guardian, home, env, &[&at.directory.clone()])?;
    let look = async {
        let watched: Watched = opening.open_left(at).await?;
        let now = watched.resume(&record.id, true).await?;
        let now = Leftovers { entries: now.entries, left_out: now.left_out };
        let found = told.until(&now);
        if let Some(found) = &found {
            take_down(EventKind::LeftBehind(found.clone()))?;
        }
        watched.close(&record.id).await?;
        Ok(found)
    };
    let found = look.await;
    opening.close().await;
    found
}
