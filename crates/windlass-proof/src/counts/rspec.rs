//! RSpec.

use windlass_core::test_counts::TestCounts;

use super::{
    Reader,
    names::{Names, parts, sum},
    runs::{Reading, Runs},
};

#[derive(Default)]
pub(super) struct Rspec {
    runs: Runs,
    /// The last summary, until the names that follow it are known.
    summary: Option<TestCounts>,
    names: Names,
    /// How many examples the lines of progress tell of; none where something else was printed among them.
    progress: Option<usize>,
    is_mixed: bool,
}

impl Reader for Rspec {
    fn line(&mut self, line: &str) {
        if line.bytes().all(|byte| b".F*".contains(&byte)) {
            self.settle();
            self.runs.see();
            *self.progress.get_or_insert(0) += line.len();
        } else if let Some((counts, examples)) = summary(line) {
            self.settle();
            let shown = self.progress.take().filter(|_| !std::mem::take(&mut self.is_mixed));
            // RSpec that is told to terminate ends in good order, with a summary.
            if shown.is_some_and(|shown| shown < usize::try_from(examples).unwrap_or(usize::MAX)) {
                self.runs.break_off();
            }
            self.summary = Some(counts);
        } else if let Some(rest) =
            line.strip_prefix("rspec ").or_else(|| line.strip_prefix("rspec '"))
        {
            if self.summary.is_some() {
                self.names.push(rest.split_once(" # ").map_or(rest, |(_, name)| name));
            }
        } else if let Some(file) = line.strip_prefix("An error occurred while loading ") {
            self.names.push(file.trim_end_matches('.'));
            self.is_mixed = true;
        } else if !line.starts_with("Finished in ") && self.summary.is_none() {
            self.is_mixed = true;
        }
    }

    fn finish(mut self: Box<Self>) -> Reading {
        self.settle();
        self.runs.finish()
    }
}

impl Rspec {
    fn settle(&mut self) {
        if let Some(mut counts) = self.summary.take() {
            counts.failing = self.names.take(counts.failed);
            self.runs.end(counts);
        }
    }
}

/// `6 examples, 2 failures, 3 pending, 1 error occurred outside of examples`, and the number of examples
fn summary(line: &str) -> Option<(TestCounts, u32)> {
    let parts = parts(line, ", ").filter(|_| !line.starts_with(' '))?;
    let [(examples, "example" | "examples"), (_, "failure" | "failures"), ..] = parts.as_slice()
    else {
        return None;
    };
    let failures = sum(&parts, &["failure", "failures"]);
    let errors =
        sum(&parts, &["error occurred outside of examples", "errors occurred outside of examples"]);
    let skipped = sum(&parts, &["pending"]);
    let counts = TestCounts {
        passed: examples.saturating_sub(failures).saturating_sub(skipped),
        failed: failures.saturating_add(errors),
        skipped,
        failing: Vec::new(),
    };
    Some((counts, *examples))
}
