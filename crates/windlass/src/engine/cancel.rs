//! Calls a loop off from another process, and returns when every descendant is gone.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use windlass_core::{
    ending::{CancelledBy, Ending},
    event::EventKind,
    ids::LoopId,
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
    #[error("{0} processes of the loop could not be ended")]
    Survivors(u32),
}

/// How often a look is taken whether the loop is gone.
const LOOK: Duration = Duration::from_millis(5);

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
    if record.owner.is_stopped() {
        record.owner.wake();
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

/// Whether the owner and its guardian have let go of the loop within that time.
fn wait_for_end(
    store: &Store,
    home: &Path,
    id: &LoopId,
    owner: &Owner,
    patience: Duration,
) -> Result<bool, StoreError> {
    let began = Instant::now();
    while began.elapsed() < patience {
        let has_ended = store.get(id)?.is_none_or(|record| record.ending.is_some());
        if (has_ended || !owner.is_alive()) && Lock::holder(home, &LockKey::of_loop(id)).is_none() {
            return Ok(true);
        }
        std::thread::sleep(LOOK);
    }
    Ok(false)
}

fn end_leftovers(home: &Path, id: &LoopId, grace: Duration) -> Result<(), CancelError> {
    // An engine that does not answer runs nothing; `gc` looks once more.
    drop(remove_left_over(&home::run(home).join(id.as_str()), id, true));
    match process::end_marked(id, grace) {
        0 => Ok(()),
        survivors => Err(CancelError::Survivors(survivors)),
    }
}
