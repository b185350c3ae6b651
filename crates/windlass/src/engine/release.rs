//! Gives up what a loop that is removed has kept in the user's repository.

use windlass_store::store::LoopRecord;

use super::{LoopError, MergePlace, programs::opening};

/// Removes the refs that were kept for a loop, in submodules too. Gives the names of those that hold
/// commits which are in no branch or tag, as people read them: they stay.
pub async fn release_refs(
    place: &MergePlace<'_>,
    record: &LoopRecord,
) -> Result<Vec<String>, LoopError> {
    if !record.directory.is_dir() {
        return Ok(Vec::new());
    }
    let env = place.host.iter().cloned().collect();
    let opening = opening(place.guardian, place.home, &env, &[&record.directory])?;
    let released = async {
        match opening.tree(&record.directory).await? {
            Some(tree) => Ok(tree.release_refs(&record.id).await?),
            None => Ok(Vec::new()),
        }
    };
    let released = released.await;
    opening.close().await;
    released
}
