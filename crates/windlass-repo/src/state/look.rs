//! Looks at the files of a repository, and reads only those that are not as they were.

use std::{
    collections::HashMap,
    os::fd::{AsFd, OwnedFd},
    path::Path,
    sync::Arc,
    time::{SystemTime, UNIX_EPOCH},
};

use rustix::{
    fs::{AtFlags, FileType, Mode, OFlags, RawDir, open, readlinkat, statat},
    io::Errno,
};
use windlass_system::below::{self, Links, open_dir};

use super::fact::{About, Leaf, State};

/// A change within this time of a look may not show in the stat data.
const STEP_NS: i128 = 2_000_000_000;

/// So many names of a directory are looked at.
const MOST_NAMES: usize = 20_000;

/// A directory that agents may have written, and what it is called.
#[derive(Debug)]
pub(super) struct Dir {
    fd: OwnedFd,
    /// Its path as it is shown.
    pub(super) shown: String,
}

/// What tells one content of a file from another without reading it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    pub(super) kind: FileType,
    pub(super) mode: u32,
    pub(super) size: u64,
    inode: u64,
    device: u64,
    modified_ns: i128,
    changed_ns: i128,
}

impl Mark {
    #[expect(clippy::unnecessary_cast, reason = "the fields have other types on other systems")]
    fn of(stat: &rustix::fs::Stat) -> Self {
        let ns = |seconds: i64, ns: i128| i128::from(seconds) * 1_000_000_000 + ns;
        Self {
            kind: FileType::from_raw_mode(stat.st_mode),
            mode: stat.st_mode as u32,
            size: u64::try_from(stat.st_size).unwrap_or(0),
            inode: stat.st_ino as u64,
            device: stat.st_dev as u64,
            modified_ns: ns(stat.st_mtime as i64, stat.st_mtime_nsec as i128),
            changed_ns: ns(stat.st_ctime as i64, stat.st_ctime_nsec as i128),
        }
    }

    /// Whether a later change could leave it as it is.
    pub(super) fn is_racy(&self) -> bool {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let now = now.map_or(0, |since| i128::try_from(since.as_nanos()).unwrap_or(i128::MAX));
        self.changed_ns + STEP_NS > now
    }

    /// What it is, where it is no file and no directory.
    pub(super) fn strange(&self) -> Option<&'static str> {
        match self.kind {
            FileType::RegularFile | FileType::Directory => None,
            FileType::Symlink => Some("a symbolic link"),
            FileType::Fifo => Some("a pipe"),
            _ => Some("a socket or a device"),
        }
    }
}

impl Dir {
    /// Opens a directory by its whole path, which was resolved before an agent acted; the directory
    /// itself may have been replaced by a link since, which is not followed.
    pub(super) fn at(path: &Path, shown: String) -> Option<Self> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        open(path, flags, Mode::empty()).ok().map(|fd| Self { fd, shown })
    }

    /// Opens a directory in it, following no link.
    pub(super) fn dir(&self, name: &[u8]) -> Option<Self> {
        let fd = open_dir(&self.fd, name).ok()?;
        Some(Self { fd, shown: self.shown(name) })
    }

    /// Opens a directory in it under another name than its path.
    pub(super) fn dir_as(&self, name: &[u8], shown: String) -> Option<Self> {
        Some(Self { fd: open_dir(&self.fd, name).ok()?, shown })
    }

    /// What a name in it is called.
    pub(super) fn shown(&self, name: &[u8]) -> String {
        let name = String::from_utf8_lossy(name);
        if self.shown.is_empty() { name.into_owned() } else { format!("{}/{name}", self.shown) }
    }

    /// What is at a path in it.
    pub(super) fn mark(&self, path: &[u8]) -> Option<Mark> {
        let (parent, name) = below::split(path);
        let stat = if parent.is_empty() {
            statat(&self.fd, name, AtFlags::SYMLINK_NOFOLLOW)
        } else {
            statat(open_dir(&self.fd, parent).ok()?, name, AtFlags::SYMLINK_NOFOLLOW)
        };
        stat.ok().map(|stat| Mark::of(&stat))
    }

    /// Where a link in it leads.
    pub(super) fn target(&self, name: &[u8]) -> String {
        let target = readlinkat(&self.fd, name, Vec::new());
        target.map_or_else(|_| String::new(), |target| target.to_string_lossy().into_owned())
    }

    /// The content of a file in it, if that is a file of at most `most` bytes.
    pub(super) fn read(&self, path: &[u8], most: u64) -> Option<Vec<u8>> {
        below::read(&self.fd, path, Links::Refused, most).ok()
    }

    /// The names in it with what they are, sorted; not more than can be looked at.
    pub(super) fn names(&self) -> Vec<(Vec<u8>, FileType)> {
        let mut found = Vec::new();
        let Ok(listed) = open_dir(&self.fd, b"") else { return found };
        let mut buffer = Vec::with_capacity(16 << 10);
        let mut entries = RawDir::new(listed, buffer.spare_capacity_mut());
        while let Some(Ok(entry)) = entries.next() {
            let name = entry.file_name().to_bytes();
            if name == b"." || name == b".." {
                continue;
            }
            let kind = match entry.file_type() {
                FileType::Unknown => self.mark(name).map_or(FileType::Unknown, |mark| mark.kind),
                kind => kind,
            };
            found.push((name.to_vec(), kind));
            if found.len() >= MOST_NAMES {
                break;
            }
        }
        found.sort_unstable_by(|one, other| one.0.cmp(&other.0));
        found
    }
}

