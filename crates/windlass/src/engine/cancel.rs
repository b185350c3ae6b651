//! Calls a loop off from another process, and returns when every descendant is gone.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use windlass_core::{
    ending::{CancelledBy, Ending},
    event::EventKind,
    ids::LoopId,
    process::Survivor,
};
use windlass_store::store::{LoopRecord, Request, Store, StoreError};
use windlass_system::{
    home,
    ownership::{Lock, LockKey, Owner, ring},
    process,
    sandbox::remove_left_over,
};

use super::{LoopError, aside::take_down};

/// How a cancel went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cancelled {
    /// The loop will stop when its iteration is over.
    AfterIteration,
    /// The loop has ended, and everything that it ran.
    Ended,
    /// The loop had been cut off before; it counts as cancelled now.
    WasInterrupted,
    /// The loop had ended before.
    HadEnded,
}

/// Why a loop could not be called off.
#[derive(Debug, thiserror::Error)]
pub enum CancelError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Its ending could not be written.
    #[error(transparent)]
    Ending(#[from] LoopError),
    /// Some processes are still there.
    #[error("{}", Survivor::listed(.0))]
    Survivors(Vec<Survivor>),
}

/// How often a look is taken whether the loop is gone.
const LOOK: Duration = Duration::from_millis(5);

/// How often those that are stopped are woken.
const WAKE: Duration = Duration::from_millis(200);

/// How much longer than its grace a loop may take before it is killed.
const PATIENCE: Duration = Duration::from_secs(15);

/// Calls a loop off.
pub fn cancel(
    store: &Store,
    home: &Path,
    record: &LoopRecord,
    request: Request,
    grace: Duration,
) -> Result<Cancelled, CancelError> {
    if record.ending.is_some() {
        // It may have left processes that could not be ended then.
        if !record.owner.is_alive() {
            end_leftovers(home, &record.id, grace)?;
        }
        return Ok(Cancelled::HadEnded);
    }
    if !record.owner.is_alive() {
        end_leftovers(home, &record.id, grace)?;
        end_for_it(home, record)?;
        return Ok(Cancelled::WasInterrupted);
    }
    store.request(&record.id, request)?;
    // Where nobody hears the bell, the request is seen at the next look around.
    drop(ring(home, &record.id));
    if request == Request::CancelAfterIteration {
        return Ok(Cancelled::AfterIteration);
    }
    if wait_for_end(store, home, &record.id, &record.owner, grace + PATIENCE)? {
        end_leftovers(home, &record.id, Duration::ZERO)?;
        return Ok(Cancelled::Ended);
    }
    // It does not answer, for it is stuck. Its guardian ends the rest when it is gone.
    record.owner.kill();
    wait_for_end(store, home, &record.id, &record.owner, PATIENCE)?;
    end_leftovers(home, &record.id, grace)?;
    end_for_it(home, record)?;
    Ok(Cancelled::Ended)
}

/// Writes the ending that the loop could not write itself.
fn end_for_it(home: &Path, record: &LoopRecord) -> Result<(), CancelError> {
    let ending = Ending::Cancelled { by: CancelledBy::Request };
    Ok(take_down(home, record, vec![EventKind::LoopFinished { ending }])?)
}

/// Whether the owner and its guardian have let go of the loop within that time. Both are woken
/// whenever they are found stopped: somebody may not want them to end.
fn wait_for_end(
    store: &Store,
    home: &Path,
    id: &LoopId,
    owner: &Owner,
    patience: Duration,
) -> Result<bool, StoreError> {
    let began = Instant::now();
    let mut woken = None::<Instant>;
    while began.elapsed() < patience {
        let has_ended = store.get(id)?.is_none_or(|record| record.ending.is_some());
        let is_alive = owner.is_alive();
        if (has_ended || !is_alive) && Lock::holder(home, &LockKey::of_loop(id)).is_none() {
            return Ok(true);
        }
        if !is_alive {
            // The guardian ends what is left; if it is dead, the search for marked processes does.
            return Ok(false);
        }
        if woken.is_none_or(|woken| woken.elapsed() > WAKE) {
            if owner.is_stopped() {
                owner.wake();
            }
            process::wake_guardians(home, id);
            woken = Some(Instant::now());
        }
        std::thread::sleep(LOOK);
    }
    Ok(false)
}

/// Ends what is left of a loop whose owner is gone: its guardian, in whatever state, and what
/// carries its marker.
fn end_leftovers(home: &Path, id: &LoopId, grace: Duration) -> Result<(), CancelError> {
    // An engine that does not answer runs nothing; `gc` looks once more.
    drop(remove_left_over(&home::run(home).join(id.as_str()), id, true));
    let survivors = end_lost(home, id, grace);
    if survivors.is_empty() { Ok(()) } else { Err(CancelError::Survivors(survivors)) }
}

/// The same for processes alone; gives those that could not be ended.
pub(super) fn end_lost(home: &Path, id: &LoopId, grace: Duration) -> Vec<Survivor> {
    let mut survivors = process::end_guardians(home, id);
    for survivor in process::end_marked(id, grace) {
        if !survivors.contains(&survivor) {
            survivors.push(survivor);
        }
    }
    survivors
}
