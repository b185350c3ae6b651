//! `cargo test`: what libtest prints for each target, and for the tests of the documentation.

use windlass_core::test_counts::TestCounts;

use super::{
    Reader,
    names::{Names, number, parts, sum},
    runs::{Reading, Runs},
};

#[derive(Default)]
pub(super) struct CargoTest {
    runs: Runs,
    names: Names,
    is_listing: bool,
    /// Cargo said that a target failed.
    has_failed: bool,
    /// Whether there is more of libtest than `running 3 tests`, which others say too.
    is_sure: bool,
}

impl Reader for CargoTest {
    fn line(&mut self, line: &str) {
        if begins(line) {
            self.runs.begin();
        } else if line == "failures:" {
            // The first of two lists has what the tests printed.
            self.names.clear();
            self.is_listing = true;
        } else if let Some(mut counts) = summary(line) {
            self.is_listing = false;
            self.is_sure = true;
            counts.failing = self.names.take(counts.failed);
            self.runs.end(counts);
        } else if self.is_listing
            && let Some(name) = line.strip_prefix("    ")
            && !name.starts_with(' ')
        {
            self.names.push(name);
        } else if line.starts_with("error: test failed, to rerun pass ")
            || line.starts_with("error: doctest failed, to rerun pass ")
            || (line.starts_with("error: ")
                && line.ends_with(" failed:")
                && line.contains(" target"))
        {
            self.has_failed = true;
        } else if is_sign(line) {
            self.is_sure = true;
        }
    }

    fn finish(mut self: Box<Self>) -> Reading {
        // A target may have crashed, or its summary was cut off.
        if self.has_failed {
            self.runs.break_off();
        }
        if self.is_sure { self.runs.finish() } else { Reading::default() }
    }
}

/// `test adds ... ok`, `     Running tests/it.rs (target/…)` or `   Doc-tests calc`
fn is_sign(line: &str) -> bool {
    (line.starts_with("test ") && line.contains(" ... "))
        || line.starts_with("     Running ")
        || line.starts_with("   Doc-tests ")
}

/// `running 3 tests`
fn begins(line: &str) -> bool {
    line.strip_prefix("running ")
        .and_then(|rest| rest.strip_suffix(" tests").or_else(|| rest.strip_suffix(" test")))
        .is_some_and(|count| number(count).is_some())
}

/// `test result: FAILED. 3 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s`
fn summary(line: &str) -> Option<TestCounts> {
    let rest = line.strip_prefix("test result: ")?;
    let rest = rest.strip_prefix("ok. ").or_else(|| rest.strip_prefix("FAILED. "))?;
    let (rest, _) = rest.split_once("; finished in ").unwrap_or((rest, ""));
    let parts = parts(rest, ";")?;
    Some(TestCounts {
        passed: sum(&parts, &["passed", "measured"]),
        failed: sum(&parts, &["failed"]),
        skipped: sum(&parts, &["ignored"]),
        failing: Vec::new(),
    })
}
