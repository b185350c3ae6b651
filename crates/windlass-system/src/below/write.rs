//! Writes files below a root: whole or not at all, and never through a link.

use std::{
    fs::File,
    io::{self, Read, Write},
    os::fd::{AsFd, OwnedFd},
};

use rustix::{
    fs::{
        AtFlags, Dir, FileType, Mode, OFlags, fchmod, mkdirat, openat, readlinkat, renameat,
        statat, symlinkat, unlinkat,
    },
    io::Errno,
};

use super::open::{Links, open_dir, open_dir_by, open_file, split};

/// The name of a file that is being written, before it takes its place.
const NEW: &[u8] = b".windlass-new-";

/// How many links are followed to the file that is replaced.
const MOST_LINKS: u32 = 8;

/// What is written to a path.
pub enum Content<'a> {
    /// A file's bytes, and whether it can be executed.
    File(&'a [u8], bool),
    /// The bytes of another file, and whether it can be executed.
    Copy(&'a mut File, bool),
    /// A symbolic link to this.
    Link(&'a [u8]),
}

/// Puts a file in place, whole: a new one is renamed over the old, so that a hard link to
/// somewhere else is never written through.
pub fn write(root: impl AsFd, path: &[u8], content: Content<'_>) -> io::Result<()> {
    let (parent, name) = split(path);
    let dir = make_dir(root, parent)?;
    let new = new_name();
    let result = write_new(&dir, &new, content)
        .and_then(|_| make_room(&dir, name))
        .and_then(|()| Ok(renameat(&dir, &new, &dir, name)?));
    // Whatever went wrong, that is the error to tell, not that of tidying up.
    result.inspect_err(|_| unlinkat(&dir, &new, AtFlags::empty()).unwrap_or_default())
}

/// A new file or link that has no place yet.
#[must_use]
pub struct Written {
    dir: OwnedFd,
    name: Vec<u8>,
}

/// Writes a file into the directory where its place is, under a name that `remove_unfinished` knows,
/// with this mode as far as it is given and modified at that second.
pub fn write_nowhere(
    root: impl AsFd,
    path: &[u8],
    content: Content<'_>,
    (mode, modified): (Option<u32>, i64),
) -> io::Result<Written> {
    let dir = open_dir(root, split(path).0)?;
    let name = new_name();
    let written = write_new(&dir, &name, content).and_then(|file| {
        if let Some((file, mode)) = file.zip(mode) {
            fchmod(&file, Mode::from_raw_mode(mode & 0o7777))?;
        }
        super::set_modified(&dir, &name, modified)
    });
    match written {
        Ok(()) => Ok(Written { dir, name }),
        Err(error) => {
            unlinkat(&dir, &name, AtFlags::empty()).unwrap_or_default();
            Err(error)
        }
    }
}

impl Written {
    /// Has it take its place, where nothing may stand.
    pub fn place(self, path: &[u8]) -> Result<(), Errno> {
        let placed = super::move_to(&self.dir, &self.name, &self.dir, split(path).1);
        placed.inspect_err(|_| {
            unlinkat(&self.dir, &self.name, AtFlags::empty()).unwrap_or_default();
        })
    }
}

/// Makes what is to take its place; gives the file, unless it is a link.
fn write_new(dir: &OwnedFd, new: &[u8], content: Content<'_>) -> io::Result<Option<File>> {
    let (executable, mut bytes): (bool, Box<dyn Read + '_>) = match content {
        Content::Link(target) => return Ok(symlinkat(target, dir, new).map(|()| None)?),
        Content::File(bytes, executable) => (executable, Box::new(bytes)),
        Content::Copy(file, executable) => (executable, Box::new(file)),
    };
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
    let mode = Mode::from_raw_mode(if executable { 0o777 } else { 0o666 });
    let mut file = File::from(openat(dir, new, flags, mode)?);
    io::copy(&mut bytes, &mut file)?;
    file.flush()?;
    Ok(Some(file))
}

/// An empty directory in the way goes; one that holds something stays, and is an error.
fn make_room(dir: &OwnedFd, name: &[u8]) -> io::Result<()> {
    match unlinkat(dir, name, AtFlags::REMOVEDIR) {
        Ok(()) | Err(Errno::NOENT | Errno::NOTDIR) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// The directory at `path`, made with those above it as far as they are missing.
pub fn make_dir(root: impl AsFd, path: &[u8]) -> io::Result<OwnedFd> {
    let mut dir = open_dir(&root, b"")?;
    for part in path.split(|byte| *byte == b'/').filter(|part| !part.is_empty()) {
        match mkdirat(&dir, part, Mode::from_raw_mode(0o777)) {
            Ok(()) | Err(Errno::EXIST) => {}
            Err(error) => return Err(error.into()),
        }
        dir = open_dir(&dir, part)?;
    }
    Ok(dir)
}

/// Sets or clears the right to execute a file, as the other rights have it.
pub fn set_executable(root: impl AsFd, path: &[u8], executable: bool) -> io::Result<()> {
    let (parent, name) = split(path);
    let dir = open_dir(root, parent)?;
    let mode = statat(&dir, name, AtFlags::SYMLINK_NOFOLLOW)?.st_mode;
    let mode = if executable { mode | (mode & 0o444) >> 2 } else { mode & !0o111 };
    let file = open_file(&dir, name, Links::Refused)?;
    Ok(fchmod(&file, Mode::from_raw_mode(mode & 0o7777))?)
}

/// Removes a file and nothing else. What is gone already is fine.
pub fn remove_file(root: impl AsFd, path: &[u8]) -> io::Result<()> {
    let (parent, name) = split(path);
    let dir = match open_dir(&root, parent) {
        Ok(dir) => dir,
        Err(Errno::NOENT | Errno::NOTDIR) => return Ok(()),
        Err(error) => return Err(error.into()),
    };
    match unlinkat(&dir, name, AtFlags::empty()) {
        Ok(()) | Err(Errno::NOENT) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Removes new files that were about to take their place in a directory when the process that wrote
/// them was killed. Only for a directory in which nobody writes in this way now.
pub fn remove_unfinished(root: impl AsFd, directory: &[u8]) -> io::Result<()> {
    let dir = match open_dir(&root, directory) {
        Ok(dir) => dir,
        Err(Errno::NOENT | Errno::NOTDIR) => return Ok(()),
        Err(error) => return Err(error.into()),
    };
    for entry in Dir::read_from(&dir)? {
        let entry = entry?;
        let name = entry.file_name().to_bytes();
        if name.starts_with(NEW) && name.len() == new_name().len() {
            remove_file(&dir, name)?;
        }
    }
    Ok(())
}

/// Removes a file, and the directories above it that it leaves empty. What is gone already is fine.
pub fn remove(root: impl AsFd, path: &[u8]) -> io::Result<()> {
    let (mut parent, _) = split(path);
    remove_file(&root, path)?;
    while !parent.is_empty() {
        let (above, name) = split(parent);
        let Ok(dir) = open_dir(&root, above) else { break };
        if unlinkat(&dir, name, AtFlags::REMOVEDIR).is_err() {
            break;
        }
        parent = above;
    }
    Ok(())
}

/// Puts a text in the place of a file, all of it or nothing, with the permissions that it had; the
/// directories that it needs are made. A link that stays below the root stays, and what it leads to
/// is replaced; one that leads out is refused.
pub fn replace(root: impl AsFd, path: &[u8], text: &[u8]) -> io::Result<()> {
    let mut path = path.to_vec();
    for _ in 0..MOST_LINKS {
        let (parent, name) = split(&path);
        let dir = match open_dir_by(&root, parent, Links::Inside) {
            Err(Errno::NOENT) => make_dir(&root, parent)?,
            dir => dir?,
        };
        match statat(&dir, name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(stat) => match FileType::from_raw_mode(stat.st_mode) {
                FileType::Symlink => {
                    let target = readlinkat(&dir, name, Vec::new())?.into_bytes();
                    path = followed(parent, &target)?;
                }
                FileType::RegularFile => return put(&dir, name, text, Some(stat.st_mode & 0o7777)),
                FileType::Directory => return Err(Errno::ISDIR.into()),
                _ => return Err(Errno::NODEV.into()),
            },
            Err(Errno::NOENT) => return put(&dir, name, text, None),
            Err(errno) => return Err(errno.into()),
        }
    }
    Err(Errno::LOOP.into())
}

/// Where a link in `parent` leads, from the root. The kernel decides whether that is below it.
fn followed(parent: &[u8], target: &[u8]) -> io::Result<Vec<u8>> {
    if target.starts_with(b"/") {
        return Err(Errno::XDEV.into());
    }
    Ok(if parent.is_empty() { target.to_vec() } else { [parent, b"/", target].concat() })
}

fn put(dir: &OwnedFd, name: &[u8], text: &[u8], mode: Option<u32>) -> io::Result<()> {
    let new = new_name();
    let put = write_new(dir, &new, Content::File(text, false))
        .and_then(|file| match file.zip(mode) {
            Some((file, mode)) => Ok(fchmod(&file, Mode::from_raw_mode(mode))?),
            None => Ok(()),
        })
        .and_then(|()| Ok(renameat(dir, &new, dir, name)?));
    put.inspect_err(|_| unlinkat(dir, &new, AtFlags::empty()).unwrap_or_default())
}

/// A name that nobody can guess.
pub(super) fn new_name() -> Vec<u8> {
    [NEW, format!("{:016x}", fastrand::u64(..)).as_bytes()].concat()
}
