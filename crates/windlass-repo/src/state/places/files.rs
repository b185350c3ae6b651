//! What identifies the files below a directory: a walk that is bounded, enters no git directory and
//! follows no link. What tools build, install or log there is no work.

use std::collections::VecDeque;

use rustix::fs::FileType;
use sha2::{Digest, Sha256};

use super::{super::look::Dir, Digests};
use crate::tree::hex;

/// So many names are looked at, those nearest to the top first.
const MOST_NAMES: usize = 5000;

/// Directories that lie deeper are not looked into.
const DEEPEST: usize = 32;

/// A larger file is told by its size and by when it was modified.
const LARGE: u64 = 64 << 10;

/// More content than this is not read; the files after it are told like large ones.
const MOST_READ: u64 = 16 << 20;

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

/// What identifies the files below a directory.
pub(super) fn print(top: &Dir, digests: &mut Digests) -> String {
    let mut walk = Walk { top, digests, print: Sha256::new(), left: MOST_NAMES, unread: MOST_READ };
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
        let dir = if self.left == 0 { None } else { self.top.dir(path) };
        for (name, kind) in dir.iter().flat_map(Dir::names) {
            if name == b".git" || WRITTEN.iter().any(|end| name.ends_with(end.as_bytes())) {
                continue;
            }
            let Some(left) = self.left.checked_sub(1) else { break };
            let whole = [path, b"/", &name].concat();
            let whole = whole.strip_prefix(b"/").unwrap_or(&whole).to_vec();
            if !kind.is_dir() {
                self.left = left;
                self.file(dir.as_ref().expect("its names were read"), &name, &whole, kind);
            } else if !is_filled(&name) {
                self.left = left;
                directories.push(whole);
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
        let is_small = mark.size <= LARGE && mark.size <= self.unread;
        let digest = is_small.then(|| {
            self.unread -= mark.size;
            let key = dir.shown(name).into_bytes();
            let digest = |bytes: &[u8]| Some(Sha256::digest(bytes).into());
            self.digests.of(key, (dir, name, mark), LARGE, digest)
        });
        match digest {
            Some(digest) => digest.map(|digest| digest.to_vec()).unwrap_or_default(),
            None => format!("{} {}", mark.size, mark.modified_ns).into_bytes(),
        }
    }
}
