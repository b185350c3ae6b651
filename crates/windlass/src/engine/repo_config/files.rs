//! Reads files below the root of a work tree that may be hostile: a link that leads out is not
//! followed, a pipe is not waited for, and nothing of any size is read whole.

use std::{
    collections::{HashSet, VecDeque},
    ffi::OsStr,
    io,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
};

use rustix::{
    fs::{Dir, FileType, fstat},
    io::Errno,
};
use windlass_system::below::{self, Links, Root};

use crate::workplace::hex;

/// How many bytes a file of settings may have.
const LARGEST: u64 = 1024 * 1024;
/// How many bytes a file may have that is hashed.
const LARGEST_HASHED: u64 = 64 * 1024 * 1024;
/// How many files below one directory are looked at.
const MOST_FILES: usize = 200;
/// How many names in one directory are looked at.
const MOST_NAMES: usize = 5000;
/// How many directories below one are looked at, and how deep.
const MOST_DIRECTORIES: usize = 500;
const DEEPEST: usize = 6;
/// How many directories of the whole tree are searched for those of one name: those of the packages of a large
/// project in JavaScript are some tens of thousands.
const MOST_SEARCHED: usize = 200_000;

/// The files below a root.
pub(super) struct Files {
    root: Root,
}

/// What was found below a directory.
#[derive(Default)]
pub(super) struct Listed {
    /// Files with the names that were asked for.
    pub(super) paths: Vec<PathBuf>,
    /// What could not be looked at, and why.
    pub(super) troubles: Vec<(PathBuf, String)>,
    /// The directories that were looked at: links may lead to one again and again.
    seen: HashSet<(u64, u64)>,
}

impl Listed {
    fn is_full(&self) -> bool {
        self.paths.len() >= MOST_FILES || self.troubles.len() >= MOST_FILES
    }
}

impl Files {
    pub(super) fn below(root: &Path) -> Result<Self, String> {
        Root::open(root).map(|root| Self { root }).map_err(|error| error.to_string())
    }

