//! `prove`, which runs files of tests and sums them up.

use windlass_core::test_counts::TestCounts;

use crate::counts::{
    names::{Names, number},
    runs::{Reading, Runs},
};

#[derive(Default)]
pub(super) struct Prove {
    runs: Runs,
    names: Names,
    /// By the report on the files that failed.
    failed: u32,
    skipped: u32,
    skipped_files: u32,
    /// Files that failed though none of their tests did.
    broken: u32,
    /// `Tests=5`, until the verdict is known.
    tests: Option<u32>,
}

impl Prove {
    pub(super) fn line(&mut self, line: &str) {
        if line.starts_with("Result: ") {
            self.verdict(line);
        } else if let Some(rest) = line.strip_prefix("Files=") {
            // `1, Tests=5,  0 wallclock secs (…)`
            let tests = rest.split_once(", Tests=").and_then(|(_, rest)| rest.split_once(','));
            self.tests = tests.and_then(|(tests, _)| number(tests));
        } else if let Some((file, rest)) = line.split_once(" (Wstat: ") {
            self.report(file, rest);
        } else if let Some(name) = line.trim_start_matches(['#', ' ']).strip_prefix("Failed test") {
            self.failing(name.trim());
        } else if line.split_once(" skipped: ").is_some_and(|(file, _)| file.ends_with("..")) {
            // `t/more.t .. skipped: no network`: a whole file, none of whose tests is counted.
            self.skipped_files = self.skipped_files.saturating_add(1);
        } else if let Some(rest) = line.trim().strip_prefix("(less ") {
            // `(less 1 skipped subtest: 2 okay)`
            let (count, rest) = rest.split_once(' ').unwrap_or_default();
            if rest.starts_with("skipped subtest") {
                self.skipped = self.skipped.saturating_add(number(count).unwrap_or(0));
            }
        }
    }

    pub(super) fn finish(self) -> Reading {
        self.runs.finish()
    }

    /// `'is wrong'`, or `at t/calc.t line 4.`
    fn failing(&mut self, name: &str) {
        let quoted = name.strip_prefix('\'').and_then(|name| name.strip_suffix('\''));
        let placed = name.strip_prefix("at ").map(|name| name.trim_end_matches('.'));
        if let Some(name) = quoted.or(placed) {
            self.names.push(name);
        }
    }

    /// `512 (exited 2) Tests: 5 Failed: 2)`
    fn report(&mut self, file: &str, rest: &str) {
        let failed = rest.rsplit_once(" Failed: ").map(|(_, failed)| failed.trim_end_matches(')'));
        match failed.and_then(number) {
            Some(0) => {
                self.broken = self.broken.saturating_add(1);
                self.names.push(file);
            }
            Some(failed) => self.failed = self.failed.saturating_add(failed),
            None => {}
        }
    }

    /// `Result: FAIL`
    fn verdict(&mut self, line: &str) {
        let tests = self.tests.take();
        let tests_failed = std::mem::take(&mut self.failed);
        let failed = tests_failed.saturating_add(std::mem::take(&mut self.broken));
        let skipped = std::mem::take(&mut self.skipped);
        let failed = match line {
            "Result: PASS" | "Result: NOTESTS" if tests.is_some() => failed,
            "Result: FAIL" => failed.max(1),
            _ => return,
        };
        let passed = tests.unwrap_or(0).saturating_sub(tests_failed).saturating_sub(skipped);
        let skipped = skipped.saturating_add(std::mem::take(&mut self.skipped_files));
        let failing = self.names.take(failed);
        self.runs.end(TestCounts { passed, failed, skipped, failing });
    }
}
