//! Opens directories and regular files below a root.

use std::{
    ffi::CString,
    fs::File,
    os::fd::{AsFd, OwnedFd},
};

use rustix::{
    fs::{Mode, OFlags, ResolveFlags, openat, openat2},
    io::Errno,
};

/// What becomes of symbolic links on the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Links {
    /// None is followed.
    Refused,
    /// Those that stay below the root are followed.
    Inside,
}

/// How often a path is resolved again that was moved meanwhile.
const TRIES: u32 = 16;

/// More than the caller allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("it has more than {0} bytes, which is the most that is read")]
pub struct TooLarge(pub u64);

/// Opens the directory at `path`, following no link; the empty path is the root itself.
pub fn open_dir(root: impl AsFd, path: &[u8]) -> Result<OwnedFd, Errno> {
    open_dir_by(root, path, Links::Refused)
}

/// Opens the directory at `path`, following links as told.
pub fn open_dir_by(root: impl AsFd, path: &[u8], links: Links) -> Result<OwnedFd, Errno> {
    let mut flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    if links == Links::Refused {
        flags |= OFlags::NOFOLLOW;
    }
    open(root, if path.is_empty() { b"." } else { path }, flags, links)
}

/// Finds whatever is at `path`, without opening it, following links that stay below the root.
pub fn reach(root: impl AsFd, path: &[u8]) -> Result<OwnedFd, Errno> {
    open(root, path, OFlags::PATH | OFlags::CLOEXEC, Links::Inside)
}

/// Opens a regular file to read it. Anything else is refused, without waiting for a pipe's writer.
pub fn open_file(root: impl AsFd, path: &[u8], links: Links) -> Result<File, Errno> {
    let mut flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    if links == Links::Refused {
        flags |= OFlags::NOFOLLOW;
    }
    let file = File::from(open(root, path, flags, links)?);
    match file.metadata() {
        Ok(meta) if meta.is_file() => Ok(file),
        Ok(meta) if meta.is_dir() => Err(Errno::ISDIR),
        _ => Err(Errno::NODEV),
    }
}

fn open(root: impl AsFd, path: &[u8], flags: OFlags, links: Links) -> Result<OwnedFd, Errno> {
    let path = CString::new(path).map_err(|_| Errno::INVAL)?;
    let mut resolve = ResolveFlags::BENEATH | ResolveFlags::NO_MAGICLINKS;
    if links == Links::Refused {
        resolve |= ResolveFlags::NO_SYMLINKS;
    }
    for _ in 0..TRIES {
        match openat2(&root, &path, flags, Mode::empty(), resolve) {
            // A rename at the same time: the kernel could not tell whether the path stayed inside.
            Err(Errno::AGAIN) => {}
            // An old kernel, or a sandbox that does not know the call.
            Err(Errno::NOSYS | Errno::PERM) => return open_stepwise(root, path.to_bytes(), flags),
            result => return result,
        }
    }
    Err(Errno::AGAIN)
}

/// The same with a call for each directory on the way, following no link at all.
fn open_stepwise(root: impl AsFd, path: &[u8], flags: OFlags) -> Result<OwnedFd, Errno> {
    let step = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let mut parts: Vec<&[u8]> = path.split(|byte| *byte == b'/').collect();
    let last = parts.pop().unwrap_or(b".");
    if path.starts_with(b"/") || last == b".." || parts.contains(&&b".."[..]) {
        return Err(Errno::XDEV);
    }
    let mut dir = openat(root, c".", step, Mode::empty())?;
    for part in parts {
        dir = openat(&dir, part, step, Mode::empty())?;
    }
    openat(&dir, last, flags | OFlags::NOFOLLOW, Mode::empty())
}

/// The directory of a path and its last name; the empty directory is the root.
pub fn split(path: &[u8]) -> (&[u8], &[u8]) {
    match path.iter().rposition(|byte| *byte == b'/') {
        Some(at) => (&path[..at], &path[at + 1..]),
        None => (b"", path),
    }
}
