//! Loops that pages look at, kept folded, so that news cost what is new and not the whole history.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use windlass_core::ids::LoopId;
use windlass_store::store::{Store, StoreError};

use crate::{
    commands::why::{Judgement, judge},
    control::follow::Followed,
};

/// How many loops are kept; the one that was not asked for longest goes.
const MOST: usize = 12;

/// A loop as a page sees it.
pub(super) struct Seen {
    /// Its events, folded.
    pub(super) followed: Followed,
    /// What its rules said.
    pub(super) rules: Vec<Judgement>,
}

impl Seen {
    fn of(id: &LoopId) -> Self {
        Self { followed: Followed::new(id.clone()), rules: Vec::new() }
    }
}

type Kept = Arc<Mutex<Option<Seen>>>;

/// The loops that pages look at.
#[derive(Clone, Default)]
pub(super) struct Watched(Arc<Mutex<Vec<(LoopId, Kept)>>>);

impl Watched {
    /// What `look` sees of a loop, as the store has it now.
    pub(super) fn look<T>(
        &self,
        store: &Store,
        id: &LoopId,
        look: impl FnOnce(&Seen) -> T,
    ) -> Result<T, StoreError> {
        let kept = self.kept(id);
        let mut kept = lock(&kept);
        let mut seen = kept.take().unwrap_or_else(|| Seen::of(id));
        seen.followed.catch_up(store, |event| judge(&mut seen.rules, event))?;
        let looked = look(&seen);
        *kept = Some(seen);
        Ok(looked)
    }

    fn kept(&self, id: &LoopId) -> Kept {
        let mut all = lock(&self.0);
        let place = all.iter().position(|(known, _)| known == id);
        let one = place.map(|place| all.remove(place));
        let one = one.unwrap_or_else(|| (id.clone(), Kept::default()));
        let kept = Arc::clone(&one.1);
        all.push(one);
        if all.len() > MOST {
            all.remove(0);
        }
        kept
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // A request that panicked had taken the value out; the next one reads it again.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
