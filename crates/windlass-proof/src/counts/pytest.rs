//! pytest.

use windlass_core::test_counts::TestCounts;

use super::{
    Reader,
    names::{Names, parts, sum},
    runs::{Reading, Runs},
};

/// Words of a summary. A line with none of them is none.
const WORDS: [&str; 12] = [
    "passed",
    "failed",
    "error",
    "errors",
    "skipped",
    "xfailed",
    "xpassed",
    "deselected",
    "warning",
    "warnings",
    "rerun",
    "subtests passed",
];

#[derive(Default)]
pub(super) struct Pytest {
    runs: Runs,
    names: Names,
    /// In the list of failing tests, which stands right before the summary.
    is_listing: bool,
}

impl Reader for Pytest {
    fn line(&mut self, line: &str) {
        let title = line.trim_matches('=').trim();
        let is_titled = line.starts_with("==") && line.ends_with("==");
        if is_titled && title == "test session starts" {
            self.runs.begin();
        } else if is_titled && title == "short test summary info" {
            self.names.clear();
            self.is_listing = true;
        } else if let Some(mut counts) = summary(title).filter(|_| !line.starts_with(' ')) {
            self.is_listing = false;
            counts.failing = self.names.take(counts.failed);
            self.runs.end(counts);
        } else if self.is_listing {
            let failed = line.strip_prefix("FAILED ").or_else(|| line.strip_prefix("ERROR "));
            if let Some(text) = failed {
                self.names.push(name(text));
            }
        } else if line.ends_with("%]") {
            // Progress is all that there is before the tests with `-q`.
            self.runs.see();
        }
    }

    fn finish(self: Box<Self>) -> Reading {
        self.runs.finish()
    }
}

/// `1 failed, 2 passed, 1 warning in 0.12s` or `no tests ran in 0.01s`
fn summary(title: &str) -> Option<TestCounts> {
    let (counts, time) = title.rsplit_once(" in ")?;
    let seconds =
        time.split_once("s (").map_or(time.strip_suffix('s'), |(seconds, _)| Some(seconds))?;
    seconds.parse::<f64>().ok()?;
    if counts == "no tests ran" {
        return Some(TestCounts::default());
    }
    let parts = parts(counts, ", ")?;
    if !parts.iter().any(|(_, word)| WORDS.contains(word)) {
        return None;
    }
    Some(TestCounts {
        passed: sum(&parts, &["passed", "xpassed"]),
        failed: sum(&parts, &["failed", "error", "errors", "subtests failed"]),
        skipped: sum(&parts, &["skipped", "xfailed"]),
        failing: Vec::new(),
    })
}

/// `test_calc.py::test_each[a - b] - assert 2 == 1`
fn name(text: &str) -> &str {
    let after_id = match text.find('[') {
        Some(at) => text[at..].find("] - ").map(|end| at + end + 1),
        None => None,
    };
    let end = after_id.or_else(|| text.find(" - ")).unwrap_or(text.len());
    &text[..end]
}
