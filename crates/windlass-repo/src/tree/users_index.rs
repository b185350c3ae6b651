//! The user's index: locked so that other gits are kept out, and changed by one rename.
//!
//! The lock holds a mark, by which it is known for ours when a process was killed that held it.

use std::{
    collections::BTreeMap,
    ffi::OsStr,
    fs,
    io::ErrorKind,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
    time::Duration,
};

use windlass_system::below::{self, Content, Links, Root};

use super::{
    IndexChange, IndexEntry, Tree, TreeError, listing::RawPath, own::copy_bounded,
    repository::object_id,
};

/// How often, and at what distance, a locked index is tried.
const TRIES: u32 = 15;
const BETWEEN: Duration = Duration::from_millis(200);

/// A mark of ours is no longer.
const MOST_MARK: u64 = 4096;

/// The new index beside the user's, so that one rename puts it in place.
const NEW: &str = "windlass-index";

/// What takes the place of the lock.
const MARK: &str = "windlass-mark";

/// The lock of a user's index, held.
pub(super) struct IndexLock {
    path: PathBuf,
    /// Whether it was there, left by the same change when that was cut off.
    pub(super) was_ours: bool,
}

impl Tree {
    /// Keeps other gits out of the index.
    pub(super) async fn lock_index(&self, mark: &str) -> Result<IndexLock, TreeError> {
        let path = self.index_lock();
        if self.is_our_lock(mark) {
            self.clear_index();
            return Ok(IndexLock { path, was_ours: true });
        }
        let written = self.repository.git_dir.join(MARK);
        // A link puts it in place whole: a lock that is there is known for what it is.
        let root = Root::open(&self.repository.git_dir).map_err(std::io::Error::from);
        root.and_then(|root| {
            below::write(root, MARK.as_bytes(), Content::File(mark.as_bytes(), false))
        })
        .map_err(TreeError::io("write", &written))?;
        let mut taken = Err(TreeError::IndexLocked { lock: path.clone() });
        for _ in 0..TRIES {
            match fs::hard_link(&written, &path) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                    tokio::time::sleep(BETWEEN).await;
                }
                linked => {
                    let linked = linked.map_err(TreeError::io("write", &path));
                    taken = linked.map(|()| IndexLock { path, was_ours: false });
                    break;
                }
            }
        }
        drop(fs::remove_file(&written));
        taken
    }

    /// Lets other gits in again.
    pub(super) fn unlock_index(&self, lock: &IndexLock) {
        self.clear_index();
        drop(fs::remove_file(&lock.path));
    }

    /// Removes the lock that a change left which was cut off, if it is there.
    pub(super) fn break_our_lock(&self, mark: &str) {
        self.clear_index();
        if self.is_our_lock(mark) {
            drop(fs::remove_file(self.index_lock()));
        }
    }

    /// Removes what was to take the place of the index, or of its lock. Only for whoever has the
    /// work tree.
    pub(super) fn clear_index(&self) {
        // An earlier windlass had git write the new index in this place.
        for left in [NEW, MARK, "windlass-index.lock"] {
            drop(fs::remove_file(self.repository.git_dir.join(left)));
        }
        if let Ok(root) = Root::open(&self.repository.git_dir) {
            drop(below::remove_unfinished(root, b""));
        }
    }

    /// Puts another index, which is in our own directory, in the place of the user's.
    pub(super) fn put_index(&self, name: &str) -> Result<(), TreeError> {
        let new = self.repository.git_dir.join(NEW);
        let users = self.repository.index();
        copy_bounded(self.own.path(), name.as_bytes(), &new)
            .and_then(|()| fs::rename(&new, &users))
            .map_err(TreeError::io("write", &users))
    }

    /// Changes what the user's index has for some paths, all of them or none.
    pub(super) async fn set_entries(
        &self,
        mark: &str,
        wanted: &[(&Path, Option<&IndexEntry>)],
    ) -> Result<(), TreeError> {
        let lock = self.lock_index(mark).await?;
        let name = format!("index-users-{:08x}", fastrand::u32(..));
        let index = self.own.path().join(&name);
        let set = async {
            self.copy_index_if_any(&index)?;
            let call = self.with_index(&index).args(["update-index", "-z", "--index-info"]);
            self.git.run(call.stdin(self.index_info(wanted))).await?;
            // The user's git need not read the files again.
            let refresh = self.with_index(&index).args(["update-index", "-q", "--refresh"]);
            self.git.run(refresh.accepting(&[0, 1])).await?;
            self.put_index(&name)
        };
        let set = set.await;
        drop(fs::remove_file(&index));
        self.unlock_index(&lock);
        set
    }

    /// What the user's index has, by path. Paths of which a merge left more than one are not there.
    pub(super) async fn users_entries(&self) -> Result<BTreeMap<RawPath, IndexEntry>, TreeError> {
        let index = self.own.path().join(format!("index-users-{:08x}", fastrand::u32(..)));
        let entries = async {
            self.copy_index_if_any(&index)?;
            self.entries_of(&index).await
        };
        let entries = entries.await;
        drop(fs::remove_file(&index));
        entries
    }

    /// What an index has, by path.
    pub(super) async fn entries_of(
        &self,
        index: &Path,
    ) -> Result<BTreeMap<RawPath, IndexEntry>, TreeError> {
        let call = self.with_index(index).args(["ls-files", "-z", "--stage", "--full-name"]);
        Ok(entries(&self.git.run(call).await?.stdout, |words| match words {
            [mode, id, b"0"] => Some((mode, id)),
            _ => None,
        }))
    }

    /// What a commit has, by path.
    pub(super) async fn entries_in(
        &self,
        commit: &str,
    ) -> Result<BTreeMap<RawPath, IndexEntry>, TreeError> {
        let call = self.in_repository().args(["ls-tree", "-r", "-z", "--full-tree"]);
        let call = call.args(["--end-of-options", commit]);
        Ok(entries(&self.git.run(call).await?.stdout, |words| match words {
            [mode, _, id] => Some((mode, id)),
            _ => None,
        }))
    }

    /// Copies the user's index, if there is one.
    fn copy_index_if_any(&self, to: &Path) -> Result<(), TreeError> {
        self.own.mirror_shared_index(&self.repository)?;
        match self.repository.checked_index()? {
            Some(_) => self.copy_index(to),
            None => Ok(()),
        }
    }

    fn index_info(&self, wanted: &[(&Path, Option<&IndexEntry>)]) -> Vec<u8> {
        let zero = self.own.zero_id();
        let mut info = Vec::new();
        // What goes comes first: a file may take the place of a directory.
        let gone = wanted.iter().filter(|(_, entry)| entry.is_none());
        for (path, entry) in gone.chain(wanted.iter().filter(|(_, entry)| entry.is_some())) {
            let (mode, id) = entry.map_or(("0", zero.as_str()), |entry| (&entry.mode, &entry.id));
            info.extend(format!("{mode} {id}\t").into_bytes());
            info.extend_from_slice(path.as_os_str().as_bytes());
            info.push(0);
        }
        info
    }

    fn index_lock(&self) -> PathBuf {
        self.repository.git_dir.join("index.lock")
    }

    fn is_our_lock(&self, mark: &str) -> bool {
        let held = Root::open(&self.repository.git_dir)
            .map_err(std::io::Error::from)
            .and_then(|root| below::read(root, b"index.lock", Links::Refused, MOST_MARK));
        held.is_ok_and(|held| held == mark.as_bytes())
    }
}

