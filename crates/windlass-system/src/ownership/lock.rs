//! File locks: at most one holder a key, over all processes of the machine.
//!
//! The kernel frees a lock when the last descriptor of it is closed, in peace or by `kill -9`.
//! What the file holds is only there to name the holder; it decides nothing.

use std::{
    fmt::Write as _,
    fs::{self, File, OpenOptions},
    io::{self, Seek, Write},
    os::{
        fd::OwnedFd,
        unix::fs::{FileExt, MetadataExt, OpenOptionsExt},
    },
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use rustix::fs::{FlockOperation, flock};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use windlass_core::ids::LoopId;

use super::Owner;
use crate::home;

/// How long to sleep between two looks at a lock whose holder is about to go.
const PAUSE: Duration = Duration::from_millis(10);

/// How long is waited in any case, for a holder that has not yet written its name, or for somebody
/// who only looks.
const LEAST_WAIT: Duration = Duration::from_millis(50);

/// How long the words of a holder can be, and how often they are looked at before giving up.
const LONGEST: usize = 4096;
const MOST_LOOKS: u32 = 100;

/// What a lock is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LockKey(String);

impl LockKey {
    /// For running a loop.
    pub fn of_loop(id: &LoopId) -> Self {
        Self(format!("loop-{id}"))
    }

    /// For working in a tree, by whichever path it is reached.
    pub fn of_tree(tree: &Path) -> Self {
        use std::os::unix::ffi::OsStrExt;
        let tree = fs::canonicalize(tree).unwrap_or_else(|_| tree.to_owned());
        let hash = Sha256::digest(tree.as_os_str().as_bytes());
        let mut name = "tree-".to_owned();
        for byte in &hash[..16] {
            write!(name, "{byte:02x}").expect("a string takes whatever is written to it");
        }
        Self(name)
    }

    /// For bringing work to a branch of the repository with that git directory.
    pub fn of_branch(repository: &Path, branch: &str) -> Self {
        let tree = Self::of_tree(&repository.join("windlass-branch").join(branch));
        Self(tree.0.replacen("tree-", "branch-", 1))
    }

    /// For a worktree that is made before its loop is there.
    pub fn of_making(name: &str) -> Self {
        Self(format!("making-{name}"))
    }

    /// For mending the store.
    pub fn of_repair() -> Self {
        Self("repair".to_owned())
    }

    fn path(&self, home: &Path) -> PathBuf {
        home::locks(home).join(format!("{}.lock", self.0))
    }
}

/// Who holds a lock, and for which loop.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Holder {
    /// The process.
    pub owner: Owner,
    /// The loop.
    #[serde(rename = "loop")]
    pub loop_id: LoopId,
    /// The loop's name.
    pub name: String,
}

