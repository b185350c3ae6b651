//! What identifies the files below a directory: a walk that is bounded, enters no git directory and
//! follows no link. What tools build, install or log there is no work.
//!
//! What of a directory that is too large is looked at hangs on names and sizes alone, so that it is the
//! same at each look.

use std::collections::VecDeque;

use rustix::fs::FileType;
use sha2::{Digest, Sha256};

use super::{super::look::Dir, Digests};
use crate::tree::hex;

/// So many names of a directory are looked at, those nearest to the top first.
const MOST_NAMES: usize = 5000;

/// So many are looked at where there are many directories: each has the same share.
const MOST_IN_ALL: usize = 80_000;

/// Directories that lie deeper are not looked into.
const DEEPEST: usize = 32;

/// A larger file is told by its size and by when it was modified.
const LARGE: u64 = 64 << 10;

/// So much content is read of each name that may be looked at; files for which there is no room are told
/// like large ones.
const MOST_READ: u64 = 4 << 10;

/// Where the history of a repository is kept.
const HISTORIES: &[&[u8]] = &[b".git", b".jj", b".hg", b".svn"];

/// Directories that tools fill.
const FILLED: &[&str] = &[
    "node_modules",
    "bower_components",
    "vendor",
    "target",
    "dist",
    "build",
    "_build",
    "out",
    "obj",
    "coverage",
    "venv",
    ".venv",
    "__pycache__",
    ".pytest_cache",
    ".mypy_cache",
    ".ruff_cache",
    ".tox",
    ".eggs",
    ".cache",
    ".gradle",
    ".next",
    ".nuxt",
    ".turbo",
];

/// How files end that tools write.
const WRITTEN: &[&str] = &[".log", ".pyc", ".o", ".class", ".swp"];

/// Whether a directory with this name is filled by tools.
pub(super) fn is_filled(name: &[u8]) -> bool {
    FILLED.iter().any(|filled| filled.as_bytes() == name)
}

fn counts(name: &[u8], kind: FileType) -> bool {
    let is_written = || WRITTEN.iter().any(|end| name.ends_with(end.as_bytes()));
    !HISTORIES.contains(&name) && !if kind.is_dir() { is_filled(name) } else { is_written() }
}

/// What identifies the files below a directory, which is one of so many.
pub(super) fn print(top: &Dir, count: usize, digests: &mut Digests) -> String {
    let left = MOST_NAMES.min(MOST_IN_ALL / count.max(1));
    let unread = left as u64 * MOST_READ;
    let mut walk = Walk { top, digests, print: Sha256::new(), left, unread };
    let mut todo = VecDeque::from([(Vec::new(), 0)]);
    while let Some((path, depth)) = todo.pop_front() {
        for inner in walk.directory(&path) {
            if depth < DEEPEST {
                todo.push_back((inner, depth + 1));
            }
        }
    }
    hex(&walk.print.finalize()[..16])
}

struct Walk<'a> {
    top: &'a Dir,
    digests: &'a mut Digests,
    print: Sha256,
    /// How many names may still be looked at.
    left: usize,
    /// How many bytes may still be read.
    unread: u64,
}

impl Walk<'_> {
    /// Takes in the files of a directory; gives the directories in it.
    fn directory(&mut self, path: &[u8]) -> Vec<Vec<u8>> {
        let mut directories = Vec::new();
        let Some(dir) = self.top.dir(path).filter(|_| self.left > 0) else { return directories };
        let names = dir.names().into_iter().filter(|(name, kind)| counts(name, *kind));
        for (name, kind) in names.take(self.left) {
            self.left -= 1;
            let whole = if path.is_empty() { name.clone() } else { [path, b"/", &name].concat() };
            if kind.is_dir() {
                directories.push(whole);
            } else {
                self.file(&dir, &name, &whole, kind);
            }
        }
        directories
    }

    fn file(&mut self, dir: &Dir, name: &[u8], path: &[u8], kind: FileType) {
        let held = match kind {
            FileType::Symlink => dir.target(name).into_bytes(),
            FileType::RegularFile => self.content(dir, name),
            _ => format!("{kind:?}").into_bytes(),
        };
        self.print.update(path);
        self.print.update([0]);
        self.print.update(held.len().to_be_bytes());
        self.print.update(held);
    }

    /// What identifies the content of a file.
    fn content(&mut self, dir: &Dir, name: &[u8]) -> Vec<u8> {
        let Some(mark) = dir.mark(name).filter(|mark| mark.kind.is_file()) else {
            return Vec::new();
        };
        if mark.size > LARGE || mark.size > self.unread {
            return format!("{} {}", mark.size, mark.modified_ns).into_bytes();
        }
        self.unread -= mark.size;
        let key = dir.shown(name).into_bytes();
        let digest = |bytes: &[u8]| Some(Sha256::digest(bytes).into());
        let digest = self.digests.of(key, (dir, name, mark), LARGE, digest);
        digest.map(|digest| digest.to_vec()).unwrap_or_default()
    }
}
