//! Removes loops, and what no loop needs any more.

use std::{
    collections::HashSet,
    fs, io,
    path::{Path, PathBuf},
    time::Duration,
};

use walkdir::WalkDir;
use windlass_core::{ids::LoopId, process::Survivor};
use windlass_store::store::{LoopRecord, Store};
use windlass_system::{
    clock, home,
    ownership::{Lock, LockKey, remove_doorbell},
    process::{end_guardians, guarded_loops},
    sandbox::remove_left_over,
};

use super::{
    LoopError, apart,
    free::{mark_for_freeing, own_directories, stores_of},
    setup::lock_loop,
};

/// What was removed, or would be.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Garbage {
    /// Names of loops.
    pub loops: Vec<String>,
    /// How many files that belong to no loop.
    pub files: u64,
    /// How large those are together.
    pub bytes: u64,
    /// How many containers of loops that no process drives any more.
    pub containers: u64,
    /// Names of loops that nobody runs any more, and that had left processes, which were ended.
    pub ended: Vec<String>,
    /// What could not be looked at, or not be ended.
    pub troubles: Vec<String>,
}

/// Removes a loop and all that is kept of it. A worktree of its own stays, for it holds work.
pub fn remove(home: &Path, record: &LoopRecord) -> Result<(), LoopError> {
    if record.ending.is_none() && record.owner.is_alive() {
        let (name, owner) = (record.name.clone(), Some(record.owner.clone()));
        return Err(LoopError::LoopInUse { name, owner });
    }
    let lock = lock_loop(home, &record.id, &record.name)?;
    // Where the engine is gone, so is the container; the loop can go all the same.
    drop(remove_left_over(&home::run(home).join(record.id.as_str()), &record.id, true));
    mark_for_freeing(home, record);
    if let Some(path) = record.worktree.as_ref().filter(|path| apart::is_apart(home, Some(path))) {
        apart::remove(home, path);
    }
    let store = Store::open(home)?;
    store.remove(&record.id)?;
    remove_directory(&home::output(home, &record.id))?;
    remove_directory(&home::private(home, &record.id))?;
    remove_directory(&home::guard(home, &record.id))?;
    // A session that was killed may have left its prompt here, and its owner the doorbell.
    remove_directory(&home::run(home).join(record.id.as_str()))?;
    remove_doorbell(home, &record.id);
    lock.remove(home, &LockKey::of_loop(&record.id));
    Ok(())
}

/// Removes what no loop needs any more: outputs, trees and files of loops that are not there.
/// With `older_than` also loops that ended longer ago. Without `act` it only counts.
pub fn collect_garbage(
    home: &Path,
    older_than: Option<Duration>,
    act: bool,
) -> Result<Garbage, LoopError> {
    let mut garbage = Garbage::default();
    let Some(store) = Store::open_existing(home)? else { return Ok(garbage) };
    collect_containers(home, act, &mut garbage)?;
    // In this order: a loop that is just starting has its locks first, then its directories, and
    // its row last, so it is met at one of them.
    let found = directories(home)?;
    let starting = Lock::holders(home);
    let (old, kept): (Vec<LoopRecord>, Vec<LoopRecord>) =
        store.loops(None)?.into_iter().partition(|record| is_old(record, older_than));
    end_astray(home, old.iter().chain(&kept), act, &mut garbage);
    for record in &old {
        garbage.loops.push(record.name.clone());
        if act {
            remove(home, record)?;
        }
    }
    let is_starting = |id: &LoopId| !old.iter().chain(&kept).any(|record| record.id == *id);
    // A merge works in trees of the user's that are not those of a loop.
    let is_merging = |record: &LoopRecord| {
        record.kind == "merge" && record.ending.is_none() && record.owner.is_alive()
    };
    if starting.iter().any(|holder| is_starting(&holder.loop_id)) || kept.iter().any(is_merging) {
        return Ok(garbage);
    }
    let heads = apart::left(home, &kept);
    for path in unneeded(home, found, &kept).into_iter().chain(heads) {
        let (files, bytes) = size(&path);
        garbage.files += files;
        garbage.bytes += bytes;
        if act {
            remove_directory(&path)?;
        }
    }
    Ok(garbage)
}

