//! jest.

use windlass_core::test_counts::TestCounts;

use super::{
    Reader,
    names::{Names, parts, sum},
    runs::{Reading, Runs},
};

#[derive(Default)]
pub(super) struct Jest {
    runs: Runs,
    names: Names,
    /// The file that is told of.
    file: String,
    /// Files that could not be run at all, which are among no tests.
    not_run: u32,
    failed_files: u32,
}

impl Reader for Jest {
    fn line(&mut self, line: &str) {
        if let Some(rest) = line.strip_prefix("Test Suites: ") {
            // The larger one: a test may print such a line between this and the next.
            let failed = counts(rest).map_or(0, |it| it.failed);
            self.failed_files = self.failed_files.max(failed);
        } else if let Some(rest) = line.strip_prefix("Tests: ") {
            if let Some(counts) = counts(rest) {
                self.summary(counts);
            }
        } else if line.starts_with("No tests found, exiting with code ") {
            self.runs.end(TestCounts::default());
        } else if let Some(file) = line.trim_start().strip_prefix("FAIL ") {
            self.runs.see();
            // The time that a slow file took stands after it.
            let file = file.split(" (").next().unwrap_or_default();
            self.file = file.trim().trim_start_matches("./").to_owned();
        } else if line.trim_start().starts_with("PASS ") {
            self.runs.see();
        } else if line == "  ● Test suite failed to run" {
            self.not_run = self.not_run.saturating_add(1);
            self.names.push(&self.file);
        } else if let Some(name) = line.strip_prefix("  ● ")
            && !name.starts_with("Console")
        {
            self.names.push(name);
        }
    }

    fn finish(self: Box<Self>) -> Reading {
        self.runs.finish()
    }
}

impl Jest {
    fn summary(&mut self, mut counts: TestCounts) {
        let failed_files = std::mem::take(&mut self.failed_files);
        let not_run = std::mem::take(&mut self.not_run).min(failed_files);
        counts.failed = counts.failed.saturating_add(not_run);
        if counts.failed == 0 {
            counts.failed = failed_files;
        }
        counts.failing = self.names.take(counts.failed);
        self.runs.end(counts);
    }
}

/// `      2 failed, 1 skipped, 1 todo, 2 passed, 6 total`
fn counts(text: &str) -> Option<TestCounts> {
    let (rest, total) = text.rsplit_once(' ')?;
    if total != "total" {
        return None;
    }
    // `1 of 2 total`, or the number alone.
    let parts = match rest.rsplit_once(", ") {
        Some((rest, _)) => parts(rest, ", ")?,
        None => Vec::new(),
    };
    Some(TestCounts {
        passed: sum(&parts, &["passed"]),
        failed: sum(&parts, &["failed"]),
        skipped: sum(&parts, &["skipped", "todo", "pending"]),
        failing: Vec::new(),
    })
}