/// A lock was not to be had.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// Somebody has it.
    #[error("{}", held(holder.as_ref()))]
    Held {
        /// Who, where that is known.
        holder: Option<Holder>,
    },
    /// The lock file cannot be used.
    #[error("the lock `{}` cannot be used", path.display())]
    Unusable {
        /// The lock file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

fn held(holder: Option<&Holder>) -> String {
    match holder {
        Some(holder) => format!("loop `{}` has it (process {})", holder.name, holder.owner.pid),
        None => "another process has it".to_owned(),
    }
}

/// A lock that is held until it is dropped, and until every copy of its descriptor is closed.
#[derive(Debug)]
pub struct Lock {
    file: File,
}

impl Lock {
    /// Takes the lock, or says who has it.
    ///
    /// A holder that lives is named at once. One that is dead leaves a guardian that is just ending
    /// its descendants, so that is waited for, for `wait` at most.
    pub fn acquire(
        home: &Path,
        key: &LockKey,
        holder: &Holder,
        wait: Duration,
    ) -> Result<Self, LockError> {
        let path = key.path(home);
        Self::try_until(home, &path, holder, Instant::now() + wait.max(LEAST_WAIT))
            .unwrap_or_else(|source| Err(LockError::Unusable { path, source }))
    }

    /// Takes the lock away from a process that is stopped and so cannot let go of it.
    ///
    /// A new file is put in place of the locked one. The old holder keeps a lock on a file that
    /// nobody looks at any more; what it still writes is refused by the store, for its epoch is
    /// over. Of several that take over from the same process at once, one succeeds.
    pub fn take_over(
        home: &Path,
        key: &LockKey,
        holder: &Holder,
        from: &Owner,
    ) -> Result<Self, LockError> {
        let path = key.path(home);
        Self::try_take_over(home, &path, holder, from)
            .unwrap_or_else(|source| Err(LockError::Unusable { path, source }))
    }

    /// Who holds the lock, if anybody does.
    pub fn holder(home: &Path, key: &LockKey) -> Option<Holder> {
        holder_of(&key.path(home))
    }

    /// Who holds a lock in this home, if anybody does.
    pub fn any_holder(home: &Path) -> Option<Holder> {
        locks(home).find_map(|path| holder_of(&path))
    }

    /// All who hold a lock in this home.
    pub fn holders(home: &Path) -> Vec<Holder> {
        locks(home).filter_map(|path| holder_of(&path)).collect()
    }

    /// Lets go of the lock for good, and of its file.
    pub fn remove(self, home: &Path, key: &LockKey) {
        // Nobody else can lock it before it is gone; a file that stays does no harm.
        drop(fs::remove_file(key.path(home)));
    }

    /// Another descriptor of the same lock, for the guardian: the lock is free when both are gone.
    pub fn try_clone_fd(&self) -> io::Result<OwnedFd> {
        Ok(self.file.try_clone()?.into())
    }

    fn try_until(
        home: &Path,
        path: &Path,
        holder: &Holder,
        deadline: Instant,
    ) -> io::Result<Result<Self, LockError>> {
        home::create_private(&home::locks(home))?;
        loop {
            let file = open(path)?;
            let locked = flock(&file, FlockOperation::NonBlockingLockExclusive);
            match locked {
                // Between opening and locking, somebody may have put another file in its place.
                Ok(()) if !is_at(&file, path) => continue,
                Ok(()) => return Self::sign(file, holder).map(Ok),
                Err(error) if error != rustix::io::Errno::WOULDBLOCK => return Err(error.into()),
                Err(_) => {}
            }
            let other = read_holder(&file);
            let lives = other.as_ref().is_some_and(|other| other.owner.is_alive());
            if lives || Instant::now() >= deadline {
                return Ok(Err(LockError::Held { holder: other }));
            }
            thread::sleep(PAUSE);
        }
    }

    fn try_take_over(
        home: &Path,
        path: &Path,
        holder: &Holder,
        from: &Owner,
    ) -> io::Result<Result<Self, LockError>> {
        home::create_private(&home::locks(home))?;
        // Those that take over come one after the other.
        let turn = open(&path.with_extension("turn"))?;
        flock(&turn, FlockOperation::LockExclusive)?;
        let file = open(path)?;
        if flock(&file, FlockOperation::NonBlockingLockExclusive).is_ok() && is_at(&file, path) {
            return Self::sign(file, holder).map(Ok);
        }
        let other = read_holder(&file);
        if other.as_ref().is_none_or(|other| other.owner != *from) {
            return Ok(Err(LockError::Held { holder: other }));
        }
        let new = path.with_extension(format!("new-{:08x}", fastrand::u32(..)));
        let lock = OpenOptions::new()
            .read(true)
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(&new)
            .and_then(|file| {
                flock(&file, FlockOperation::NonBlockingLockExclusive)?;
                Self::sign(file, holder)
            })?;
        fs::rename(&new, path)?;
        Ok(Ok(lock))
    }

    /// Writes into the lock file who holds it.
    fn sign(mut file: File, holder: &Holder) -> io::Result<Self> {
        file.set_len(0)?;
        file.rewind()?;
        file.write_all(&serde_json::to_vec(holder)?)?;
        Ok(Self { file })
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Without a name in it nobody is told of a holder who has let go; a copy of the descriptor
        // may keep the lock for a moment longer. If it fails, the name is a little out of date.
        drop(self.file.set_len(0));
    }
}

/// The lock files of a home.
fn locks(home: &Path) -> impl Iterator<Item = PathBuf> {
    let entries = fs::read_dir(home::locks(home)).into_iter().flatten();
    entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "lock"))
}

fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).write(true).create(true).truncate(false).mode(0o600).open(path)
}

fn holder_of(path: &Path) -> Option<Holder> {
    let file = File::open(path).ok()?;
    match flock(&file, FlockOperation::NonBlockingLockShared) {
        Ok(()) => None,
        Err(_) => read_holder(&file),
    }
}

fn is_at(file: &File, path: &Path) -> bool {
    match (file.metadata(), fs::metadata(path)) {
        (Ok(mine), Ok(there)) => (mine.dev(), mine.ino()) == (there.dev(), there.ino()),
        _ => false,
    }
}

/// Who has signed the file. They may be writing just now, so two looks at it must agree.
fn read_holder(file: &File) -> Option<Holder> {
    let mut before = look(file)?;
    for _ in 0..MOST_LOOKS {
        let now = look(file)?;
        if now == before {
            return serde_json::from_slice(&now).ok();
        }
        before = now;
    }
    None
}

/// What the file holds, in one read: of several each could be of another writer's words.
fn look(file: &File) -> Option<Vec<u8>> {
    let mut bytes = vec![0; LONGEST];
    let length = file.read_at(&mut bytes, 0).ok()?;
    bytes.truncate(length);
    Some(bytes)
}
