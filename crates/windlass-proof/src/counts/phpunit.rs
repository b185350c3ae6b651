//! PHPUnit.

use windlass_core::test_counts::TestCounts;

use super::{
    Reader,
    names::{Names, counted, keyed, number, sum},
    runs::{Reading, Runs},
};

#[derive(Default)]
pub(super) struct PhpUnit {
    runs: Runs,
    names: Names,
    /// Whether the numbered tests that follow have failed: risky and skipped ones are numbered too.
    is_listing: bool,
}

impl Reader for PhpUnit {
    fn line(&mut self, line: &str) {
        if line.starts_with("PHPUnit ") && line.contains(" by Sebastian Bergmann") {
            self.runs.begin();
        } else if let Some(mut counts) = summary(line) {
            self.is_listing &= counts.failed == 0;
            counts.failing = self.names.take(counts.failed);
            self.runs.end(counts);
        } else if let Some(rest) =
            line.strip_prefix("There was ").or_else(|| line.strip_prefix("There were "))
        {
            let what = counted(rest).map(|(_, what)| what);
            self.is_listing = matches!(what, Some("error:" | "errors:" | "failure:" | "failures:"));
        } else if let Some((count, name)) = line.split_once(") ") {
            if self.is_listing && number(count).is_some() && name.contains("::") {
                self.names.push(name);
            }
        } else if let Some(name) = line.strip_prefix(" ✘ ") {
            self.names.push(name);
        }
    }

    fn finish(self: Box<Self>) -> Reading {
        self.runs.finish()
    }
}

/// `OK (2 tests, 2 assertions)`, `Tests: 9, Assertions: 4, Errors: 2.` or `No tests executed!`
fn summary(line: &str) -> Option<TestCounts> {
    if line == "No tests executed!" {
        return Some(TestCounts::default());
    }
    if let Some(rest) = line.strip_prefix("OK (") {
        let (tests, rest) = rest.split_once(", ")?;
        rest.strip_suffix(" assertions)").or_else(|| rest.strip_suffix(" assertion)"))?;
        return Some(TestCounts { passed: counted(tests)?.0, ..TestCounts::default() });
    }
    let parts = keyed(line.strip_suffix('.')?, ':')?;
    let [(tests, "Tests"), (_, "Assertions"), ..] = parts.as_slice() else { return None };
    let failed = sum(&parts, &["Errors", "Failures"]);
    let skipped = sum(&parts, &["Skipped", "Incomplete"]);
    let passed = tests.saturating_sub(failed).saturating_sub(skipped);
    Some(TestCounts { passed, failed, skipped, failing: Vec::new() })
}
