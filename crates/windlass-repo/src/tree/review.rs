//! What changed between two snapshots, for a reviewer to read.

use std::{ffi::OsStr, os::unix::ffi::OsStrExt};

use windlass_core::{
    text::patch::{DiffReport, DiffedBy, parts},
    tree::Snapshot,
};

use super::{
    Tree, TreeError,
    diff::{PATCH, RawChange},
    evidence::Depth,
    shown,
};
use crate::git::GitError;

/// The most that is asked for in one call. What changed by more is looked at file by file.
const MOST_BYTES: usize = 64 << 20;

/// How many files are looked at one by one.
const MOST_FILES: usize = 500;

impl Tree {
    /// What changed, cut by whole files to `limit` bytes.
    pub(crate) async fn review(
        &self,
        from: &Snapshot,
        to: &Snapshot,
        limit: usize,
    ) -> Result<DiffReport, TreeError> {
        if from.tree == to.tree {
            return Ok(DiffReport::new(DiffedBy::Git));
        }
        self.verify_between(&from.tree, &to.tree, Depth::Contents).await?;
        // A file that was moved is told from one that is new.
        let how = [&PATCH[..], &["--find-renames"]].concat();
        let call = self.diff_call(&from.tree, &to.tree, &how).at_most(MOST_BYTES);
        match self.run_diff(call, &from.tree, &to.tree).await {
            Ok(diff) => Ok(DiffReport::of(DiffedBy::Git, &diff, limit)),
            // One that is huge, or whose content the repository has lost, takes no other with it.
            Err(TreeError::Lost { .. } | TreeError::Git(GitError::TooMuch { .. })) => {
                self.review_one_by_one(from, to, limit).await
            }
            Err(error) => Err(error),
        }
    }

    async fn review_one_by_one(
        &self,
        from: &Snapshot,
        to: &Snapshot,
        limit: usize,
    ) -> Result<DiffReport, TreeError> {
        let mut report = DiffReport::new(DiffedBy::Git);
        let changes = self.raw_changes(&from.tree, &to.tree).await?;
        for (number, change) in changes.iter().enumerate() {
            let diff = match number < MOST_FILES {
                true => self.diff_of(change, from, to, limit).await?,
                false => None,
            };
            match diff.as_deref().and_then(|diff| parts(diff).next()) {
                Some(part) => report.add(&part, limit),
                None => report.add_unknown(shown(&change.path)),
            }
        }
        Ok(report)
    }

    /// The diff of one file; `None` where it is far too long, or its content is lost.
    async fn diff_of(
        &self,
        change: &RawChange,
        from: &Snapshot,
        to: &Snapshot,
        limit: usize,
    ) -> Result<Option<Vec<u8>>, TreeError> {
        let call = self
            .diff_call(&from.tree, &to.tree, &PATCH)
            .arg("--")
            .arg(OsStr::from_bytes(&change.path))
            .at_most(limit.saturating_mul(4).clamp(1 << 16, MOST_BYTES));
        match self.run_diff(call, &from.tree, &to.tree).await {
            Ok(diff) => Ok(Some(diff)),
            Err(TreeError::Lost { .. } | TreeError::Git(GitError::TooMuch { .. })) => Ok(None),
            Err(error) => Err(error),
        }
    }
}
