//! Reads files below a root, bounded.

use std::{
    io::{self, Read},
    os::fd::AsFd,
};

use rustix::{
    fs::{AtFlags, FileType, readlinkat, statat},
    io::Errno,
};
use sha2::{Digest, Sha256};

use super::open::{Links, TooLarge, open_dir, open_file, split};

/// The content of a file, if it has at most `most` bytes.
pub fn read(root: impl AsFd, path: &[u8], links: Links, most: u64) -> io::Result<Vec<u8>> {
    let bytes = read_some(root, path, links, most.saturating_add(1))?;
    if bytes.len() as u64 > most {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, TooLarge(most)));
    }
    Ok(bytes)
}

/// The beginning of a file: at most `most` bytes of it.
pub fn read_some(root: impl AsFd, path: &[u8], links: Links, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open_file(root, path, links)?.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The SHA-256 of a file's content, and its size, if it has at most `most` bytes.
pub fn digest(
    root: impl AsFd,
    path: &[u8],
    links: Links,
    most: u64,
) -> io::Result<([u8; 32], u64)> {
    let file = open_file(root, path, links)?;
    let too_large = || io::Error::new(io::ErrorKind::FileTooLarge, TooLarge(most));
    // A sparse file of terabytes takes no room on the disk, and hours to read.
    if file.metadata()?.len() > most {
        return Err(too_large());
    }
    let mut file = file.take(most.saturating_add(1));
    let mut digest = Sha256::new();
    let mut buffer = vec![0; 256 << 10];
    let mut size = 0;
    loop {
        match file.read(&mut buffer)? {
            0 if size > most => return Err(too_large()),
            0 => return Ok((digest.finalize().into(), size)),
            count => {
                digest.update(&buffer[..count]);
                size += count as u64;
            }
        }
    }
}

/// The target of the symbolic link at `path`.
pub fn read_link(root: impl AsFd, path: &[u8]) -> Result<Vec<u8>, Errno> {
    let (parent, name) = split(path);
    Ok(readlinkat(open_dir(root, parent)?, name, Vec::new())?.into_bytes())
}

/// What is at `path`, itself and not what a link leads to.
pub fn kind(root: impl AsFd, path: &[u8]) -> Result<FileType, Errno> {
    let (parent, name) = split(path);
    let stat = statat(open_dir(root, parent)?, name, AtFlags::SYMLINK_NOFOLLOW)?;
    Ok(FileType::from_raw_mode(stat.st_mode))
}
