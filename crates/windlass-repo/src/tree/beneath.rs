//! Reaches files below the top of the work tree and nowhere else: no symbolic link is followed, be
//! it in the middle of a path or at its end.

use std::{
    ffi::CString,
    fs::File,
    io::{self, Read, Write},
    os::fd::{AsFd, OwnedFd},
};

use rustix::{
    fs::{
        AtFlags, Mode, OFlags, ResolveFlags, fchmod, mkdirat, openat, openat2, readlinkat,
        renameat, statat, symlinkat, unlinkat,
    },
    io::Errno,
};
use sha2::{Digest, Sha256};

use super::listing::split;

/// The name of a file that is being written, before it takes its place.
const NEW: &[u8] = b".windlass-new-";

/// Opens the directory at `path`; the empty path is `top` itself.
pub(super) fn open_dir(top: impl AsFd, path: &[u8]) -> Result<OwnedFd, Errno> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    open(top, if path.is_empty() { b"." } else { path }, flags)
}

/// Opens a regular file to read it. Anything else is refused, without waiting for a pipe's writer.
pub(super) fn open_file(top: impl AsFd, path: &[u8]) -> Result<File, Errno> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = File::from(open(top, path, flags)?);
    match file.metadata() {
        Ok(meta) if meta.is_file() => Ok(file),
        _ => Err(Errno::INVAL),
    }
}

fn open(top: impl AsFd, path: &[u8], flags: OFlags) -> Result<OwnedFd, Errno> {
    let path = CString::new(path).map_err(|_| Errno::INVAL)?;
    let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
    match openat2(&top, &path, flags, Mode::empty(), resolve) {
        // An old kernel, a sandbox that does not know the call, or a rename at the same time.
        Err(Errno::NOSYS | Errno::PERM | Errno::AGAIN) => {
            open_stepwise(top, path.to_bytes(), flags)
        }
        result => result,
    }
}

fn open_stepwise(top: impl AsFd, path: &[u8], flags: OFlags) -> Result<OwnedFd, Errno> {
    let step = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let mut parts: Vec<&[u8]> = path.split(|byte| *byte == b'/').collect();
    let last = parts.pop().unwrap_or(b".");
    let mut dir = openat(top, c".", step, Mode::empty())?;
    for part in parts {
        if part == b".." {
            return Err(Errno::XDEV);
        }
        dir = openat(&dir, part, step, Mode::empty())?;
    }
    openat(&dir, last, flags, Mode::empty())
}

/// The target of the symbolic link at `path`.
pub(super) fn read_link(top: impl AsFd, path: &[u8]) -> Result<Vec<u8>, Errno> {
    let (parent, name) = split(path);
    Ok(readlinkat(open_dir(top, parent)?, name, Vec::new())?.into_bytes())
}

/// The content of a file.
pub(super) fn read(top: impl AsFd, path: &[u8]) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open_file(top, path)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The SHA-256 of a file's content, and its size.
pub(super) fn digest(top: impl AsFd, path: &[u8]) -> io::Result<([u8; 32], u64)> {
    let mut file = open_file(top, path)?;
    let mut digest = Sha256::new();
    let mut buffer = vec![0; 256 << 10];
    let mut size = 0;
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok((digest.finalize().into(), size)),
            count => {
                digest.update(&buffer[..count]);
                size += count as u64;
            }
        }
    }
}

/// What is written to a path.
pub(super) enum Content<'a> {
    /// A file's bytes, and whether it can be executed.
    File(&'a [u8], bool),
    /// The bytes of another file, and whether it can be executed.
    Copy(&'a mut File, bool),
    /// A symbolic link to this.
    Link(&'a [u8]),
}

/// Puts a file in place, whole: a new one is renamed over the old, so that a hard link to
/// somewhere else is never written through.
pub(super) fn write(top: impl AsFd, path: &[u8], content: Content<'_>) -> io::Result<()> {
    let (parent, name) = split(path);
    let dir = make_dir(top, parent)?;
    let new = [NEW, format!("{:016x}", fastrand::u64(..)).as_bytes()].concat();
    let result = write_new(&dir, &new, content)
        .and_then(|()| make_room(&dir, name))
        .and_then(|()| Ok(renameat(&dir, &new, &dir, name)?));
    // Whatever went wrong, that is the error to tell, not that of tidying up.
    result.inspect_err(|_| unlinkat(&dir, &new, AtFlags::empty()).unwrap_or_default())
}

fn write_new(dir: &OwnedFd, new: &[u8], content: Content<'_>) -> io::Result<()> {
    let (executable, mut bytes): (bool, Box<dyn Read + '_>) = match content {
        Content::Link(target) => return Ok(symlinkat(target, dir, new)?),
        Content::File(bytes, executable) => (executable, Box::new(bytes)),
        Content::Copy(file, executable) => (executable, Box::new(file)),
    };
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
    let mode = Mode::from_raw_mode(if executable { 0o777 } else { 0o666 });
    let mut file = File::from(openat(dir, new, flags, mode)?);
    io::copy(&mut bytes, &mut file)?;
    file.flush()
}

/// An empty directory in the way goes; one that holds something stays, and is an error.
fn make_room(dir: &OwnedFd, name: &[u8]) -> io::Result<()> {
    match unlinkat(dir, name, AtFlags::REMOVEDIR) {
        Ok(()) | Err(Errno::NOENT | Errno::NOTDIR) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

fn make_dir(top: impl AsFd, path: &[u8]) -> io::Result<OwnedFd> {
    let mut dir = open_dir(&top, b"")?;
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
pub(super) fn set_executable(top: impl AsFd, path: &[u8], executable: bool) -> io::Result<()> {
    let (parent, name) = split(path);
    let dir = open_dir(top, parent)?;
    let mode = statat(&dir, name, AtFlags::SYMLINK_NOFOLLOW)?.st_mode;
    let mode = if executable { mode | (mode & 0o444) >> 2 } else { mode & !0o111 };
    let file = open_file(&dir, name)?;
    Ok(fchmod(&file, Mode::from_raw_mode(mode & 0o7777))?)
}

/// Removes a file, and the directories above it that it leaves empty. What is gone already is fine.
pub(super) fn remove(top: impl AsFd, path: &[u8]) -> io::Result<()> {
    let (mut parent, name) = split(path);
    let dir = match open_dir(&top, parent) {
        Ok(dir) => dir,
        Err(Errno::NOENT | Errno::NOTDIR) => return Ok(()),
        Err(error) => return Err(error.into()),
    };
    match unlinkat(&dir, name, AtFlags::empty()) {
        Ok(()) | Err(Errno::NOENT) => {}
        Err(error) => return Err(error.into()),
    }
    while !parent.is_empty() {
        let (above, name) = split(parent);
        let Ok(dir) = open_dir(&top, above) else { break };
        if unlinkat(&dir, name, AtFlags::REMOVEDIR).is_err() {
            break;
        }
        parent = above;
    }
    Ok(())
}
