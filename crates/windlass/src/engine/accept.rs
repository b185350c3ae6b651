//! Ends a loop well because its user says so: with a claim that windlass rejected, or work that the agent
//! could not bring to its end. Nothing but the loop's own record is changed.

mod basis;

use std::path::Path;

use windlass_core::{
    ending::{ClaimedBy, Ending},
    event::{EventKind, ProofTaken},
    proof_record::{OriginalsState, ProofRecord},
};
use windlass_store::store::{LoopRecord, Store};

pub use self::basis::Basis;
use super::{
    LoopError, MergePlace, apart,
    aside::append_to_new_run,
    cancel::end_lost,
    home_outside, left_behind,
    programs::opening,
    settle::{settle_files, settle_tree},
    settled::note,
    setup::{lock_loop, lock_tree},
};

/// What there is to accept in a loop, or why there is nothing: an error that says so.
pub fn acceptable(store: &Store, record: &LoopRecord) -> Result<Basis, LoopError> {
    if record.ending.is_none() && record.owner.is_alive() {
        let hint = format!("`windlass cancel {}` stops it", record.name);
        return Err(refuse(record, "it is running", hint));
    }
    let ended_well = match &record.ending {
        Some(Ending::Done { by: ClaimedBy::User, .. }) => Some("it is already accepted"),
        Some(ending) if ending.is_success() => Some("it is already done"),
        Some(_) | None => None,
    };
    if let Some(why) = ended_well {
        let hint = format!("`windlass show {}` shows what it did", record.name);
        return Err(refuse(record, why, hint));
    }
    let history = store.history(&record.id)?;
    Basis::of(&record.kind, &history).map_err(|why| {
        let hint = format!("`windlass why {}` explains how it stands", record.name);
        refuse(record, why, hint)
    })
}

/// Accepts the work of a loop, which ends with that. `this_tree` says that the tree may be another than
/// that of the claim.
pub async fn accept(
    place: &MergePlace<'_>,
    store: &Store,
    record: &LoopRecord,
    this_tree: bool,
) -> Result<Basis, LoopError> {
    acceptable(store, record)?;
    let home = place.home;
    let workplace = workplace(record);
    if !workplace.is_dir() && !apart::is_apart(home, record.worktree.as_ref()) {
        return Err(LoopError::NoDirectory { directory: workplace.to_owned() });
    }
    let locks = (
        lock_loop(home, &record.id, &record.name)?,
        lock_tree(home, workplace, &record.id, &record.name)?,
    );
    // The locks are held from here on: what is read from here on stays true.
    let record = &store.get(&record.id)?.unwrap_or_else(|| record.clone());
    let mut basis = acceptable(store, record)?;
    drop(end_lost(home, &record.id, std::time::Duration::ZERO));
    let env = place.host.iter().cloned().collect();
    // What cannot be looked at now is looked at by `gc`.
    drop(left_behind::tell_held(place.guardian, home, &env, store, record).await);
    let (tree, told) = present_tree(place, store, record).await?;
    if let Some(tree) = tree {
        if basis.tree.as_ref() != Some(&tree) && !this_tree {
            return Err(another_tree(record, basis.iteration));
        }
        basis.tree = Some(tree);
    }
    let facts = told.into_iter().map(note).chain(facts(&basis));
    append_to_new_run(home, record, facts.collect())?;
    drop(locks);
    Ok(basis)
}

/// The tree that is there now, after what was cut off in it is settled, and what is to be told of that; no
/// tree outside a repository, and where a loop looked at a pull request apart from the user's files.
async fn present_tree(
    place: &MergePlace<'_>,
    store: &Store,
    record: &LoopRecord,
) -> Result<(Option<String>, Vec<String>), LoopError> {
    let (home, workplace) = (place.home, workplace(record));
    if apart::is_apart(home, record.worktree.as_ref()) {
        return Ok((None, Vec::new()));
    }
    home_outside::check(home, workplace)?;
    let env = place.host.iter().cloned().collect();
    let opening = opening(place.guardian, home, &env, &[workplace])?;
    let looked = async {
        let Some(tree) = opening.tree(workplace).await? else {
            let files = opening.bare(workplace).await?;
            return Ok((None, settle_files(home, store, &files, Some(&record.id)).await?));
        };
        let told = settle_tree(home, store, &tree, Some(&record.id)).await?;
        Ok((Some(tree.snapshot().await?.tree), told))
    };
    let looked: Result<_, LoopError> = looked.await;
    opening.close().await;
    looked
}

/// What is taken down.
fn facts(basis: &Basis) -> Vec<EventKind> {
    let Basis { iteration, tree, proof, .. } = basis.clone();
    let by = ClaimedBy::User;
    let originals = match proof.originals {
        OriginalsState::Failed => OriginalsState::Waived,
        other => other,
    };
    let proof = ProofRecord { originals, waived: true, tree: tree.clone(), ..proof };
    let accepted = EventKind::ClaimAccepted {
        iteration,
        by,
        checks: 0,
        waived: true,
        tree,
        doubts: Vec::new(),
    };
    let ending = Ending::Done { by, unverified: true };
    vec![
        EventKind::Proof(Box::new(ProofTaken { iteration, proof, ..ProofTaken::default() })),
        accepted,
        EventKind::LoopFinished { ending },
    ]
}

fn workplace(record: &LoopRecord) -> &Path {
    record.worktree.as_deref().unwrap_or(&record.directory)
}

fn refuse(record: &LoopRecord, why: &str, hint: String) -> LoopError {
    let (name, why) = (record.name.clone(), why.to_owned());
    LoopError::NotAcceptable { name, why, hints: vec![hint] }
}

/// That the files are not those that the claim of an iteration is about.
fn another_tree(record: &LoopRecord, iteration: u32) -> LoopError {
    let name = record.name.clone();
    let why = "files changed since the claim that was rejected".to_owned();
    let hints = vec![
        format!("`windlass accept {name} --this-tree` accepts the files as they are now"),
        format!("`windlass rollback {name} {iteration}` restores the files that the loop left"),
    ];
    LoopError::NotAcceptable { name, why, hints }
}
