//! What the user's index names: such files count even where an ignore rule matches them.

use std::{
    collections::{BTreeMap, HashMap},
    path::Path,
};

use super::{
    TreeError,
    listing::{RawPath, join, split},
    own::OwnDir,
    repository::Repository,
    rules::START_INDEX,
};
use crate::git::{Call, Git};

/// What the index has under a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Tracked {
    /// A file or a symbolic link.
    File {
        /// Whether a merge left it undecided.
        unmerged: bool,
        /// Whether the index names it no more, and only did when the loop began.
        dropped: bool,
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
    ///
    /// What the index named when the loop began counts too: a file that was taken out of it, so that
    /// a rule ignores it, is still part of the work tree.
    pub(super) async fn read(
        git: &Git,
        own: &OwnDir,
        repository: &Repository,
    ) -> Result<Self, TreeError> {
        let mut all = Self::default();
        own.mirror_shared_index(repository)?;
        let at_start = own.path().join(START_INDEX);
        let now = repository.checked_index()?;
        if at_start.is_file() {
            all.add(git, own, repository, &at_start, true).await?;
        }
        if let Some(now) = now {
            all.add(git, own, repository, &now, false).await?;
        }
        Ok(all)
    }

    async fn add(
        &mut self,
        git: &Git,
        own: &OwnDir,
        repository: &Repository,
        index: &Path,
        dropped: bool,
    ) -> Result<(), TreeError> {
        let call = Call::new(own.path(), own.path())
            .env("GIT_WORK_TREE", &repository.top)
            .env("GIT_INDEX_FILE", index)
            .args(["ls-files", "-z", "--full-name", "--stage"]);
        let call = call.in_directory(&repository.top);
        self.parse(&git.run(call).await?.stdout, dropped);
        Ok(())
    }

    fn parse(&mut self, output: &[u8], dropped: bool) {
        for line in output.split(|byte| *byte == 0) {
            // `100644 <id> 0\t<path>`
            let Some(tab) = line.iter().position(|byte| *byte == b'\t') else { continue };
            let fields: Vec<&[u8]> = line[..tab].split(|byte| *byte == b' ').collect();
            let &[mode, id, stage] = fields.as_slice() else { continue };
            let tracked = if mode == b"160000" {
                Tracked::Link(String::from_utf8_lossy(id).into_owned())
            } else {
                Tracked::File { unmerged: stage != b"0", dropped }
            };
            self.insert(&line[tab + 1..], tracked);
        }
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

    /// Whether the index names a file or another repository at `path` now.
    pub(super) fn has(&self, path: &[u8]) -> bool {
        matches!(self.get(path), Some(Tracked::File { dropped: false, .. } | Tracked::Link(_)))
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
