//! Reads a config file that may be anything: it never waits, never reads without end, and never
//! follows a link out of a repository.

use std::{
    fs::File,
    io::{self, Read},
    path::Path,
};

use rustix::{
    fs::{FileType, Mode, OFlags},
    io::Errno,
};

/// More than this is no config file.
const LIMIT: u64 = 1024 * 1024;

/// Whether a symbolic link is followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Links {
    /// For the user's own file: it may well live among other dotfiles.
    Follow,
    /// For files of a repository, which somebody else may have written.
    Refuse,
}

/// Why a config file cannot be read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ReadError {
    #[error("it is a symbolic link, and windlass reads only a plain file there")]
    Link,
    #[error("it is {0}, and not a file")]
    NotAFile(&'static str),
    #[error("it has {0} bytes, and 1 MiB is the most that is read")]
    TooLong(u64),
    #[error("it is not text")]
    Binary,
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// The text of a file of the user's, wherever it is; `None` if it is not there.
pub(crate) fn read_text(path: &Path) -> Result<Option<String>, ReadError> {
    read(path, Links::Follow)
}

/// The text of a file; `None` if it is not there.
pub(crate) fn read(path: &Path, links: Links) -> Result<Option<String>, ReadError> {
    // A pipe without a writer would make a plain open wait for ever.
    let mut flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC | OFlags::NOCTTY;
    if links == Links::Refuse {
        flags |= OFlags::NOFOLLOW;
    }
    let file = match rustix::fs::open(path, flags, Mode::empty()) {
        Ok(file) => file,
        Err(Errno::NOENT | Errno::NOTDIR) => return Ok(None),
        Err(Errno::LOOP) if links == Links::Refuse => return Err(ReadError::Link),
        Err(Errno::NXIO) => return Err(ReadError::NotAFile("a socket or a device")),
        Err(error) => return Err(ReadError::Io(error.into())),
    };
    let stat = rustix::fs::fstat(&file).map_err(io::Error::from)?;
    match FileType::from_raw_mode(stat.st_mode) {
        FileType::RegularFile => {}
        FileType::Directory => return Err(ReadError::NotAFile("a directory")),
        FileType::Fifo => return Err(ReadError::NotAFile("a pipe")),
        FileType::Symlink
        | FileType::Socket
        | FileType::CharacterDevice
        | FileType::BlockDevice
        | FileType::Unknown => return Err(ReadError::NotAFile("a socket or a device")),
    }
    let size = u64::try_from(stat.st_size).unwrap_or(0);
    if size > LIMIT {
        return Err(ReadError::TooLong(size));
    }
    let mut bytes = Vec::new();
    // The file may have grown since.
    let read = File::from(file).take(LIMIT + 1).read_to_end(&mut bytes)?;
    if read as u64 > LIMIT {
        return Err(ReadError::TooLong(read as u64));
    }
    let text = String::from_utf8(bytes).map_err(|_| ReadError::Binary)?;
    if text.contains('\0') { Err(ReadError::Binary) } else { Ok(Some(text)) }
}

#[cfg(test)]
mod tests {
    use std::{fs, os::unix::fs::symlink};

    use super::*;

    #[test]
    fn whatever_stands_there_is_told_at_once() {
        let directory = tempfile::tempdir().unwrap();
        let at = |name: &str| directory.path().join(name);
        fs::write(at("good"), "a = 1").unwrap();
        fs::create_dir(at("directory")).unwrap();
        rustix::fs::mkfifoat(rustix::fs::CWD, at("pipe"), Mode::RUSR | Mode::WUSR).unwrap();
        symlink(at("good"), at("link")).unwrap();
        fs::write(at("binary"), [b'a', 0, b'b']).unwrap();
        fs::write(at("latin"), [0xe9]).unwrap();
        File::create(at("long")).unwrap().set_len(10 * 1024 * 1024 * 1024).unwrap();
        let read = |name: &str| match read(&at(name), Links::Refuse) {
            Ok(text) => format!("{text:?}"),
            Err(error) => error.to_string(),
        };
        let names = ["good", "missing", "directory", "pipe", "link", "binary", "latin", "long"];
        let lines: Vec<_> = names.iter().map(|name| format!("{name}: {}", read(name))).collect();
        insta::assert_snapshot!(lines.join("\n"), @r#"
        good: Some("a = 1")
        missing: None
        directory: it is a directory, and not a file
        pipe: it is a pipe, and not a file
        link: it is a symbolic link, and windlass reads only a plain file there
        binary: it is not text
        latin: it is not text
        long: it has 10737418240 bytes, and 1 MiB is the most that is read
        "#);
    }

    #[test]
    fn the_users_own_file_may_be_a_link() {
        let directory = tempfile::tempdir().unwrap();
        let link = directory.path().join("link");
        fs::write(directory.path().join("good"), "a = 1").unwrap();
        symlink("good", &link).unwrap();
        assert_eq!(read(&link, Links::Follow).unwrap().as_deref(), Some("a = 1"));
    }
}
