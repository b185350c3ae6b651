//! Finds the loop that an address names: by its name, its id or the beginning of one.

use windlass_store::store::{LoopRecord, Store};

use crate::{
    host::failure::Failure,
    web::{Problem, State},
};

/// The loop of that name, id or unique prefix.
pub(crate) async fn find(state: &State, reference: String) -> Result<LoopRecord, Problem> {
    state.read(move |store| find_in(store, &reference)).await
}

/// The same where the store is at hand.
pub(crate) fn find_in(store: &Store, reference: &str) -> Result<LoopRecord, Failure> {
    // A name is given, so that no directory is asked for.
    Ok(store.find(Some(reference), std::path::Path::new("/"))?)
}
