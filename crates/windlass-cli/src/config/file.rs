//! Reads a config file that may be anything: it never waits, never reads without end, and never
//! follows a link out of a repository.

use std::{
    io,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
};

use rustix::io::Errno;
use windlass::system::below::{self, Root};

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
    #[error("it has more than 1 MiB, which is the most that is read")]
    TooLong,
    #[error("it is not text")]
    Binary,
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// The text of the file `name` in `directory`; `None` if it is not there.
pub(crate) fn read(
    directory: &Path,
    name: &Path,
    links: Links,
) -> Result<Option<String>, ReadError> {
    let (directory, name) = match links {
        Links::Refuse => (directory.to_owned(), name.to_owned()),
        Links::Follow => match real(&directory.join(name))? {
            Some(found) => found,
            None => return Ok(None),
        },
    };
    let root = match Root::open(&directory) {
        Err(Errno::NOENT | Errno::NOTDIR) => return Ok(None),
        root => root.map_err(io::Error::from)?,
    };
    let name = name.as_os_str().as_bytes();
    let bytes = match below::read_some(&root, name, below::Links::Refused, LIMIT + 1) {
        Ok(bytes) => bytes,
        Err(error) => return not_read(&error, || below::kind(&root, name).ok()),
    };
    if bytes.len() as u64 > LIMIT {
        return Err(ReadError::TooLong);
    }
    let text = String::from_utf8(bytes).map_err(|_| ReadError::Binary)?;
    if text.contains('\0') { Err(ReadError::Binary) } else { Ok(Some(text)) }
}

/// Where a file really is: its directory and its name.
fn real(path: &Path) -> Result<Option<(PathBuf, PathBuf)>, ReadError> {
    match path.canonicalize() {
        Ok(real) => {
            let name = real.file_name().map_or_else(|| PathBuf::from("."), PathBuf::from);
            Ok(Some((real.parent().unwrap_or(Path::new("/")).to_owned(), name)))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error.into()),
    }
}

fn not_read(
    error: &io::Error,
    kind: impl FnOnce() -> Option<rustix::fs::FileType>,
) -> Result<Option<String>, ReadError> {
    let errno = error.raw_os_error().unwrap_or_default();
    match Errno::from_raw_os_error(errno) {
        Errno::NOENT | Errno::NOTDIR => Ok(None),
        Errno::LOOP | Errno::XDEV => Err(ReadError::Link),
        Errno::ISDIR => Err(ReadError::NotAFile("a directory")),
        Errno::NODEV if kind().is_some_and(|kind| kind.is_fifo()) => {
            Err(ReadError::NotAFile("a pipe"))
        }
        Errno::NODEV | Errno::NXIO => Err(ReadError::NotAFile("a socket or a device")),
        _ => Err(ReadError::Io(io::Error::from_raw_os_error(errno))),
    }
}

#[cfg(test)]
mod tests {
    use std::{
        fs::{self, File},
        os::unix::fs::symlink,
    };

    use rustix::fs::Mode;

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
        let read = |name: &str| match read(directory.path(), name.as_ref(), Links::Refuse) {
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
        long: it has more than 1 MiB, which is the most that is read
        "#);
    }

    #[test]
    fn the_users_own_file_may_be_a_link() {
        let directory = tempfile::tempdir().unwrap();
        let link = directory.path().join("link");
        fs::write(directory.path().join("good"), "a = 1").unwrap();
        symlink("good", &link).unwrap();
        let read = read(directory.path(), "link".as_ref(), Links::Follow).unwrap();
        assert_eq!(read.as_deref(), Some("a = 1"));
    }
}
