//! Finds out what stands in the way of originals, before anything is touched.

use std::{
    collections::BTreeMap,
    ffi::OsStr,
    io,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
};

use windlass_system::below::{self, Root};

use super::{Entry, Opened, Original, Put, Swap, Wanted};

/// What its owner needs of a directory.
const OWN: u32 = 0o700;

/// A swap, and what is put in by it.
pub(super) struct Plan {
    pub(super) swap: Swap,
    /// By the numbers of the entries.
    pub(super) originals: Vec<Option<Original>>,
}

impl Swap {
    /// One that moves nothing yet. `own` is windlass's own directory for the work tree.
    pub(super) fn new(own: &Path) -> Self {
        let mark = format!("{:016x}", fastrand::u64(..));
        Self {
            aside: own.join(format!("aside-{mark}")),
            inside: format!(".windlass-aside-{mark}"),
            kept: own.join(format!("kept-{mark}")),
            entries: Vec::new(),
            made: Vec::new(),
            opened: Vec::new(),
            modified: 0,
        }
    }

    /// The outermost directory on the way to a path that has to be opened first, with its mode.
    pub(super) fn closed_on_the_way(&self, top: &Root, path: &Path) -> Option<(PathBuf, u32)> {
        let mut above: Vec<&Path> = path.ancestors().skip(1).collect();
        above.reverse();
        above.into_iter().filter(|it| !it.as_os_str().is_empty()).find_map(|directory| {
            let stood = below::stood(top, directory.as_os_str().as_bytes()).ok().flatten()?;
            let is_closed = stood.kind().is_dir() && stood.mode & OWN != OWN;
            is_closed.then(|| (directory.to_owned(), stood.mode & 0o7777))
        })
    }

    /// Opens a directory, which is written down before.
    pub(super) fn open(&mut self, (path, mode): (PathBuf, u32)) {
        self.opened.push((Opened(path), mode));
    }

    /// Opens what is written down.
    pub(super) fn open_all(&self, top: &Root) -> io::Result<()> {
        for (Opened(path), mode) in &self.opened {
            below::set_mode(top, path.as_os_str().as_bytes(), mode | OWN)?;
        }
        Ok(())
    }
}

impl Plan {
    /// Decides on every path. All directories on the way can be looked into by now.
    pub(super) fn of(swap: Swap, top: &Root, wanted: Vec<Wanted>) -> io::Result<Self> {
        let wanted: BTreeMap<PathBuf, Wanted> =
            wanted.into_iter().map(|one| (one.path.clone(), one)).collect();
        let mut plan = Self { swap, originals: Vec::new() };
        for (path, Wanted { original, only_second, is_written_by_checks, .. }) in wanted {
            if plan.is_moved_with_what_is_above(&path) && original.is_none() {
                continue;
            }
            if original.is_some() {
                plan.clear_the_way(top, &path)?;
            }
            let found = match plan.is_made(&path) {
                true => None,
                false => below::stood(top, path.as_os_str().as_bytes())?,
            };
            if found.is_none() && original.is_none() {
                continue;
            }
            let put = original.as_ref().map_or(Put::Nothing, Put::of);
            let found = found.map(|found| (found.device, found.inode));
            plan.swap.entries.push(Entry { path, found, put, only_second, is_written_by_checks });
            plan.originals.push(original);
        }
        Ok(plan)
    }

    /// Whether something above a path is moved aside, and the path with it.
    fn is_moved_with_what_is_above(&self, path: &Path) -> bool {
        let above = |entry: &Entry| path != entry.path && path.starts_with(&entry.path);
        self.swap.entries.iter().any(|entry| !entry.only_second && above(entry))
    }

    fn is_made(&self, path: &Path) -> bool {
        path.ancestors().skip(1).any(|above| self.swap.made.iter().any(|made| made == above))
    }

    /// Notes the directories that have to be made for a path, and what stands in their place.
    fn clear_the_way(&mut self, top: &Root, path: &Path) -> io::Result<()> {
        let mut above: Vec<&Path> = path.ancestors().skip(1).collect();
        above.reverse();
        for directory in above.into_iter().filter(|it| !it.as_os_str().is_empty()) {
            if self.swap.made.iter().any(|made| made == directory) {
                continue;
            }
            if self.is_moved_with_what_is_above(directory) || self.is_made(directory) {
                self.swap.made.push(directory.to_owned());
                continue;
            }
            match below::stood(top, OsStr::as_bytes(directory.as_os_str()))? {
                Some(stood) if stood.kind().is_dir() => {}
                None => self.swap.made.push(directory.to_owned()),
                Some(stood) => {
                    self.swap.made.push(directory.to_owned());
                    self.swap.entries.push(Entry {
                        path: directory.to_owned(),
                        found: Some((stood.device, stood.inode)),
                        put: Put::Directory,
                        only_second: false,
                        is_written_by_checks: false,
                    });
                    self.originals.push(None);
                }
            }
        }
        Ok(())
    }
}
