//! Maven's Surefire: one summary for each module, after one line for each class.

use windlass_core::test_counts::TestCounts;

use super::{
    Reader,
    names::{Names, keyed, sum},
    runs::{Reading, Runs},
};

#[derive(Default)]
pub(super) struct Maven {
    runs: Runs,
    names: Names,
    /// In the list of failing tests, which stands right before the summary.
    is_listing: bool,
}

impl Reader for Maven {
    fn line(&mut self, line: &str) {
        let text = unmarked(line);
        match text.trim() {
            "T E S T S" => self.runs.begin(),
            "No tests to run." if text != line => {
                self.runs.see();
                self.runs.end(TestCounts::default());
            }
            // The process that ran the tests is gone.
            "Crashed tests:" if text != line => self.runs.break_off(),
            "Results:" => {
                self.names.clear();
                self.is_listing = true;
            }
            text => {
                if let Some(mut counts) = summary(text) {
                    self.is_listing = false;
                    counts.failing = self.names.take(counts.failed);
                    self.runs.end(counts);
                }
            }
        }
        // `  CalcTest.isWrong:5 expected: <4> but was: <3>`, or `  CalcTest.raises:6 » IllegalState …`
        if self.is_listing
            && let Some(name) = text.strip_prefix("  ").filter(|name| !name.starts_with(' '))
        {
            self.names.push(name.split([':', ' ']).next().unwrap_or_default());
        }
    }

    fn finish(self: Box<Self>) -> Reading {
        self.runs.finish()
    }
}

/// Without `[INFO] `.
fn unmarked(line: &str) -> &str {
    ["[INFO] ", "[ERROR] ", "[WARNING] "]
        .iter()
        .find_map(|mark| line.strip_prefix(mark))
        .unwrap_or(line)
}

/// `Tests run: 4, Failures: 1, Errors: 1, Skipped: 1`: the line of a class goes on with a time
fn summary(text: &str) -> Option<TestCounts> {
    let parts = keyed(text, ':').filter(|_| text.starts_with("Tests run: "))?;
    let [(ran, "Tests run"), (_, "Failures"), (_, "Errors"), (skipped, "Skipped")] =
        parts.as_slice()
    else {
        return None;
    };
    let failed = sum(&parts, &["Failures", "Errors"]);
    let passed = ran.saturating_sub(failed).saturating_sub(*skipped);
    Some(TestCounts { passed, failed, skipped: *skipped, failing: Vec::new() })
}
