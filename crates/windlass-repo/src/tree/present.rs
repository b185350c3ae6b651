//! What of the listing goes into a tree, and what must be read for it.

use std::collections::{BTreeSet, HashMap};

use super::{
    listing::{Dir, Entry, Held, RawPath, Stat, join},
    scan::{Scan, is_file},
};

/// A file that is not in the user's index and larger than this is recorded by hash only.
pub(super) const LARGE: u64 = 10 << 20;

/// A file that is larger than this is never read: a sparse one of terabytes costs an agent nothing.
pub(super) const HUGE: u64 = 4 << 30;

/// Names of files and symbolic links, by directory.
pub(super) type Names = HashMap<RawPath, BTreeSet<RawPath>>;

/// What counts in the directories that were touched, and what is left out of them.
#[derive(Debug, Default)]
pub(super) struct Present {
    /// Files and symbolic links; no names for a directory that counts no longer.
    pub(super) files: Names,
    /// Those that the last tree may not hold as they are.
    pub(super) candidates: Vec<Candidate>,
    /// What is left out, and why.
    pub(super) skipped: Vec<(RawPath, &'static str)>,
}

/// A file that must be read.
#[derive(Debug)]
pub(super) struct Candidate {
    pub(super) path: RawPath,
    pub(super) stat: Stat,
    pub(super) held: Held,
    /// Whether the last tree has something at this path.
    pub(super) is_recorded: bool,
    /// Whether it is recorded by hash only.
    pub(super) is_large: bool,
}

impl Scan {
    /// All that counts in the directories that were touched.
    pub(super) fn present(&self, recorded: &Names) -> Present {
        let mut present = Present::default();
        for path in recorded.keys().filter(|path| !self.listing.dirs.contains_key(*path)) {
            present.files.insert(path.clone(), BTreeSet::new());
        }
        let touched = self.touched.iter().filter_map(|path| self.listing.dirs.get_key_value(path));
        for (path, dir) in touched {
            if dir.foreign && self.tracked.names(path).is_none() {
                present.skipped.push((path.clone(), "it is another git repository"));
            }
            self.add(&mut present, path, dir, recorded.get(path));
        }
        present
    }

    fn add(
        &self,
        present: &mut Present,
        path: &[u8],
        dir: &Dir,
        recorded: Option<&BTreeSet<RawPath>>,
    ) {
        let tracked = self.tracked.names(path);
        let mut names = BTreeSet::new();
        for (name, entry) in &dir.entries {
            let is_tracked = tracked.and_then(|names| names.get(name)).is_some_and(is_file);
            let is_confined = dir.confined || dir.foreign || entry.ignored != Some(false);
            if entry.stat.file_type().is_dir() || (is_confined && !is_tracked) {
                continue;
            }
            let path = join(path, name);
            if entry.stat.git_mode().is_none() {
                present.skipped.push((path, "it is not a regular file"));
            } else if entry.stat.file_type().is_symlink()
                && name.eq_ignore_ascii_case(b".gitmodules")
            {
                present.skipped.push((path, "git does not hold such a link"));
            } else {
                names.insert(name.clone());
                let is_recorded = recorded.is_some_and(|names| names.contains(name));
                if entry.held != Held::Yes || !is_recorded {
                    let Entry { stat, held, .. } = *entry;
                    let is_large = stat.size > HUGE || (stat.size > LARGE && !is_tracked);
                    present.candidates.push(Candidate { path, stat, held, is_recorded, is_large });
                }
            }
        }
        present.files.insert(path.to_vec(), names);
    }
}