    /// The content of a regular file; `None` where there is nothing.
    pub(super) fn read(&self, path: &Path) -> Result<Option<Vec<u8>>, String> {
        match below::read(&self.root, path.as_os_str().as_bytes(), Links::Inside, LARGEST) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == io::ErrorKind::FileTooLarge => {
                Err("it is larger than 1 MiB".to_owned())
            }
            Err(error) => match error.raw_os_error() {
                Some(errno) => told(Errno::from_raw_os_error(errno)).map_or(Ok(None), Err),
                None => Err(error.to_string()),
            },
        }
    }

    /// What a file holds, as a hash; what can be said of it where it cannot be read; `None` where
    /// there is no file.
    pub(super) fn digest(&self, path: &Path) -> Option<String> {
        let bytes = path.as_os_str().as_bytes();
        let error = match below::digest(&self.root, bytes, Links::Inside, LARGEST_HASHED) {
            Ok((digest, _)) => return Some(hex(&digest)),
            Err(error) => error,
        };
        if error.kind() == io::ErrorKind::FileTooLarge {
            return Some("larger than 64 MiB".to_owned());
        }
        let errno = Errno::from_raw_os_error(error.raw_os_error()?);
        let blocked = self.obstacle(path).as_os_str().as_bytes();
        match errno {
            Errno::XDEV | Errno::LOOP => {
                // What a link that is not followed says is all that can be known of it.
                let target = below::read_link(&self.root, blocked).unwrap_or_default();
                Some(format!("leads to {}", String::from_utf8_lossy(&target)))
            }
            Errno::ACCESS | Errno::PERM => Some(errno.to_string()),
            _ => None,
        }
    }

    /// The files below a directory whose names are wanted, in the order of their names.
    pub(super) fn list(&self, directory: &Path, is_wanted: &dyn Fn(&str) -> bool) -> Listed {
        let mut listed = Listed::default();
        self.add(directory, is_wanted, 0, &mut listed);
        listed
    }

    fn add(
        &self,
        directory: &Path,
        is_wanted: &dyn Fn(&str) -> bool,
        depth: usize,
        listed: &mut Listed,
    ) {
        let names = match self.names(directory, &mut listed.seen) {
            Ok(names) => names,
            Err(why) => return listed.troubles.push((directory.to_owned(), why)),
        };
        for path in names.iter().map(|name| directory.join(name)) {
            if listed.is_full() {
                let why = format!("it has more than {MOST_FILES} files");
                return listed.troubles.push((directory.to_owned(), why));
            }
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if is_wanted(&name) {
                listed.paths.push(path);
            } else if depth < DEEPEST {
                self.add(&path, is_wanted, depth + 1, listed);
            }
        }
    }

    /// The directories below `directory` that have an entry `name`, the nearest first. Links are not
    /// followed: a directory inside the tree is found by its own path.
    pub(super) fn with_entry(
        &self,
        directory: &Path,
        name: &str,
    ) -> (Vec<PathBuf>, Option<String>) {
        let mut found = Vec::new();
        let mut waiting = VecDeque::from([directory.to_owned()]);
        for _ in 0..MOST_SEARCHED {
            let Some(next) = waiting.pop_front() else { return (found, None) };
            let path = next.as_os_str().as_bytes();
            let Ok(opened) = below::open_dir_by(&self.root, path, Links::Refused) else { continue };
            let Ok(entries) = Dir::new(opened) else { continue };
            let mut inner = Vec::new();
            for entry in entries.flatten() {
                let bytes = entry.file_name().to_bytes();
                if bytes == name.as_bytes() && next != directory {
                    found.push(next.clone());
                } else if entry.file_type() == FileType::Directory
                    && ![&b"."[..], b"..", b".git"].contains(&bytes)
                {
                    inner.push(next.join(OsStr::from_bytes(bytes)));
                }
            }
            inner.sort();
            waiting.extend(inner);
        }
        let why = format!("it has more than {MOST_SEARCHED} directories; not all were searched");
        (found, (!waiting.is_empty()).then_some(why))
    }

    /// The names in a directory; none where it is not there, no directory, or was seen before.
    fn names(
        &self,
        directory: &Path,
        seen: &mut HashSet<(u64, u64)>,
    ) -> Result<Vec<PathBuf>, String> {
        let path = directory.as_os_str().as_bytes();
        let directory = match below::open_dir_by(&self.root, path, Links::Inside) {
            Ok(directory) => directory,
            Err(errno) => return told(errno).map_or(Ok(Vec::new()), Err),
        };
        let stat = fstat(&directory).map_err(|error| error.to_string())?;
        if !seen.insert((stat.st_dev, stat.st_ino)) {
            return Ok(Vec::new());
        }
        if seen.len() > MOST_DIRECTORIES {
            return Err(format!("there are more than {MOST_DIRECTORIES} directories"));
        }
        let entries = Dir::new(directory).map_err(|error| error.to_string())?;
        let mut names = Vec::new();
        for entry in entries {
            let entry = entry.map_err(|error| error.to_string())?;
            let name = entry.file_name().to_bytes();
            if name != b"." && name != b".." {
                names.push(PathBuf::from(OsStr::from_bytes(name)));
            }
            if names.len() > MOST_NAMES {
                return Err(format!("it has more than {MOST_NAMES} names"));
            }
        }
        names.sort();
        Ok(names)
    }

    /// Where on its way a path cannot be followed: one link at the top is one thing to tell.
    pub(super) fn obstacle<'a>(&self, path: &'a Path) -> &'a Path {
        let mut ways: Vec<&Path> = path.ancestors().filter(|way| *way != Path::new("")).collect();
        ways.reverse();
        let is_blocked = |way: &&Path| {
            let reached = below::reach(&self.root, way.as_os_str().as_bytes());
            reached.is_err_and(|errno| told(errno).is_some())
        };
        ways.into_iter().find(is_blocked).unwrap_or(path)
    }
}

/// Why something cannot be looked at; `None` where there is nothing.
fn told(errno: Errno) -> Option<String> {
    let why = match errno {
        Errno::NOENT | Errno::NOTDIR => return None,
        Errno::XDEV => "it is a link that leads out of the work tree",
        Errno::LOOP => "its links lead nowhere",
        Errno::NXIO | Errno::NODEV | Errno::ISDIR => "it is no regular file",
        errno => return Some(errno.to_string()),
    };
    Some(why.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_with_as_many_directories_as_packages_make_is_searched_whole() {
        let tree = tempfile::tempdir().unwrap();
        for number in 0..21_000 {
            let path = format!("node_modules/{}/{number}", number % 100);
            std::fs::create_dir_all(tree.path().join(path)).unwrap();
        }
        std::fs::create_dir_all(tree.path().join("node_modules/99/20999/.claude")).unwrap();
        let files = Files::below(tree.path()).unwrap();
        let (found, trouble) = files.with_entry(Path::new("."), ".claude");
        assert_eq!((found, trouble), (vec![PathBuf::from("./node_modules/99/20999")], None));
    }
}
