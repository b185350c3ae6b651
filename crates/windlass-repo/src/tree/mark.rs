//! Whether one file, outside of what is listed, is still the one that was read.

use std::{fs, os::unix::fs::MetadataExt, path::Path};

use super::look::now_ns;

/// Tells whether a file outside the listing is as it was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct FileMark {
    stat: Option<(i64, i64, u64, u64)>,
    is_racy: bool,
}

impl FileMark {
    fn of(path: &Path) -> Self {
        let stat = fs::metadata(path)
            .ok()
            .map(|meta| (meta.ctime(), meta.ctime_nsec(), meta.ino(), meta.size()));
        let is_racy = stat.is_some_and(|(seconds, ns, ..)| {
            i128::from(seconds) * 1_000_000_000 + i128::from(ns) + 2_000_000_000 > now_ns()
        });
        Self { stat, is_racy }
    }

    /// Looks again; whether the file may be another than before.
    pub(super) fn renew(&mut self, path: &Path) -> bool {
        let (before, now) = (*self, Self::of(path));
        *self = now;
        before.is_racy || before.stat != now.stat
    }
}
