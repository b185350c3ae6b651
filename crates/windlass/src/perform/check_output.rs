//! What the output of a check tells, read from the file that it is kept in.

use std::{fs, path::Path};

use windlass_core::test_counts::TestCounts;
use windlass_proof::counts;

/// What the output of a check tells.
#[derive(Default)]
pub(super) struct CheckOutput {
    /// The tests that it ran, where that can be read.
    pub(super) tests: Option<TestCounts>,
    /// The first compile error, with file and line.
    pub(super) first_error: Option<String>,
}

impl CheckOutput {
    /// Reads all output that was kept; only its end where there is no file.
    pub(super) fn read(path: &Path, tail: &str) -> Self {
        let kept = fs::read(path).ok();
        let output = kept.as_deref().map_or(tail.into(), String::from_utf8_lossy);
        Self { tests: counts::read(&output), first_error: counts::first_error(&output) }
    }
}
