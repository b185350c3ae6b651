//! mocha, with the reporters `spec` and `dot`.

use windlass_core::test_counts::TestCounts;

use super::{
    Reader,
    names::{Names, counted, number},
    runs::{Reading, Runs},
};

/// How many lines a title has at most: one for each suite around the test.
const LONGEST_TITLE: usize = 20;

#[derive(Default)]
pub(super) struct Mocha {
    runs: Runs,
    /// The last summary, until the names of its failing tests are known.
    summary: Option<TestCounts>,
    names: Names,
    /// The lines of a title that is not complete.
    title: Vec<String>,
}

impl Reader for Mocha {
    fn line(&mut self, line: &str) {
        let text = line.trim_start();
        let Some(summary) = &mut self.summary else { return self.before(line) };
        match counted(text) {
            Some((count, "pending")) => summary.skipped = count,
            Some((count, "failing")) => summary.failed = count,
            _ if is_test(line) => {
                self.settle();
                self.runs.see();
            }
            _ => self.after(line, text),
        }
    }

    fn finish(mut self: Box<Self>) -> Reading {
        self.settle();
        self.runs.finish()
    }
}

impl Mocha {
    fn before(&mut self, line: &str) {
        if let Some(passed) = passing(line) {
            self.summary = Some(TestCounts { passed, ..TestCounts::default() });
        } else if is_test(line) {
            self.runs.see();
        } else if let Some((failed, "failing")) = line.strip_prefix("  ").and_then(counted) {
            // Its first line was taken for another run's, or cut off.
            self.summary = Some(TestCounts { failed, ..TestCounts::default() });
        }
    }

    /// The list of failing tests, each with its suites on lines before it:
    /// `  2) outer`, `       inner`, `         throws:`
    fn after(&mut self, line: &str, text: &str) {
        if let Some(passed) = passing(line) {
            self.settle();
            self.summary = Some(TestCounts { passed, ..TestCounts::default() });
        } else if let Some(title) = numbered(line) {
            self.title = vec![title.to_owned()];
            self.close_title();
        } else if !self.title.is_empty() && line.starts_with("       ") {
            self.title.push(text.to_owned());
            self.close_title();
        } else {
            self.title.clear();
        }
    }

    fn close_title(&mut self) {
        if self.title.last().is_some_and(|line| line.ends_with(':')) {
            let title = self.title.join(" ");
            self.names.push(title.trim_end_matches(':'));
            self.title.clear();
        } else if self.title.len() > LONGEST_TITLE {
            self.title.clear();
        }
    }

    fn settle(&mut self) {
        self.title.clear();
        if let Some(mut counts) = self.summary.take() {
            counts.failing = self.names.take(counts.failed);
            self.runs.end(counts);
        }
    }
}

/// `  3 passing (5ms)`
fn passing(line: &str) -> Option<u32> {
    let (count, rest) = counted(line.strip_prefix("  ")?)?;
    let time = rest.strip_prefix("passing (")?.strip_suffix(')')?;
    (!time.contains(' ')).then_some(count)
}

/// `  1) adds:`
fn numbered(line: &str) -> Option<&str> {
    let (count, title) = line.strip_prefix("  ")?.split_once(") ")?;
    number(count).map(|_| title)
}

/// `  ✔ adds`, or the line of `dot`.
fn is_test(line: &str) -> bool {
    let Some(text) = line.strip_prefix("  ").map(str::trim_start) else { return false };
    text.starts_with("✔ ")
        || text.starts_with("✓ ")
        || text.bytes().all(|byte| b".!,".contains(&byte))
}
