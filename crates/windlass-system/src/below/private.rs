//! Replaces a file that holds secrets.

use std::{
    fs::File,
    io::{self, Write},
    os::fd::AsFd,
};

use rustix::{
    fs::{
        AtFlags, FileType, Gid, Mode, OFlags, Uid, fchmod, fchown, openat, renameat, statat,
        unlinkat,
    },
    io::Errno,
};

use super::write::new_name;

/// Puts a text in the place of a regular file of a directory, all of it or nothing, with the owner
/// and the permissions that it had. Nobody else can read it meanwhile, and no link is followed.
pub fn replace_private(dir: impl AsFd, name: &[u8], text: &[u8]) -> io::Result<()> {
    let stat = statat(&dir, name, AtFlags::SYMLINK_NOFOLLOW)?;
    if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
        return Err(Errno::LOOP.into());
    }
    let new = new_name();
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let mut file = File::from(openat(&dir, &new, flags, Mode::RUSR | Mode::WUSR)?);
    let put = || -> io::Result<()> {
        file.write_all(text)?;
        let made = rustix::fs::fstat(&file)?;
        if (made.st_uid, made.st_gid) != (stat.st_uid, stat.st_gid) {
            let (user, group) = (Uid::from_raw(stat.st_uid), Gid::from_raw(stat.st_gid));
            fchown(&file, Some(user), Some(group))?;
        }
        fchmod(&file, Mode::from_raw_mode(stat.st_mode & 0o7777))?;
        file.sync_all()?;
        Ok(renameat(&dir, &new, &dir, name)?)
    };
    let put = { put }();
    put.inspect_err(|_| unlinkat(&dir, &new, AtFlags::empty()).unwrap_or_default())
}