/// What is to change in the index for these paths, from what is there to what another index has.
pub(super) fn index_changes<'a>(
    paths: impl Iterator<Item = &'a RawPath>,
    before: &BTreeMap<RawPath, IndexEntry>,
    after: &BTreeMap<RawPath, IndexEntry>,
) -> Vec<IndexChange> {
    let change = |path: &RawPath| IndexChange {
        path: OsStr::from_bytes(path).into(),
        before: before.get(path).cloned(),
        after: after.get(path).cloned(),
    };
    paths.map(change).collect()
}

/// Lines of words, a tab and a path, ended by NUL.
fn entries<'a>(
    output: &'a [u8],
    pick: impl Fn(&[&'a [u8]]) -> Option<(&'a [u8], &'a [u8])>,
) -> BTreeMap<RawPath, IndexEntry> {
    let entry = |line: &'a [u8]| {
        let tab = line.iter().position(|byte| *byte == b'\t')?;
        let words: Vec<&[u8]> = line[..tab].split(|byte| *byte == b' ').collect();
        let (mode, id) = pick(&words)?;
        let mode = String::from_utf8_lossy(mode).into_owned();
        Some((line[tab + 1..].to_vec(), IndexEntry { mode, id: object_id(id)? }))
    };
    output.split(|byte| *byte == 0).filter_map(entry).collect()
}
