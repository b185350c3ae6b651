//! `node --test` with the reporter `spec`.

use windlass_core::test_counts::TestCounts;

use super::{
    Reader,
    names::{Names, number},
    runs::{Reading, Runs},
};

#[derive(Default)]
pub(super) struct NodeTest {
    runs: Runs,
    /// The totals so far: `ℹ tests 3` and what follows.
    totals: Option<TestCounts>,
    /// The totals whose failing tests are being listed.
    summary: Option<TestCounts>,
    names: Names,
    is_listing: bool,
}

impl Reader for NodeTest {
    fn line(&mut self, line: &str) {
        if let Some((key, value)) = line.strip_prefix("ℹ ").and_then(|rest| rest.split_once(' '))
        {
            self.total(key, number(value));
        } else if line == "✖ failing tests:" {
            self.names.clear();
            self.is_listing = true;
        } else if let Some(test) = line.strip_prefix("✖ ") {
            if self.is_listing {
                self.names.push(untimed(test));
            } else {
                self.settle();
                self.runs.see();
            }
        } else if line.starts_with("✔ ") || line.starts_with("▶ ") || line.starts_with("﹣ ") {
            self.settle();
            self.runs.see();
        }
    }

    fn finish(mut self: Box<Self>) -> Reading {
        self.settle();
        if self.totals.is_some() {
            self.runs.break_off();
        }
        self.runs.finish()
    }
}

impl NodeTest {
    fn total(&mut self, key: &str, value: Option<u32>) {
        if key == "tests" && value.is_some() {
            self.settle();
            // Totals that a test printed among the real ones.
            if self.totals.replace(TestCounts::default()).is_some() {
                self.runs.break_off();
            }
        }
        let Some(totals) = &mut self.totals else {
            if key == "fail" && value != Some(0) {
                self.runs.break_off();
            }
            return;
        };
        match (key, value) {
            ("pass", Some(count)) => totals.passed = count,
            ("fail" | "cancelled", Some(count)) => {
                totals.failed = totals.failed.saturating_add(count);
            }
            ("skipped" | "todo", Some(count)) => {
                totals.skipped = totals.skipped.saturating_add(count);
            }
            ("duration_ms", _) => self.summary = self.totals.take(),
            _ => {}
        }
    }

    fn settle(&mut self) {
        self.is_listing = false;
        if let Some(mut counts) = self.summary.take() {
            counts.failing = self.names.take(counts.failed);
            self.runs.end(counts);
        }
    }
}

/// Without the time: `adds (0.2ms)`
pub(super) fn untimed(test: &str) -> &str {
    let time = test.rsplit_once(" (").filter(|(_, time)| time.trim_end().ends_with("ms)"));
    time.map_or(test, |(name, _)| name)
}
