//! Puts the agent's files back. Each decision goes by what is there now, so it does not matter how far
//! the swap had come, nor how far an earlier way back.

use std::{
    collections::BTreeSet,
    ffi::OsStr,
    fs::{self, DirBuilder},
    io,
    os::unix::{ffi::OsStrExt, fs::DirBuilderExt},
    path::Path,
};

use rustix::io::Errno;
use serde::{Deserialize, Serialize};
use windlass_system::{
    below::{self, Root},
    clock,
};

use super::{COMPLETE, Entry, Opened, Put, Swap, shown, state::Now};

/// How the agent's files came back.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PutBack {
    /// Originals that were changed meanwhile.
    pub disturbed: Vec<String>,
    /// Paths that somebody else has written, and that were left alone, each with where the agent's
    /// version is.
    pub left_alone: Vec<String>,
}

impl Swap {
    /// Puts the agent's files back. Doing so twice is doing so once.
    ///
    /// # Errors
    /// A file could not be moved; it can be tried again.
    pub fn undo(&self, top: &Path) -> io::Result<PutBack> {
        let root = Root::open(top)?;
        // Directories that were made and are gone again need not be opened.
        drop(self.open_all(&root));
        let mut back = Back {
            swap: self,
            root: &root,
            is_complete: self.aside.join(OsStr::from_bytes(COMPLETE)).exists(),
            aside: Root::open(&self.aside).ok(),
            modified: self.later(&root),
            report: PutBack::default(),
        };
        let folders: BTreeSet<&[u8]> =
            self.entries.iter().map(|entry| below::split(entry.bytes()).0).collect();
        for folder in folders {
            drop(below::remove_unfinished(&root, folder));
        }
        let all = || self.entries.iter().enumerate().rev();
        for (number, entry) in all().filter(|(_, entry)| entry.put != Put::Directory) {
            back.put_back(number, entry).map_err(|error| at(&entry.path, error))?;
        }
        for made in self.made.iter().rev() {
            below::remove_empty(&root, made.as_os_str().as_bytes());
        }
        for (number, entry) in all().filter(|(_, entry)| entry.put == Put::Directory) {
            back.put_back(number, entry).map_err(|error| at(&entry.path, error))?;
        }
        let mut report = back.report;
        report.disturbed.reverse();
        self.close(&root);
        Ok(report)
    }

    /// A second that is later than any that an original or a build has seen.
    fn later(&self, root: &Root) -> i64 {
        let now = clock::now().0.div_euclid(1000);
        let newest = below::newest(root).unwrap_or(now);
        newest.max(now).max(self.modified).saturating_add(1)
    }

    /// Gives directories their modes back, and removes what is empty of our own.
    fn close(&self, root: &Root) {
        for (Opened(path), mode) in self.opened.iter().rev() {
            // One that is gone has no mode.
            let _ = below::set_mode(root, path.as_os_str().as_bytes(), *mode);
        }
        drop(fs::remove_file(self.aside.join(OsStr::from_bytes(COMPLETE))));
        if let Ok(aside) = Root::open(&self.aside) {
            drop(below::remove_unfinished(&aside, b""));
        }
        drop(below::remove_unfinished(root, self.inside.as_bytes()));
        drop(fs::remove_dir(&self.aside));
        let inside = self.inside.as_bytes();
        let rules = format!("{}/.gitignore", self.inside);
        let is_empty = below::walk(root).is_ok_and(|walked| {
            let is_in = |path: &&Vec<u8>| path.starts_with(inside) && **path != rules.as_bytes();
            !walked.files.iter().any(|path| is_in(&path))
        });
        if is_empty && below::stood(root, inside).is_ok_and(|stood| stood.is_some()) {
            drop(below::remove_file(root, rules.as_bytes()));
            below::remove_empty(root, inside);
        }
    }
}

/// A way back.
struct Back<'a> {
    swap: &'a Swap,
    root: &'a Root,
    aside: Option<Root>,
    /// Whether every original was in its place.
    is_complete: bool,
    /// The second in which the agent's files are said to be modified.
    modified: i64,
    report: PutBack,
}

