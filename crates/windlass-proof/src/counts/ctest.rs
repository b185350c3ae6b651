//! ctest.

use windlass_core::test_counts::TestCounts;

use super::{
    Reader,
    names::{Names, number},
    runs::{Reading, Runs},
};

#[derive(Default)]
pub(super) struct Ctest {
    runs: Runs,
    /// The last summary, until the lists that follow it are known.
    summary: Option<TestCounts>,
    names: Names,
    list: List,
}

#[derive(Default)]
enum List {
    #[default]
    None,
    Failed,
    NotRun,
}

impl Reader for Ctest {
    fn line(&mut self, line: &str) {
        if line.starts_with("Test project /") {
            self.settle();
            self.runs.begin();
        } else if line == "No tests were found!!!" {
            self.runs.end(TestCounts::default());
        } else if let Some(counts) = summary(line) {
            self.settle();
            self.summary = Some(counts);
        } else if self.summary.is_some() {
            match line {
                "The following tests FAILED:" => self.list = List::Failed,
                "The following tests did not run:" => self.list = List::NotRun,
                _ => self.listed(line),
            }
        }
    }

    fn finish(mut self: Box<Self>) -> Reading {
        self.settle();
        self.runs.finish()
    }
}

impl Ctest {
    /// `  2 - is_wrong (Failed)`
    fn listed(&mut self, line: &str) {
        let Some((count, rest)) = line.trim_start().split_once(" - ") else { return };
        let Some((name, why)) = rest.rsplit_once(" (") else { return };
        let (true, Some(summary)) = (number(count).is_some(), &mut self.summary) else { return };
        match self.list {
            List::None => {}
            List::Failed => self.names.push(name),
            List::NotRun => {
                summary.skipped = summary.skipped.saturating_add(1);
                // A test that skipped itself is among those that passed; one that is disabled is not.
                if why.starts_with("Skipped") {
                    summary.passed = summary.passed.saturating_sub(1);
                }
            }
        }
    }

    fn settle(&mut self) {
        self.list = List::None;
        if let Some(mut counts) = self.summary.take() {
            counts.failing = self.names.take(counts.failed);
            self.runs.end(counts);
        }
    }
}

/// `33% tests passed, 4 tests failed out of 6`; ctest 4 leaves the failed ones out where there are none
fn summary(line: &str) -> Option<TestCounts> {
    let (percent, rest) = line.split_once("% tests passed")?;
    number(percent)?;
    let (failed, total) = match rest.strip_prefix(" out of ") {
        Some(total) => (0, number(total)?),
        None => {
            let (failed, total) = rest.strip_prefix(", ")?.split_once(" tests failed out of ")?;
            (number(failed)?, number(total)?)
        }
    };
    Some(TestCounts { passed: total.saturating_sub(failed), failed, ..TestCounts::default() })
}
