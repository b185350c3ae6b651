//! What earlier loops on pull requests have left in a directory, so that another can go on from there.

use std::path::Path;

use windlass_core::{event::EventKind, ids::LoopId};
use windlass_store::store::{Store, StoreError};

use crate::kind::{Kind, pr::EarlierFixes};

/// How many of the newest loops are looked at.
const MOST: usize = 10;

/// Tells a loop of auditors which trees are the fixes of earlier ones.
pub(super) fn tell(kind: &mut Kind, store: &Store, directory: &Path) -> Result<(), StoreError> {
    let Kind::Pr(options) = kind else { return Ok(()) };
    options.earlier.clear();
    if !options.looped {
        return Ok(());
    }
    let loops = store.loops(Some(directory))?;
    for record in loops.iter().filter(|record| record.kind == "pr").take(MOST) {
        if !began_clean(store, &record.id)? {
            continue;
        }
        let mut head = None;
        let mut tree = None;
        for event in store.history(&record.id)? {
            match event.kind {
                EventKind::PullRead(pull) => head = Some(pull.head_sha),
                EventKind::IterationFinished(summary) => tree = summary.tree,
                _ => (),
            }
        }
        if let (Some(head), Some(tree)) = (head, tree) {
            options.earlier.push(EarlierFixes { head, tree });
        }
    }
    Ok(())
}

/// Whether a loop began with nothing but the head of its pull request, or such fixes: what else was
/// there is the user's. Loops of earlier versions did not look.
fn began_clean(store: &Store, id: &LoopId) -> Result<bool, StoreError> {
    let options = store.get(id)?.map(|record| record.options).unwrap_or_default();
    Ok(options["loop"] == true && options["dirty"] == false)
}
