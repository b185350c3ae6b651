//! Takes a fact down in the journal of a loop that nobody runs: a reset, a rollback, a cancel.

use std::path::Path;

use windlass_core::event::EventKind;
use windlass_store::{
    journal::Journal,
    store::{Durability, LoopRecord, Store, StoreError},
};
use windlass_system::{ownership::Owner, stop::Stop};

use super::{LoopError, setup::lock_loop};

/// Takes facts down as the owner of the loop for this moment; refused while another process is.
pub fn take_down(home: &Path, record: &LoopRecord, facts: Vec<EventKind>) -> Result<(), LoopError> {
    if record.ending.is_none() && record.owner.is_alive() {
        let (name, owner) = (record.name.clone(), Some(record.owner.clone()));
        return Err(LoopError::LoopInUse { name, owner });
    }
    let lock = lock_loop(home, &record.id, &record.name)?;
    let appended = append(home, record, facts);
    drop(lock);
    appended
}

/// Takes facts down for whoever holds the loop's lock.
pub(super) fn append(
    home: &Path,
    record: &LoopRecord,
    facts: Vec<EventKind>,
) -> Result<(), LoopError> {
    let store = Store::open(home)?;
    // Whoever had the loop until now may have brought it to its ending, which stays.
    let is_ending = facts.iter().any(|fact| matches!(fact, EventKind::LoopFinished { .. }));
    if is_ending && store.get(&record.id)?.is_some_and(|now| now.ending.is_some()) {
        return Ok(());
    }
    let epoch = store.take_over(&record.id, &Owner::this_process())?;
    write(store, record, epoch, facts)
}

/// Takes facts down as a run of the loop that begins now, for whoever holds the loop's lock: also the
/// ending of one that had ended before.
pub(super) fn append_to_new_run(
    home: &Path,
    record: &LoopRecord,
    facts: Vec<EventKind>,
) -> Result<(), LoopError> {
    let store = Store::open(home)?;
    let epoch = store.take_over(&record.id, &Owner::this_process())?;
    let resumed = EventKind::LoopResumed {
        epoch,
        max_iterations: record.max_iterations,
        start: None,
        accepting: true,
    };
    write(store, record, epoch, [vec![resumed], facts].concat())
}

fn write(
    store: Store,
    record: &LoopRecord,
    epoch: u64,
    facts: Vec<EventKind>,
) -> Result<(), LoopError> {
    let last_seq = store.get(&record.id)?.map_or(record.last_seq, |record| record.last_seq);
    let journal = Journal::new(store, record.id.clone(), epoch, last_seq, Stop::default());
    facts.into_iter().for_each(|fact| journal.emit(fact));
    let stored = journal.flush(Durability::Power);
    match (stored, journal.take_failure()) {
        (Ok(()), _) => Ok(()),
        (Err(_), Some(failure)) => Err(failure.into()),
        (Err(_), None) => {
            Err(StoreError::Other { why: "it stopped for no known reason".to_owned() }.into())
        }
    }
}
