//! The doorbell of a running loop: a named pipe that other processes ring after they have put a
//! request into the store, so that the owner looks at once and never has to ask again and again.

use std::{
    fs,
    io::{self, Write},
    os::unix::fs::{MetadataExt, OpenOptionsExt},
    path::{Path, PathBuf},
};

use rustix::{
    fs::{CWD, FileType, Mode, OFlags, fstat, mknodat},
    io::Errno,
};
use tokio::net::unix::pipe::Receiver;
use windlass_core::ids::LoopId;

use crate::home;

/// The owner's end of a doorbell. The pipe is removed when it is dropped.
#[derive(Debug)]
pub struct Doorbell {
    pipe: Receiver,
    path: PathBuf,
}

impl Doorbell {
    /// Hangs up the doorbell of a loop, in place of one that a dead owner left. Needs a runtime.
    pub fn hang(home: &Path, id: &LoopId) -> io::Result<Self> {
        let path = path(home, id);
        home::create_private(&home::run(home))?;
        // Made aside and moved, so that a ring never finds the place empty.
        let new = path.with_extension(format!("new-{:08x}", fastrand::u32(..)));
        mknodat(CWD, &new, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0)?;
        fs::rename(&new, &path)?;
        // Open for both: so it is never at its end when nobody rings.
        let flags = OFlags::RDWR | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let pipe = rustix::fs::open(&path, flags, Mode::empty())?;
        let pipe = Receiver::from_owned_fd_unchecked(pipe)?;
        Ok(Self { pipe, path })
    }

    /// Returns once somebody has rung since the last time; several rings may come as one.
    pub async fn rung(&self) -> io::Result<()> {
        loop {
            self.pipe.readable().await?;
            match self.pipe.try_read(&mut [0; 256]) {
                Ok(_) => return Ok(()),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(error) => return Err(error),
            }
        }
    }
}

impl Drop for Doorbell {
    fn drop(&mut self) {
        let mine = fstat(&self.pipe).map(|stat| (stat.st_dev, stat.st_ino));
        let there = fs::metadata(&self.path).map(|found| (found.dev(), found.ino()));
        // A newer owner may have hung up its own; that one stays.
        if matches!((mine, there), (Ok(mine), Ok(there)) if mine == there) {
            drop(fs::remove_file(&self.path));
        }
    }
}

/// Rings the doorbell of a loop; says whether somebody is there to hear it.
pub fn ring(home: &Path, id: &LoopId) -> io::Result<bool> {
    let flags = i32::try_from(OFlags::NONBLOCK.bits()).unwrap_or(0);
    let opened = fs::OpenOptions::new().write(true).custom_flags(flags).open(path(home, id));
    let rung = opened.and_then(|mut pipe| pipe.write_all(&[1]));
    match rung {
        Ok(()) => Ok(true),
        // A full pipe has been rung often enough.
        Err(error) if error.kind() == io::ErrorKind::WouldBlock => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) if Errno::from_io_error(&error) == Some(Errno::NXIO) => Ok(false),
        Err(error) => Err(error),
    }
}

/// Removes the doorbell that a killed owner left. Only for whoever holds the loop's lock.
pub fn remove_doorbell(home: &Path, id: &LoopId) {
    // One that stays does no harm.
    drop(fs::remove_file(path(home, id)));
}

fn path(home: &Path, id: &LoopId) -> PathBuf {
    home::run(home).join(format!("{id}.bell"))
}