impl AsFd for Dir {
    fn as_fd(&self) -> std::os::fd::BorrowedFd<'_> {
        self.fd.as_fd()
    }
}

/// What was read before, by path, with the mark that the file had then.
#[derive(Debug, Default)]
pub(super) struct Known(HashMap<String, (Mark, Arc<Leaf>)>);

/// One look at everything.
pub(super) struct Look<'a> {
    known: &'a Known,
    seen: Known,
    /// What was found.
    pub(super) state: State,
}

impl<'a> Look<'a> {
    /// A look that reads again only what is not as `known` has it.
    pub(super) fn new(known: &'a Known) -> Self {
        Self { known, seen: Known::default(), state: State::default() }
    }

    /// What was found, and what is to be known the next time.
    pub(super) fn end(self) -> (State, Known) {
        (self.state, self.seen)
    }

    /// Adds one fact.
    pub(super) fn fact(&mut self, path: String, about: About, name: &str, value: String) {
        let leaf = self.state.0.entry(path).or_default();
        Arc::make_mut(leaf).insert((about, name.to_owned()), value);
    }

    /// Adds what a file says, read by `read` unless it is known. What is there and no file, or too
    /// large, is a fact of its own.
    pub(super) fn file(
        &mut self,
        dir: &Dir,
        path: &[u8],
        most: u64,
        read: impl FnOnce(&[u8], &mut Leaf),
    ) -> Option<Arc<Leaf>> {
        let mark = dir.mark(path)?;
        let shown = dir.shown(path);
        if mark.kind.is_dir() {
            return None;
        }
        if let Some((then, leaf)) = self.known.0.get(&shown)
            && *then == mark
        {
            return Some(self.keep(shown, mark, leaf.clone()));
        }
        let mut leaf = Leaf::new();
        let strange = |what: String| ((About::Strange, String::new()), what);
        if mark.kind.is_symlink() {
            let (parent, name) = below::split(path);
            let target = open_dir(dir, parent).and_then(|dir| readlinkat(dir, name, Vec::new()));
            let target = target.map_or_else(
                |_: Errno| String::new(),
                |target| target.to_string_lossy().into_owned(),
            );
            leaf.insert((About::Link, String::new()), target);
        } else if let Some(what) = mark.strange() {
            leaf.extend([strange(what.to_owned())]);
        } else if mark.size > most {
            leaf.extend([strange(format!("{} MiB large", mark.size >> 20))]);
        } else if let Some(bytes) = dir.read(path, most) {
            read(&bytes, &mut leaf);
        } else {
            leaf.extend([strange("a file that cannot be read".to_owned())]);
        }
        Some(self.keep(shown, mark, Arc::new(leaf)))
    }

    fn keep(&mut self, shown: String, mark: Mark, leaf: Arc<Leaf>) -> Arc<Leaf> {
        if !mark.is_racy() {
            self.seen.0.insert(shown.clone(), (mark, leaf.clone()));
        }
        match self.state.0.entry(shown) {
            std::collections::btree_map::Entry::Vacant(vacant) => {
                vacant.insert(leaf.clone());
            }
            std::collections::btree_map::Entry::Occupied(mut other) => {
                let facts = leaf.iter().map(|(key, value)| (key.clone(), value.clone()));
                Arc::make_mut(other.get_mut()).extend(facts);
            }
        }
        leaf
    }
}
