//! Python's `unittest`.

use windlass_core::test_counts::TestCounts;

use super::{
    Reader,
    names::{Names, counted, keyed, sum},
    runs::{Reading, Runs},
};

#[derive(Default)]
pub(super) struct Unittest {
    runs: Runs,
    names: Names,
    /// Failing parts of tests that were named before: `with self.subTest(…)`.
    repeated: u32,
    /// How many tests ran, between that line and the verdict.
    ran: Option<u32>,
}

impl Reader for Unittest {
    fn line(&mut self, line: &str) {
        if let Some((word, mut counts)) = verdict(line, self.ran, self.repeated) {
            // Something else may be printed between the number and the verdict, but `OK` alone means
            // nothing.
            if self.ran.take().is_some() || (word == "FAILED" && line != word) {
                self.repeated = 0;
                counts.failing = self.names.take(counts.failed);
                self.runs.end(counts);
            }
        } else if let Some(ran) = ran(line) {
            if self.ran.replace(ran).is_some() {
                self.runs.break_off();
            }
        } else if let Some(name) = failing(line) {
            if !self.names.is_new(whole(name)) {
                self.repeated = self.repeated.saturating_add(1);
            }
        } else if is_progress(line) {
            self.runs.see();
        }
    }

    fn finish(mut self: Box<Self>) -> Reading {
        if self.ran.is_some() {
            self.runs.break_off();
        }
        self.runs.finish()
    }
}

/// `Ran 3 tests in 0.001s`
fn ran(line: &str) -> Option<u32> {
    let (count, rest) = counted(line.strip_prefix("Ran ")?)?;
    (rest.starts_with("tests in ") || rest.starts_with("test in ")).then_some(count)
}

/// `OK (skipped=2)`, `FAILED (failures=1, errors=1)` or `NO TESTS RAN`, and its word
fn verdict(line: &str, ran: Option<u32>, repeated: u32) -> Option<(&str, TestCounts)> {
    let (word, rest) = line.split_once(" (").unwrap_or((line, ""));
    if !["OK", "FAILED", "NO TESTS RAN"].contains(&word) {
        return None;
    }
    let parts = match rest.strip_suffix(')') {
        Some(rest) => keyed(rest, '=')?,
        None if rest.is_empty() => Vec::new(),
        None => return None,
    };
    let failed =
        sum(&parts, &["failures", "errors", "unexpected successes"]).saturating_sub(repeated);
    // A verdict without numbers still is one.
    let failed = if word == "FAILED" { failed.max(1) } else { failed };
    let skipped = sum(&parts, &["skipped", "expected failures"]);
    let passed = ran.unwrap_or(0).saturating_sub(failed).saturating_sub(skipped);
    Some((word, TestCounts { passed, failed, skipped, failing: Vec::new() }))
}

/// `FAIL: test_adds (test_calc.Calc.test_adds)`
fn failing(line: &str) -> Option<&str> {
    ["FAIL: ", "ERROR: ", "UNEXPECTED SUCCESS: "].iter().find_map(|sign| line.strip_prefix(sign))
}

/// The test of `test_parts (test_calc.Calc.test_parts) (n=0)`
fn whole(name: &str) -> &str {
    name.find(") ").map_or(name, |end| &name[..=end])
}

/// `.F..s`, or a line of `-v`.
fn is_progress(line: &str) -> bool {
    line.bytes().all(|byte| b".FEsxu".contains(&byte)) || line.ends_with(" ... ok")
}