/// The loops that ended longer ago than `older_than`, and hold no work: those that
/// [`collect_garbage`] removes.
pub fn old_loops(home: &Path, older_than: Option<Duration>) -> Result<Vec<LoopRecord>, LoopError> {
    let Some(store) = Store::open_existing(home)? else { return Ok(Vec::new()) };
    let mut records = store.loops(None)?;
    records.retain(|record| is_old(record, older_than));
    Ok(records)
}

/// Ends what is left of loops whose owner is gone, and whose guardian does not get to its end.
fn end_astray<'a>(
    home: &Path,
    records: impl Iterator<Item = &'a LoopRecord>,
    act: bool,
    garbage: &mut Garbage,
) {
    let guarded = guarded_loops(home);
    for record in records.filter(|record| guarded.contains(&record.id)) {
        if record.owner.is_alive() {
            continue;
        }
        garbage.ended.push(record.name.clone());
        let survivors = if act { end_guardians(home, &record.id) } else { Vec::new() };
        if !survivors.is_empty() {
            garbage.troubles.push(format!("{}: {}", record.name, Survivor::listed(&survivors)));
        }
    }
}

/// Removes the containers of loops that no process drives any more.
fn collect_containers(home: &Path, act: bool, garbage: &mut Garbage) -> Result<(), LoopError> {
    for directory in entries(&home::run(home))? {
        let name = directory.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let id = LoopId::from(name.to_owned());
        // Whoever drives it has the lock, as long as anything of it runs.
        if Lock::holder(home, &LockKey::of_loop(&id)).is_some() {
            continue;
        }
        match remove_left_over(&directory, &id, act) {
            Ok(removed) => garbage.containers += removed,
            Err(why) => garbage.troubles.push(format!("containers of loop {id}: {why}")),
        }
    }
    Ok(())
}

fn is_old(record: &LoopRecord, older_than: Option<Duration>) -> bool {
    // No loop is older than the process that ran it, whatever the wall clock was set to.
    let age = clock::now().since(record.updated_at);
    let age = record.owner.since_start().map_or(age, |most| age.min(most));
    // What is in a worktree that is still there could not be merged without the loop.
    let holds_work = record.worktree.as_ref().is_some_and(|worktree| worktree.is_dir());
    let is_old = older_than.is_some_and(|limit| age > limit);
    record.ending.is_some() && is_old && !holds_work
}

/// Directories of outputs and trees that belong to none of the loops that stay.
fn unneeded(home: &Path, mut found: Vec<PathBuf>, kept: &[LoopRecord]) -> Vec<PathBuf> {
    let mut needed: HashSet<PathBuf> = HashSet::new();
    for record in kept {
        needed.insert(home::output(home, &record.id));
        needed.insert(home::run(home).join(record.id.as_str()));
        needed.insert(home::private(home, &record.id));
        needed.insert(home::guard(home, &record.id));
        needed.extend(own_directories(home, record));
        needed.extend(stores_of(home, record));
    }
    found.retain(|path| !needed.contains(path));
    found
}

/// The directories that belong to loops, or to their trees.
fn directories(home: &Path) -> Result<Vec<PathBuf>, LoopError> {
    let mut found = Vec::new();
    let kinds = [
        home::outputs(home),
        home::trees(home),
        home::evidence(home),
        home::run(home),
        home::privates(home),
        home::guards(home),
    ];
    for directory in kinds {
        found.extend(entries(&directory)?);
    }
    Ok(found)
}

/// The directories in a directory.
pub(super) fn entries(directory: &Path) -> Result<Vec<PathBuf>, LoopError> {
    let entries = match fs::read_dir(directory) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(source) => return Err(LoopError::Home { what: "look for garbage", source }),
    };
    Ok(entries.flatten().map(|entry| entry.path()).filter(|path| path.is_dir()).collect())
}

/// How many files a directory has, and how many bytes are in them.
pub(super) fn size(path: &Path) -> (u64, u64) {
    let files = WalkDir::new(path).into_iter().flatten().filter_map(|entry| entry.metadata().ok());
    files
        .filter(fs::Metadata::is_file)
        .fold((0, 0), |(files, bytes), file| (files + 1, bytes + file.len()))
}

/// Removes a directory, if it is there.
pub(super) fn remove_directory(path: &Path) -> Result<(), LoopError> {
    match fs::remove_dir_all(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(LoopError::Home { what: "remove the loop's files", source: error })
        }
        _ => Ok(()),
    }
}
