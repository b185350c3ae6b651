//! What is told where a killed process had left original tests in the place of the agent's files: that
//! these are back, and which paths were left alone. The loop that it is about records that, too.

use std::path::Path;

use windlass_core::{event::EventKind, ids::LoopId, step::guarded::OriginalsReport};
use windlass_repo::tree::{Intended, Intent, PutBack};
use windlass_store::store::Store;

use super::{LoopError, aside::take_down};

/// What came of settling.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settled {
    /// What was put right that people should know of, a sentence each.
    pub told: Vec<String>,
    /// What could not be settled, and is tried again the next time.
    pub troubles: Vec<String>,
}

/// What is to be told of an intent that was settled. It is recorded in the loop's journal, unless the loop
/// is `held` by this process, which then does that itself.
pub(super) fn tell(
    home: &Path,
    store: &Store,
    intent: &Intent,
    back: &PutBack,
    held: Option<&LoopId>,
) -> Result<Vec<String>, LoopError> {
    let Intended::Originals { of_loop, .. } = &intent.change else { return Ok(Vec::new()) };
    let top = intent.top.display();
    let mut told = vec![format!(
        "the agent's files are back in `{top}`: a process that was killed had left the original tests \
         in their place"
    )];
    told.extend(back.left_alone.iter().map(|left| OriginalsReport::left_alone_note(left)));
    let of_loop = of_loop.as_ref().map(|id| LoopId::from(id.clone()));
    if let Some(id) = of_loop.filter(|id| held != Some(id))
        && let Some(record) = store.get(&id)?
    {
        match take_down(home, &record, told.iter().cloned().map(note).collect()) {
            // Its owner goes on with it, and the files are told all the same.
            Ok(()) | Err(LoopError::LoopInUse { .. }) => (),
            Err(error) => return Err(error),
        }
    }
    Ok(told)
}

/// The fact that something is told.
pub(super) fn note(text: String) -> EventKind {
    EventKind::Noted { text }
}
