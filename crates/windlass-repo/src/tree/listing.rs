//! What the work tree held when it was last looked at: names, stat data, and git's word on what is
//! ignored. Pure memory; nothing is read from disk here.

use std::collections::{BTreeMap, HashMap};

use rustix::fs::FileType;

/// A path relative to the work tree, as bytes: names need not be UTF-8.
pub(super) type RawPath = Vec<u8>;

/// A change within this time of a look may not show in the stat data: some file systems count in
/// steps of two seconds.
const STEP_NS: i128 = 2_000_000_000;

/// What tells one state of a file from another without reading it. The change time is part of it,
/// which no program can set back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stat {
    pub(super) mode: u32,
    pub(super) size: u64,
    pub(super) device: u64,
    pub(super) inode: u64,
    pub(super) modified_ns: i128,
    pub(super) changed_ns: i128,
}

impl Stat {
    /// Whether a later change could leave this stat data as it is.
    pub(super) fn is_racy(&self, seen_at_ns: i128) -> bool {
        self.changed_ns + STEP_NS > seen_at_ns
    }

    pub(super) fn file_type(&self) -> FileType {
        FileType::from_raw_mode(self.mode)
    }

    /// The mode that git has for it; `None` for what git does not hold.
    pub(super) fn git_mode(&self) -> Option<&'static str> {
        let file_type = self.file_type();
        if file_type.is_symlink() {
            Some("120000")
        } else if !file_type.is_file() {
            None
        } else if self.mode & 0o100 != 0 {
            Some("100755")
        } else {
            Some("100644")
        }
    }
}

/// How far the last tree holds what an entry holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Held {
    /// It must be read.
    #[default]
    No,
    /// As long as the stat data stays.
    Yes,
    /// As long as the content has this SHA-256, because the stat data may not tell.
    IfContent([u8; 32]),
}

/// One name in a directory.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) stat: Stat,
    /// Git's word on it; `None` before it was asked.
    pub(super) ignored: Option<bool>,
    pub(super) held: Held,
}

/// One directory that is looked into.
#[derive(Clone, Debug)]
pub(super) struct Dir {
    pub(super) stat: Stat,
    pub(super) seen_at_ns: i128,
    /// Whether something above it is ignored or another repository: then only what the user's
    /// index names counts.
    pub(super) confined: bool,
    /// Whether it is the top of another repository itself.
    pub(super) foreign: bool,
    pub(super) entries: BTreeMap<RawPath, Entry>,
}

/// A directory as it was just seen.
#[derive(Debug)]
pub(super) struct Seen {
    pub(super) path: RawPath,
    /// `None` when it is gone.
    pub(super) dir: Option<SeenDir>,
}

/// What was seen in it.
#[derive(Debug)]
pub(super) struct SeenDir {
    pub(super) stat: Stat,
    pub(super) seen_at_ns: i128,
    pub(super) confined: bool,
    pub(super) foreign: bool,
    pub(super) entries: Vec<(RawPath, Stat)>,
}

/// All directories that are looked into, the top as the empty path.
#[derive(Clone, Debug, Default)]
pub(super) struct Listing {
    pub(super) dirs: HashMap<RawPath, Dir>,
}

impl Listing {
    /// Takes in what was seen. The answer is whether a file with ignore rules changed.
    pub(super) fn merge(&mut self, seen: Vec<Seen>) -> bool {
        let mut rules_changed = false;
        for Seen { path, dir } in seen {
            let mut old = self.dirs.remove(&path).map(|dir| dir.entries).unwrap_or_default();
            let Some(dir) = dir else {
                rules_changed |= old.contains_key(&b".gitignore"[..]);
                continue;
            };
            let mut entries = BTreeMap::new();
            for (name, stat) in dir.entries {
                let entry = match old.remove(&name) {
                    Some(entry) if entry.stat == stat => entry,
                    before => {
                        rules_changed |= name == b".gitignore";
                        let same_type =
                            before.filter(|before| before.stat.file_type() == stat.file_type());
                        let ignored = same_type.and_then(|before| before.ignored);
                        Entry { stat, ignored, held: Held::No }
                    }
                };
                entries.insert(name, entry);
            }
            rules_changed |= old.contains_key(&b".gitignore"[..]);
            let SeenDir { stat, seen_at_ns, confined, foreign, .. } = dir;
            self.dirs.insert(path, Dir { stat, seen_at_ns, confined, foreign, entries });
        }
        rules_changed
    }

    /// Forgets what git said of every entry.
    pub(super) fn forget_verdicts(&mut self) {
        for dir in self.dirs.values_mut() {
            for entry in dir.entries.values_mut() {
                entry.ignored = None;
            }
        }
    }

    /// The entry at `path`.
    pub(super) fn entry(&self, path: &[u8]) -> Option<&Entry> {
        let (parent, name) = split(path);
        self.dirs.get(parent)?.entries.get(name)
    }

    /// The entry at `path`, to be changed.
    pub(super) fn entry_mut(&mut self, path: &[u8]) -> Option<&mut Entry> {
        let (parent, name) = split(path);
        self.dirs.get_mut(parent)?.entries.get_mut(name)
    }
}

/// The parent directory and the name.
pub(super) fn split(path: &[u8]) -> (&[u8], &[u8]) {
    match path.iter().rposition(|byte| *byte == b'/') {
        Some(at) => (&path[..at], &path[at + 1..]),
        None => (b"", path),
    }
}

/// The path of `name` in `parent`.
pub(super) fn join(parent: &[u8], name: &[u8]) -> RawPath {
    let mut path = Vec::with_capacity(parent.len() + name.len() + 1);
    if !parent.is_empty() {
        path.extend_from_slice(parent);
        path.push(b'/');
    }
    path.extend_from_slice(name);
    path
}
