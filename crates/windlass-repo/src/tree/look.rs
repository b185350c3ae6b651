//! Looks at directories and says which of them are not as they were: the part of a snapshot that
//! runs every time, so it does no more than a `stat` a file.

use std::{
    ffi::CString,
    num::NonZero,
    os::fd::{AsFd, BorrowedFd, OwnedFd},
    sync::atomic::{AtomicUsize, Ordering},
    thread,
    time::{SystemTime, UNIX_EPOCH},
};

use rustix::{
    fs::{AtFlags, Mode, OFlags, RawDir, fstat, openat, statat},
    io::Errno,
};

use windlass_system::below;

use super::{
    listing::{Dir, Held, Listing, RawPath, Seen, SeenDir, Stat},
    tracked::TrackedPaths,
};

/// Fewer directories than this are looked at by one thread: starting more costs more.
const WORTH_THREADS: usize = 16;

/// Directories that lie deeper are not looked into.
const DEEPEST: usize = 200;

/// Looks at `dirs` (each with whether it is confined) and reports those that differ from `known`.
pub(super) fn look(
    top: &OwnedFd,
    dirs: &[(RawPath, bool)],
    known: &Listing,
    tracked: &TrackedPaths,
) -> Result<Vec<Seen>, Errno> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut found = Vec::new();
        let look = Look { top: top.as_fd(), known, tracked, now_ns: now_ns() };
        while let Some((path, confined)) = dirs.get(next.fetch_add(1, Ordering::Relaxed)) {
            found.extend(look.at(path, *confined)?);
        }
        Ok(found)
    };
    let threads = thread::available_parallelism().map_or(1, NonZero::get).min(4);
    if dirs.len() < WORTH_THREADS || threads == 1 {
        return work();
    }
    thread::scope(|scope| {
        // With fewer threads than wanted, or none, it takes longer.
        let start = |_| thread::Builder::new().spawn_scoped(scope, work).ok();
        let others: Vec<_> = (1..threads).filter_map(start).collect();
        let mut found = work()?;
        for other in others {
            found.extend(other.join().expect("looking at a directory does not panic")?);
        }
        Ok(found)
    })
}

pub(super) fn now_ns() -> i128 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| i128::try_from(since.as_nanos()).unwrap_or(i128::MAX))
}

struct Look<'a> {
    top: BorrowedFd<'a>,
    known: &'a Listing,
    tracked: &'a TrackedPaths,
    now_ns: i128,
}

impl Look<'_> {
    fn at(&self, path: &[u8], confined: bool) -> Result<Option<Seen>, Errno> {
        let known = self.known.dirs.get(path);
        let gone = || Ok(Some(Seen { path: path.to_vec(), dir: None }));
        // Git is asked once for each level.
        if path.iter().filter(|byte| **byte == b'/').count() >= DEEPEST {
            return gone();
        }
        let dir = match below::open_dir(self.top, path) {
            Ok(dir) => dir,
            // The top must be there; anything below may come and go.
            Err(error) if path.is_empty() => return Err(error),
            Err(
                Errno::NOENT
                | Errno::NOTDIR
                | Errno::LOOP
                | Errno::XDEV
                | Errno::ACCESS
                | Errno::NAMETOOLONG,
            ) => return gone(),
            Err(error) => return Err(error),
        };
        let stat = to_stat(&fstat(&dir)?);
        if let Some(known) = known
            && known.confined == confined
            && self.is_as_known(&dir, stat, known)?
        {
            return Ok(None);
        }
        let (names, foreign) = self.names(&dir, path, confined)?;
        let mut entries = Vec::with_capacity(names.len());
        for name in names {
            if let Some(stat) = stat_at(&dir, &name)? {
                entries.push((name, stat));
            }
        }
        let dir = SeenDir { stat, seen_at_ns: self.now_ns, confined, foreign, entries };
        Ok(Some(Seen { path: path.to_vec(), dir: Some(dir) }))
    }

    fn is_as_known(&self, dir: &OwnedFd, stat: Stat, known: &Dir) -> Result<bool, Errno> {
        if stat != known.stat || stat.is_racy(known.seen_at_ns) {
            return Ok(false);
        }
        for (name, entry) in &known.entries {
            // Whatever is in an ignored directory does not count, and so the directory may change.
            if entry.ignored == Some(true) && entry.stat.file_type().is_dir() {
                continue;
            }
            let is_unsure = matches!(entry.held, Held::IfContent(_));
            if is_unsure || stat_at(dir, name)?.is_none_or(|now| !is_same(&now, &entry.stat)) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The names that count in a directory, and whether it is the top of another repository.
    fn names(
        &self,
        dir: &OwnedFd,
        path: &[u8],
        confined: bool,
    ) -> Result<(Vec<RawPath>, bool), Errno> {
        let mut names = Vec::new();
        let mut foreign = false;
        let listed =
            openat(dir, c".", OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
        let mut buffer = Vec::with_capacity(32 << 10);
        let mut entries = RawDir::new(listed, buffer.spare_capacity_mut());
        while let Some(entry) = entries.next() {
            let entry = entry?;
            let name = entry.file_name().to_bytes();
            // Git holds no such name in any case of its letters.
            if name.eq_ignore_ascii_case(b".git") {
                foreign |= !path.is_empty() && name == b".git";
            } else if name != b"." && name != b".." {
                names.push(name.to_vec());
            }
        }
        if confined || foreign {
            let tracked = self.tracked.names(path);
            names.retain(|name| tracked.is_some_and(|tracked| tracked.contains_key(name)));
        }
        Ok((names, foreign))
    }
}

/// A directory's own stat data are compared when it is looked into; here only its type counts.
fn is_same(now: &Stat, then: &Stat) -> bool {
    now == then || (now.file_type().is_dir() && then.file_type().is_dir())
}

fn stat_at(dir: &OwnedFd, name: &[u8]) -> Result<Option<Stat>, Errno> {
    let name = CString::new(name).map_err(|_| Errno::INVAL)?;
    match statat(dir, &name, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(stat) => Ok(Some(to_stat(&stat))),
        Err(Errno::NOENT | Errno::ACCESS) => Ok(None),
        Err(error) => Err(error),
    }
}

#[expect(clippy::unnecessary_cast, reason = "the fields have other types on other systems")]
fn to_stat(stat: &rustix::fs::Stat) -> Stat {
    let ns = |seconds: i64, ns: i128| i128::from(seconds) * 1_000_000_000 + ns;
    Stat {
        mode: stat.st_mode as u32,
        size: u64::try_from(stat.st_size).unwrap_or(0),
        device: stat.st_dev as u64,
        inode: stat.st_ino as u64,
        modified_ns: ns(stat.st_mtime as i64, stat.st_mtime_nsec as i128),
        changed_ns: ns(stat.st_ctime as i64, stat.st_ctime_nsec as i128),
    }
}
