//! Looks the whole store over, and saves from a damaged one what can still be read.
//!
//! A repair never deletes: the damaged file is kept aside under another name. A healthy store is
//! not touched.

mod check;
mod rebuild;
mod salvage;

use std::{
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    time::Duration,
};

use windlass_core::ids::LoopId;
use windlass_system::{
    home,
    ownership::{Holder, Lock, LockError, LockKey, Owner},
};

use self::{rebuild::Rebuilt, salvage::salvage};
use super::{
    Store, StoreError, create,
    error::{explain, explain_io},
    open::log_of,
};

/// How the store is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Health {
    /// The database.
    pub path: PathBuf,
    /// The version of SQLite that is built in.
    pub sqlite: &'static str,
    /// The form that the database has; `None` where it cannot be read.
    pub format: Option<i64>,
    /// What is wrong with it, a sentence each.
    pub problems: Vec<String>,
    /// How big the database is.
    pub bytes: u64,
    /// How big its log is.
    pub log_bytes: u64,
}

impl Health {
    /// Whether nothing is wrong.
    pub fn is_good(&self) -> bool {
        self.problems.is_empty()
    }
}

/// What a repair has done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repaired {
    /// How many loops are in the new store.
    pub loops: u64,
    /// How many events could be saved.
    pub events: u64,
    /// How many events are known to be lost. A note stands where one was, unless it was the last.
    pub lost_events: u64,
    /// Where the damaged file is now.
    pub kept_aside: PathBuf,
}

impl Store {
    /// Looks the whole store over; `None` where there is none.
    pub fn check(home: &Path) -> Result<Option<Health>, StoreError> {
        check::check(home)
    }

    /// Makes a new store of all that can still be read in a damaged one; `None` where there is
    /// nothing to mend. Refused while a loop runs.
    pub fn repair(home: &Path) -> Result<Option<Repaired>, StoreError> {
        if check::check(home)?.is_none_or(|health| health.is_good()) {
            return Ok(None);
        }
        let path = home::database(home);
        let _alone = be_alone(home, &path)?;
        let scratch = Scratch::new(home).map_err(|error| explain_io(&path, &error))?;
        let new = create::make_aside(&path)?;
        let repaired = salvage(&path, &scratch.0)
            .and_then(|saved| rebuild::rebuild(&saved, new.path()))
            .map_err(|error| explain(&path, &error))
            .and_then(|Rebuilt { loops, events, lost_events }| {
                let kept_aside =
                    swap(&path, new.path()).map_err(|error| explain_io(&path, &error))?;
                Ok(Repaired { loops, events, lost_events, kept_aside })
            });
        repaired.map(Some)
    }
}

/// Makes sure that no loop runs and that no other repair does.
fn be_alone(home: &Path, path: &Path) -> Result<Lock, StoreError> {
    let unusable = |why: String| StoreError::Unusable { path: path.to_owned(), why };
    if let Some(holder) = Lock::any_holder(home) {
        return Err(unusable(format!("loop `{}` still runs; cancel it first", holder.name)));
    }
    let holder = Holder {
        owner: Owner::this_process(),
        loop_id: LoopId::from("repair".to_owned()),
        name: "repair".to_owned(),
    };
    Lock::acquire(home, &LockKey::of_repair(), &holder, Duration::ZERO).map_err(|error| match error
    {
        LockError::Held { .. } => unusable("another repair is under way".to_owned()),
        LockError::Unusable { source, .. } => explain_io(path, &source),
    })
}

/// A directory for copies, which is gone at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(home: &Path) -> io::Result<Self> {
        let directory = home.join(format!("repair-{:08x}", fastrand::u32(..)));
        home::create_private(&directory)?;
        Ok(Self(directory))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        drop(fs::remove_dir_all(&self.0));
    }
}

/// Keeps the damaged files aside and puts the new one in their place.
///
/// At every moment either the damaged or the new database is there, and never a log that does not
/// belong to it.
fn swap(path: &Path, new: &Path) -> io::Result<PathBuf> {
    let at = windlass_system::clock::now().to_string().replace([':', '.'], "-");
    let aside = path.with_extension(format!("db.damaged-{at}"));
    File::open(new)?.sync_all()?;
    keep(path, &aside)?;
    keep(&log_of(path), &log_of(&aside))?;
    remove(&log_of(path))?;
    remove(&path.with_extension("db-shm"))?;
    fs::rename(new, path)?;
    create::sync_directory(path)?;
    Ok(aside)
}

fn keep(from: &Path, to: &Path) -> io::Result<()> {
    match fs::hard_link(from, to) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}
