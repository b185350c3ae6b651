//! What differs from the last commit as the user's own git would see it: line endings and the like
//! are converted before files are compared.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use windlass_core::tree::Snapshot;

use super::{Tree, TreeError, listing::RawPath, own::copy_bounded, shown};
use crate::git::Call;

impl Tree {
    /// The paths that the user has changed, staged or added since the last commit.
    pub async fn dirty_paths(&self, snapshot: &Snapshot) -> Result<BTreeSet<String>, TreeError> {
        let dirty = self.dirty(snapshot).await?;
        Ok(dirty.keys().map(|path| shown(path)).collect())
    }

    /// The same as bytes, each with whether the file is there.
    pub(super) async fn dirty(
        &self,
        snapshot: &Snapshot,
    ) -> Result<BTreeMap<RawPath, bool>, TreeError> {
        let present = self.paths_of(&snapshot.tree).await?;
        let mut dirty = self.differing(snapshot.head.as_deref()).await?;
        let memory = self.memory.lock().await;
        let is_new = |path: &&RawPath| !memory.scan.tracked.has(path);
        dirty.extend(present.iter().filter(is_new).cloned());
        Ok(dirty.into_iter().map(|path| (present.contains(&path), path)).map(flip).collect())
    }

    /// All paths of a tree.
    pub(super) async fn paths_of(&self, tree: &str) -> Result<BTreeSet<RawPath>, TreeError> {
        let call = self.own.stored().args([
            "ls-tree",
            "-r",
            "-z",
            "--name-only",
            "--full-tree",
            "--end-of-options",
            tree,
        ]);
        Ok(paths(&self.git.run(call).await?.stdout).collect())
    }

    /// Paths of the index that differ from the commit or from the file in the work tree.
    pub(super) async fn differing(
        &self,
        head: Option<&str>,
    ) -> Result<BTreeSet<RawPath>, TreeError> {
        let index = self.own.path().join(format!("index-dirty-{:08x}", fastrand::u32(..)));
        let result = self.differing_with(&index, head).await;
        drop(fs::remove_file(&index));
        result
    }

    async fn differing_with(
        &self,
        index: &Path,
        head: Option<&str>,
    ) -> Result<BTreeSet<RawPath>, TreeError> {
        self.mirror_attributes()?;
        self.own.mirror_shared_index(&self.repository)?;
        if self.repository.checked_index()?.is_some() {
            self.copy_index(index)?;
        }
        // Stat data may be old where the content is the same, so it is renewed, on the copy.
        let refresh =
            self.with_index(index).args(["update-index", "-q", "--refresh", "--unmerged"]);
        self.git.run(refresh.accepting(&[0, 1])).await?;
        let common = ["-z", "--name-only", "--no-renames", "--ignore-submodules=dirty"];
        let files = self.with_index(index).arg("diff-files").args(common);
        let mut all: BTreeSet<RawPath> = paths(&self.git.run(files).await?.stdout).collect();
        let staged = match head {
            Some(head) => {
                let staged = self.with_index(index).args(["diff-index", "--cached"]).args(common);
                staged.args(["--end-of-options", head])
            }
            None => self.with_index(index).args(["ls-files", "-z", "--cached", "--full-name"]),
        };
        all.extend(paths(&self.git.run(staged).await?.stdout));
        Ok(all)
    }

    /// A call that sees the work tree through `index`, and converts as the user's git would.
    pub(super) fn with_index(&self, index: &Path) -> Call {
        let mut call = Call::new(self.own.path(), &self.repository.top)
            .env("GIT_WORK_TREE", &self.repository.top)
            .env("GIT_INDEX_FILE", index);
        for (key, value) in &self.user.conversion {
            call = call.config(key, value);
        }
        call
    }

    /// Copies the user's index.
    pub(super) fn copy_index(&self, to: &Path) -> Result<(), TreeError> {
        copy_bounded(&self.repository.git_dir, b"index", to)
            .map_err(TreeError::io("copy", &self.repository.index()))
    }

    /// The repository's own attributes decide about conversion too.
    pub(super) fn mirror_attributes(&self) -> Result<(), TreeError> {
        let attributes: PathBuf = self.repository.common_dir.join("info/attributes");
        self.own.mirror(&attributes, "info/attributes")
    }
}

fn flip((is_there, path): (bool, RawPath)) -> (RawPath, bool) {
    (path, is_there)
}

/// Paths that are ended by NUL.
pub(super) fn paths(output: &[u8]) -> impl Iterator<Item = RawPath> + '_ {
    output.split(|byte| *byte == 0).filter(|path| !path.is_empty()).map(<[u8]>::to_vec)
}
