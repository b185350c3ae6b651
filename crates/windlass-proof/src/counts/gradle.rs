//! Gradle, which prints counts only where tests fail.

use windlass_core::test_counts::TestCounts;

use super::{
    Reader,
    names::{Names, parts, sum},
    runs::{Reading, Runs},
};

#[derive(Default)]
pub(super) struct Gradle {
    runs: Runs,
    names: Names,
}

impl Reader for Gradle {
    fn line(&mut self, line: &str) {
        if let Some(mut counts) = summary(line) {
            counts.failing = self.names.take(counts.failed);
            self.runs.see();
            self.runs.end(counts);
        } else if let Some(name) = line.strip_suffix(" FAILED")
            && name.contains(" > ")
            && !name.starts_with("> ")
        {
            self.names.push(name);
        }
    }

    fn finish(self: Box<Self>) -> Reading {
        self.runs.finish()
    }
}

/// `4 tests completed, 2 failed, 1 skipped`
fn summary(line: &str) -> Option<TestCounts> {
    let parts = parts(line, ", ")?;
    let [(completed, "test completed" | "tests completed"), ..] = parts.as_slice() else {
        return None;
    };
    let failed = sum(&parts, &["failed"]);
    // Where none failed Gradle prints nothing, so this is not Gradle's; nor is what is indented.
    if failed == 0 || line.starts_with(' ') {
        return None;
    }
    let skipped = sum(&parts, &["skipped"]);
    let passed = completed.saturating_sub(failed).saturating_sub(skipped);
    Some(TestCounts { passed, failed, skipped, failing: Vec::new() })
}
