//! Takes back what a move of a branch that was cut off has written into the work tree, so that the
//! move can be made once more.

use std::{collections::BTreeSet, ffi::OsStr, fs, os::unix::ffi::OsStrExt, path::Path};

use windlass_system::below;

use super::{Tree, TreeError, dirty::paths, listing::RawPath, scan::open_top};

impl Tree {
    /// Puts files back that a move wrote which was cut off: those that are gone, or are as the move
    /// was to leave them. What anybody else wrote stays.
    pub(super) async fn undo(
        &self,
        touched: &BTreeSet<RawPath>,
        new: &str,
    ) -> Result<(), TreeError> {
        let index = self.own.path().join(format!("index-undo-{:08x}", fastrand::u32(..)));
        let result = self.undo_with(&index, touched, new).await;
        drop(fs::remove_file(&index));
        result
    }

    async fn undo_with(
        &self,
        index: &Path,
        touched: &BTreeSet<RawPath>,
        new: &str,
    ) -> Result<(), TreeError> {
        self.git.run(self.with_index(index).args(["read-tree", new])).await?;
        let refresh = self.with_index(index).args(["update-index", "-q", "--refresh"]);
        self.git.run(refresh.accepting(&[0, 1])).await?;
        let files = ["diff-files", "-z", "--name-only", "--no-renames", "--diff-filter=MT"];
        let call = self.with_index(index).args(files);
        let others: BTreeSet<RawPath> = paths(&self.git.run(call).await?.stdout).collect();
        let held = self.with_index(index).args(["ls-files", "-z", "--cached", "--full-name"]);
        let held: BTreeSet<RawPath> = paths(&self.git.run(held).await?.stdout).collect();
        let users = self.repository.index();
        let known = self.with_index(&users).args(["ls-files", "-z", "--cached", "--full-name"]);
        let known: BTreeSet<RawPath> = paths(&self.git.run(known).await?.stdout).collect();
        let is_there =
            |path: &RawPath| self.top().join(OsStr::from_bytes(path)).symlink_metadata().is_ok();
        // The move was to remove a file that it does not hold: one that is there is not its work.
        let is_ours = |path: &&RawPath| {
            if held.contains(*path) { !others.contains(*path) } else { !is_there(path) }
        };
        let ours = touched.iter().filter(is_ours);
        let (back, added): (Vec<_>, Vec<_>) = ours.partition(|path| known.contains(*path));
        let top = open_top(&self.repository)?;
        for path in added.into_iter().filter(|path| held.contains(*path)) {
            below::remove(&top, path).map_err(TreeError::io("remove", self.top()))?;
        }
        let mut names = Vec::new();
        for path in back {
            names.extend_from_slice(path);
            names.push(0);
        }
        let copy = self.own.path().join(format!("index-undo-{:08x}", fastrand::u32(..)));
        self.copy_index(&copy)?;
        let call = self.with_index(&copy).args(["checkout-index", "-f", "-q", "-z", "--stdin"]);
        let result = self.git.run(call.stdin(names)).await;
        drop(fs::remove_file(&copy));
        Ok(result.map(|_| ())?)
    }
}
