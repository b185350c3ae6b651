//! The totals that Node and tape print after the results: `# tests 5`, `# pass 3` and so on. They count
//! the tests inside of tests too.

use windlass_core::test_counts::TestCounts;

use crate::counts::{
    names::{Names, number},
    runs::{Reading, Runs},
};

#[derive(Default)]
pub(super) struct Totals {
    runs: Runs,
    totals: Option<TestCounts>,
    /// Whether `# pass` came too: `# tests 3` alone is a comment.
    is_sure: bool,
    names: Names,
}

impl Totals {
    pub(super) fn line(&mut self, line: &str) {
        if let Some((key, value)) = line.strip_prefix("# ").and_then(|rest| rest.split_once(' ')) {
            self.total(key, number(value.trim_start()));
        } else if let Some((_, name)) =
            line.trim_start().strip_prefix("not ok ").and_then(|rest| rest.split_once(" - "))
        {
            self.names.push(name);
        } else if line.trim() == "failureType: 'subtestsFailed'" {
            // The tests inside of it are named.
            self.names.pop();
        } else if line.starts_with("1..") {
            self.runs.see();
        }
    }

    pub(super) fn finish(mut self) -> Reading {
        self.settle();
        self.runs.finish()
    }

    fn total(&mut self, key: &str, value: Option<u32>) {
        let Some(value) = value else { return };
        if key == "tests" {
            self.settle();
            self.totals = Some(TestCounts::default());
        }
        let Some(totals) = &mut self.totals else { return };
        match key {
            "pass" => {
                totals.passed = value;
                self.is_sure = true;
            }
            "fail" | "cancelled" => totals.failed = totals.failed.saturating_add(value),
            "skipped" | "todo" => totals.skipped = totals.skipped.saturating_add(value),
            _ => {}
        }
    }

    fn settle(&mut self) {
        let is_sure = std::mem::take(&mut self.is_sure);
        if let Some(mut counts) = self.totals.take().filter(|it| is_sure || it.failed > 0) {
            counts.failing = self.names.take(counts.failed);
            self.runs.end(counts);
        }
    }
}
