//! Names entries by a digest of all that matters about them, the files that they name included.

use std::{
    collections::{BTreeSet, HashMap},
    path::{Component, Path, PathBuf},
};

use sha2::{Digest, Sha256};
use windlass_agents::repo_config::Brought;
use windlass_core::event::ConfigEntry;

use super::files::Files;
use crate::workplace::hex;

/// One thing that a file of the work tree has an agent run or obey.
#[derive(Clone, Debug)]
pub(in crate::engine) struct Entry {
    /// What is shown of it.
    pub(in crate::engine) entry: ConfigEntry,
    /// What trust in it is bound to.
    pub(in crate::engine) digest: String,
}

impl Entry {
    pub(super) fn without_files(brought: Brought) -> Self {
        Self::of(brought, &[])
    }

    fn of(brought: Brought, files: &[(String, String)]) -> Self {
        let digest = hex(&Sha256::digest(brought.identity(files)));
        Self { entry: brought.entry, digest }
    }
}

/// Finds the files that entries name.
pub(super) struct Namer<'a> {
    root: &'a Path,
    /// Where the agent works, below the root.
    inner: &'a Path,
    files: &'a Files,
    /// What is known of each path.
    seen: HashMap<PathBuf, Option<String>>,
}

impl<'a> Namer<'a> {
    pub(super) fn new(root: &'a Path, inner: &'a Path, files: &'a Files) -> Self {
        Self { root, inner, files, seen: HashMap::new() }
    }

    pub(super) fn entry(&mut self, brought: Brought) -> Entry {
        let beside = Path::new(&brought.entry.file).parent().unwrap_or(Path::new(""));
        let above = beside.parent().unwrap_or(Path::new(""));
        let bases = [Path::new(""), self.inner, beside, above];
        let mut paths = BTreeSet::new();
        for name in &brought.names {
            let name = Path::new(name);
            let name = name.strip_prefix(self.root).unwrap_or(name);
            paths.extend(bases.iter().filter_map(|base| inside(base, name)));
        }
        let mut named = Vec::new();
        for path in paths {
            let look = || self.files.digest(&path);
            if let Some(holds) = self.seen.entry(path.clone()).or_insert_with(look) {
                named.push((path.to_string_lossy().into_owned(), holds.clone()));
            }
        }
        Entry::of(brought, &named)
    }
}

/// The path below the root that a name means from a directory; `None` where it leads out.
fn inside(base: &Path, name: &Path) -> Option<PathBuf> {
    let mut path = base.to_owned();
    for part in name.components() {
        match part {
            Component::Normal(part) => path.push(part),
            Component::CurDir => (),
            Component::ParentDir if path.pop() => (),
            Component::ParentDir | Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    (path != Path::new("")).then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_followed_from_a_directory_and_never_out_of_the_tree() {
        let inside = |base: &str, name: &str| inside(Path::new(base), Path::new(name));
        assert_eq!(inside("", "./a/../b.sh"), Some("b.sh".into()));
        assert_eq!(inside("x/y", "../b.sh"), Some("x/b.sh".into()));
        assert_eq!(inside("x", "../../b.sh"), None);
        assert_eq!(inside("x", "/etc/passwd"), None);
        assert_eq!(inside("x", ".."), None);
    }
}