impl Back<'_> {
    fn put_back(&mut self, number: usize, entry: &Entry) -> io::Result<()> {
        let Some((aside, name)) = self.place_aside(number) else {
            return self.take_away(number, entry);
        };
        match entry.now(self.root, None)? {
            // They changed places, and then it was cut off.
            Now::Agents => remove_ours(&aside, &name, entry),
            Now::Nothing => {
                if entry.put != Put::Nothing && entry.put != Put::Directory {
                    self.report.disturbed.push(shown(&entry.path));
                }
                below::make_dir(self.root, below::split(entry.bytes()).0)?;
                self.touch(&aside, &name);
                Ok(below::move_to(&aside, &name, self.root, entry.bytes())?)
            }
            Now::Ours if entry.put == Put::Directory => self.clear(number, entry, &aside, &name),
            Now::Other if entry.is_written_by_checks => self.clear(number, entry, &aside, &name),
            Now::Ours => {
                self.touch(&aside, &name);
                self.change_places(&aside, &name, entry, number)
            }
            Now::Other => self.leave_alone(number, entry, &aside, &name),
        }
    }

    /// Where a file of the agent's is; `None` where it is not aside.
    fn place_aside(&self, number: usize) -> Option<(Root, Vec<u8>)> {
        let name = number.to_string().into_bytes();
        let is_in =
            |root: &Root, name: &[u8]| below::stood(root, name).is_ok_and(|it| it.is_some());
        if let Some(aside) = self.aside.as_ref().filter(|aside| is_in(aside, &name)) {
            return Some((aside.try_clone().ok()?, name));
        }
        let inside = format!("{}/{number}", self.swap.inside).into_bytes();
        is_in(self.root, &inside).then(|| Some((self.root.try_clone().ok()?, inside)))?
    }

    /// Removes an original in the place of which there was nothing.
    fn take_away(&mut self, number: usize, entry: &Entry) -> io::Result<()> {
        if entry.found.is_some() || matches!(entry.put, Put::Nothing | Put::Directory) {
            return Ok(());
        }
        match entry.now(self.root, None)? {
            Now::Nothing | Now::Agents => Ok(()),
            // One that somebody else put there, before we came to it, has another time.
            Now::Ours if self.is_complete || self.is_in_time(entry)? => {
                below::remove_file(self.root, entry.bytes())
            }
            Now::Other if entry.is_written_by_checks => {
                Ok(self.keep_what_was_written(number, entry)?)
            }
            Now::Ours | Now::Other => {
                let path = shown(&entry.path);
                self.report.left_alone.push(format!("`{path}`, which the agent had deleted"));
                self.report.disturbed.push(path);
                Ok(())
            }
        }
    }

    fn is_in_time(&self, entry: &Entry) -> io::Result<bool> {
        Ok(entry.now(self.root, Some(self.swap.modified))? == Now::Ours)
    }

    /// Says that a file of the agent's is newer than what was built of the original.
    fn touch(&self, aside: &Root, name: &[u8]) {
        // A file system that cannot hold the time has the one that it was.
        drop(below::set_modified(aside, name, self.modified));
    }

    fn change_places(
        &mut self,
        aside: &Root,
        name: &[u8],
        entry: &Entry,
        number: usize,
    ) -> io::Result<()> {
        match below::exchange(aside, name, self.root, entry.bytes()) {
            Ok(()) => {}
            Err(Errno::INVAL | Errno::NOSYS) => {
                below::remove_file(self.root, entry.bytes())?;
                return Ok(below::move_to(aside, name, self.root, entry.bytes())?);
            }
            Err(error) => return Err(error.into()),
        }
        let came = below::stood(aside, name)?;
        match came {
            Some(came) if entry.put.is_at(aside, name, &came)? => below::remove_file(aside, name),
            // Somebody wrote there in this very moment: it goes back.
            _ => {
                below::exchange(aside, name, self.root, entry.bytes())?;
                self.leave_alone(number, entry, aside, name)
            }
        }
    }

    /// Makes room where a directory was made that is not empty any more, or where the checks wrote a
    /// file of theirs: what is there is kept.
    fn clear(&mut self, number: usize, entry: &Entry, aside: &Root, name: &[u8]) -> io::Result<()> {
        match self.keep_what_was_written(number, entry) {
            Ok(()) => {
                self.touch(aside, name);
                Ok(below::move_to(aside, name, self.root, entry.bytes())?)
            }
            Err(Errno::XDEV) => self.leave_alone(number, entry, aside, name),
            Err(error) => Err(error.into()),
        }
    }

    /// Moves what was written at a path while the checks ran to where it is kept.
    fn keep_what_was_written(&mut self, number: usize, entry: &Entry) -> Result<(), Errno> {
        let kept =
            self.kept().map_err(|error| Errno::from_io_error(&error).unwrap_or(Errno::IO))?;
        let to = format!("{number}-written-meanwhile");
        below::move_to(self.root, entry.bytes(), &kept, to.as_bytes())?;
        let (path, kept) = (shown(&entry.path), self.swap.kept.join(&to));
        self.report.left_alone.push(format!(
            "`{path}`: what was written there while the checks ran is in `{}`",
            kept.display()
        ));
        Ok(())
    }

    /// Leaves a path as it is if someone else wrote it, and keeps the agent's version.
    fn leave_alone(
        &mut self,
        number: usize,
        entry: &Entry,
        aside: &Root,
        name: &[u8],
    ) -> io::Result<()> {
        let kept = self.kept()?;
        let last = entry.path.file_name().unwrap_or_default().to_string_lossy();
        let to = format!("{number}-{last}");
        let at = match below::move_to(aside, name, &kept, to.as_bytes()) {
            Ok(()) => self.swap.kept.join(to).display().to_string(),
            Err(Errno::XDEV) => String::from_utf8_lossy(name).into_owned(),
            Err(error) => return Err(error.into()),
        };
        let path = shown(&entry.path);
        self.report.left_alone.push(format!("`{path}`: the agent's version is in `{at}`"));
        self.report.disturbed.push(path);
        Ok(())
    }

    fn kept(&self) -> io::Result<Root> {
        match DirBuilder::new().mode(0o700).create(&self.swap.kept) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
            _ => Ok(Root::open(&self.swap.kept)?),
        }
    }
}

/// Removes an original that lies aside.
fn remove_ours(aside: &Root, name: &[u8], entry: &Entry) -> io::Result<()> {
    match below::stood(aside, name)? {
        Some(stood) if entry.put.is_at(aside, name, &stood)? => below::remove_file(aside, name),
        _ => Ok(()),
    }
}

fn at(path: &Path, error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("`{}`: {error}", shown(path)))
}
