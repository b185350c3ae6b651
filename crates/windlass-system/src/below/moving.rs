//! Moves what is below a root as it is, and never over something else: bytes, modes, owners, hard links
//! and extended attributes go with it.

use std::{io, os::fd::AsFd};

use rustix::{
    fs::{
        AtFlags, FileType, Mode, RenameFlags, Timespec, Timestamps, UTIME_OMIT, chmodat, renameat,
        renameat_with, statat, unlinkat, utimensat,
    },
    io::Errno,
};

use super::{open::split, open_dir};

/// What stands at a path, itself and not what a link leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stood {
    pub device: u64,
    pub inode: u64,
    pub mode: u32,
    pub size: u64,
    /// The second in which it was modified, and the nanoseconds of it.
    pub modified: (i64, i64),
    /// The same for its last change of any kind, which no program can set.
    pub changed: (i64, i64),
}

impl Stood {
    pub fn kind(&self) -> FileType {
        FileType::from_raw_mode(self.mode)
    }

    /// Whether it is the same file, whatever it holds.
    pub fn is_same_file(&self, other: &Self) -> bool {
        (self.device, self.inode) == (other.device, other.inode)
    }
}

/// What stands at `path`; `None` where nothing does, or a parent is no directory.
pub fn stood(root: impl AsFd, path: &[u8]) -> Result<Option<Stood>, Errno> {
    let (parent, name) = split(path);
    let dir = match open_dir(root, parent) {
        Ok(dir) => dir,
        Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP) => return Ok(None),
        Err(error) => return Err(error),
    };
    stood_in(dir, name)
}

/// What stands under a name in a directory.
#[expect(clippy::unnecessary_cast, reason = "the fields have other types on other systems")]
pub fn stood_in(dir: impl AsFd, name: &[u8]) -> Result<Option<Stood>, Errno> {
    match statat(dir, name, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(stat) => Ok(Some(Stood {
            device: stat.st_dev as u64,
            inode: stat.st_ino as u64,
            mode: stat.st_mode as u32,
            size: u64::try_from(stat.st_size).unwrap_or(0),
            modified: (stat.st_mtime as i64, stat.st_mtime_nsec as i64),
            changed: (stat.st_ctime as i64, stat.st_ctime_nsec as i64),
        })),
        Err(Errno::NOENT | Errno::NOTDIR) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Moves `from` to `to`, where nothing may stand.
pub fn move_to(
    from_root: impl AsFd,
    from: &[u8],
    to_root: impl AsFd,
    to: &[u8],
) -> Result<(), Errno> {
    let ((from_dir, from), (to_dir, to)) = (split(from), split(to));
    let (from_dir, to_dir) = (open_dir(from_root, from_dir)?, open_dir(to_root, to_dir)?);
    match renameat_with(&from_dir, from, &to_dir, to, RenameFlags::NOREPLACE) {
        // Some file systems of networks do not know how to refuse.
        Err(Errno::INVAL | Errno::NOSYS) => match stood_in(&to_dir, to)? {
            None => renameat(&from_dir, from, &to_dir, to),
            Some(_) => Err(Errno::EXIST),
        },
        moved => moved,
    }
}

/// Has two paths change places, in one step.
pub fn exchange(
    one_root: impl AsFd,
    one: &[u8],
    root: impl AsFd,
    other: &[u8],
) -> Result<(), Errno> {
    let ((one_dir, one), (other_dir, other)) = (split(one), split(other));
    let (one_dir, other_dir) = (open_dir(one_root, one_dir)?, open_dir(root, other_dir)?);
    renameat_with(&one_dir, one, &other_dir, other, RenameFlags::EXCHANGE)
}

/// Says when what stands at `path` was modified, in whole seconds; fails where the file system cannot
/// hold that time.
pub fn set_modified(root: impl AsFd, path: &[u8], seconds: i64) -> io::Result<()> {
    let (parent, name) = split(path);
    let dir = open_dir(root, parent)?;
    let times = Timestamps {
        last_access: Timespec { tv_sec: 0, tv_nsec: UTIME_OMIT },
        last_modification: Timespec { tv_sec: seconds, tv_nsec: 0 },
    };
    utimensat(&dir, name, &times, AtFlags::SYMLINK_NOFOLLOW)?;
    match stood_in(&dir, name)? {
        Some(stood) if stood.modified == (seconds, 0) => Ok(()),
        _ => Err(io::Error::other("the file system cannot hold the time that it needs")),
    }
}

/// Sets the mode of a file or a directory, which may be no link.
pub fn set_mode(root: impl AsFd, path: &[u8], mode: u32) -> Result<(), Errno> {
    let (parent, name) = split(path);
    let dir = open_dir(root, parent)?;
    // A link in its place would be followed: its kind is looked at, and the directory is held open.
    match stood_in(&dir, name)? {
        Some(stood) if !stood.kind().is_symlink() => {
            chmodat(&dir, name, Mode::from_raw_mode(mode & 0o7777), AtFlags::empty())
        }
        _ => Err(Errno::NOENT),
    }
}

/// Removes a directory if it is empty; whether it is gone.
pub fn remove_empty(root: impl AsFd, path: &[u8]) -> bool {
    let (parent, name) = split(path);
    let Ok(dir) = open_dir(root, parent) else { return true };
    matches!(unlinkat(&dir, name, AtFlags::REMOVEDIR), Ok(()) | Err(Errno::NOENT))
}
