//! vitest.

use windlass_core::test_counts::TestCounts;

use super::{
    Reader,
    names::{Names, counted, number, parts, sum},
    runs::{Reading, Runs},
};

#[derive(Default)]
pub(super) struct Vitest {
    runs: Runs,
    names: Names,
    failed_files: u32,
    /// Files that could not be run at all, which are among no tests.
    not_run: u32,
    /// The summary, until it is known whether errors follow it.
    summary: Option<TestCounts>,
}

impl Reader for Vitest {
    fn line(&mut self, line: &str) {
        let text = line.trim_start();
        if text.strip_prefix("RUN ").is_some_and(|rest| rest.trim_start().starts_with('v')) {
            self.runs.begin();
        } else if let Some(rest) = text.strip_prefix("Test Files  ") {
            // The larger one: a test may print such a line between this and the next.
            let failed = counts(rest).map_or(0, |(it, _)| it.failed);
            self.failed_files = self.failed_files.max(failed);
        } else if let Some(rest) = text.strip_prefix("Tests  ") {
            self.tests(rest);
        } else if let Some(rest) = text.strip_prefix("Errors  ") {
            match (counted(rest.trim()), &mut self.summary) {
                (Some((errors, _)), Some(summary)) => {
                    summary.failed = summary.failed.saturating_add(errors);
                }
                (Some((_, "error" | "errors")), None) => self.runs.break_off(),
                _ => {}
            }
        } else if text.starts_with("Start at  ") || text.starts_with("Duration  ") {
            self.settle();
        } else if text.starts_with("No test files found, exiting with code ") {
            self.runs.end(TestCounts::default());
        } else if let Some(name) = text.strip_prefix("FAIL  ") {
            self.failing(name);
        }
    }

    fn finish(mut self: Box<Self>) -> Reading {
        self.settle();
        self.runs.finish()
    }
}

impl Vitest {
    /// `calc.test.js > outer > throws`, or `calc.test.js [ calc.test.js ]` for a whole file
    fn failing(&mut self, name: &str) {
        match name.split_once(" [ ").filter(|(_, rest)| rest.ends_with(" ]")) {
            Some((file, _)) => {
                self.not_run = self.not_run.saturating_add(1);
                self.names.push(file);
            }
            None => self.names.push(name),
        }
    }

    fn tests(&mut self, text: &str) {
        self.settle();
        let Some((mut counts, total)) = counts(text) else { return };
        let told = counts.ran().saturating_add(counts.skipped);
        let failed_files = std::mem::take(&mut self.failed_files);
        let not_run = std::mem::take(&mut self.not_run).min(failed_files);
        counts.failed = counts.failed.saturating_add(not_run);
        if counts.failed == 0 {
            counts.failed = failed_files;
        }
        // A worker that died leaves tests without a verdict.
        if told < total {
            self.runs.break_off();
        }
        self.summary = Some(counts);
    }

    fn settle(&mut self) {
        if let Some(mut counts) = self.summary.take() {
            counts.failing = self.names.take(counts.failed);
            self.runs.end(counts);
        }
    }
}

/// `2 failed | 2 passed | 1 skipped | 1 todo (6)`, and the number in brackets
fn counts(text: &str) -> Option<(TestCounts, u32)> {
    let text = text.trim();
    if text == "no tests" {
        return Some((TestCounts::default(), 0));
    }
    let (rest, total) = text.rsplit_once('(')?;
    let total = number(total.strip_suffix(')')?)?;
    let parts = match rest.trim() {
        "" => Vec::new(),
        rest => parts(rest, " | ")?,
    };
    let counts = TestCounts {
        passed: sum(&parts, &["passed", "expected fail"]),
        failed: sum(&parts, &["failed"]),
        skipped: sum(&parts, &["skipped", "todo"]),
        failing: Vec::new(),
    };
    Some((counts, total))
}
