//! What the user's index names: such files count even where an ignore rule matches them.

use std::collections::{BTreeMap, HashMap};

use super::{
    TreeError,
    listing::{RawPath, join, split},
    own::OwnDir,
    repository::Repository,
};
use crate::git::{Call, Git};

/// What the index has under a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Tracked {
    /// A file or a symbolic link.
    File {
        /// Whether it is left out of the work tree on purpose (sparse checkout).
        skipped: bool,
        /// Whether a merge left it undecided.
        unmerged: bool,
    },
    /// A directory that holds something tracked.
    Dir,
    /// Another repository, at this commit.
    Link(String),
}

/// The paths of the user's index, by directory.
#[derive(Clone, Debug, Default)]
pub(super) struct TrackedPaths {
    dirs: HashMap<RawPath, BTreeMap<RawPath, Tracked>>,
}

impl TrackedPaths {
    /// Reads the user's index. It is only read: git is given a directory of windlass's own.
    pub(super) async fn read(
        git: &Git,
        own: &OwnDir,
        repository: &Repository,
    ) -> Result<Self, TreeError> {
        let Some(index) = repository.checked_index()? else { return Ok(Self::default()) };
        own.mirror_shared_index(repository)?;
        let call = Call::new(own.path(), own.path())
            .env("GIT_WORK_TREE", &repository.top)
            .env("GIT_INDEX_FILE", &index)
            .args(["ls-files", "-z", "--full-name", "-t", "--stage"]);
        let call = call.in_directory(&repository.top);
        Ok(Self::parse(&git.run(call).await?.stdout))
    }

    fn parse(output: &[u8]) -> Self {
        let mut all = Self::default();
        for line in output.split(|byte| *byte == 0) {
            // `H 100644 <id> 0\t<path>`
            let Some(tab) = line.iter().position(|byte| *byte == b'\t') else { continue };
            let fields: Vec<&[u8]> = line[..tab].split(|byte| *byte == b' ').collect();
            let &[tag, mode, id, stage] = fields.as_slice() else { continue };
            let tracked = if mode == b"160000" {
                Tracked::Link(String::from_utf8_lossy(id).into_owned())
            } else {
                Tracked::File { skipped: tag == b"S", unmerged: stage != b"0" }
            };
            all.insert(&line[tab + 1..], tracked);
        }
        all
    }

    fn insert(&mut self, path: &[u8], tracked: Tracked) {
        let (parent, name) = split(path);
        let is_known = self.dirs.contains_key(parent);
        self.dirs.entry(parent.to_vec()).or_default().insert(name.to_vec(), tracked);
        if !is_known && !parent.is_empty() {
            self.insert(parent, Tracked::Dir);
        }
    }

    /// What is tracked right in a directory.
    pub(super) fn names(&self, directory: &[u8]) -> Option<&BTreeMap<RawPath, Tracked>> {
        self.dirs.get(directory)
    }

    /// What is tracked at `path`.
    pub(super) fn get(&self, path: &[u8]) -> Option<&Tracked> {
        let (parent, name) = split(path);
        self.dirs.get(parent)?.get(name)
    }

    /// Whether anything but a directory is tracked at `path`.
    pub(super) fn has(&self, path: &[u8]) -> bool {
        matches!(self.get(path), Some(Tracked::File { .. } | Tracked::Link(_)))
    }

    /// The other repositories that the index names, and the commits it has them at.
    pub(super) fn links(&self) -> Vec<(RawPath, &str)> {
        let mut links = Vec::new();
        for (dir, names) in &self.dirs {
            for (name, tracked) in names {
                if let Tracked::Link(id) = tracked {
                    links.push((join(dir, name), id.as_str()));
                }
            }
        }
        links
    }
}
