//! JUnit 4 by its own runner.

use windlass_core::test_counts::TestCounts;

use super::{
    Reader,
    names::{Names, counted, keyed, number},
    runs::{Reading, Runs},
};

#[derive(Default)]
pub(super) struct JUnit {
    runs: Runs,
    names: Names,
    /// Tests that the line of progress marks as ignored.
    ignored: u32,
}

impl Reader for JUnit {
    fn line(&mut self, line: &str) {
        if line.starts_with("JUnit version 4.") {
            self.runs.begin();
        } else if let Some((passed, failed)) = summary(line) {
            let skipped = std::mem::take(&mut self.ignored);
            let failing = self.names.take(failed);
            self.runs.end(TestCounts { passed, failed, skipped, failing });
        } else if line.bytes().all(|byte| b".EI".contains(&byte)) {
            let ignored = line.bytes().filter(|&byte| byte == b'I').count();
            self.ignored = self.ignored.saturating_add(u32::try_from(ignored).unwrap_or(u32::MAX));
        } else if let Some((count, name)) = line.split_once(") ")
            && number(count).is_some()
            && name.ends_with(')')
        {
            self.names.push(name);
        }
    }

    fn finish(self: Box<Self>) -> Reading {
        self.runs.finish()
    }
}

/// `OK (3 tests)` or `Tests run: 3,  Failures: 2`, as passed and failed
fn summary(line: &str) -> Option<(u32, u32)> {
    if let Some(rest) = line.strip_prefix("OK (") {
        let (count, word) = counted(rest.strip_suffix(')')?)?;
        return matches!(word, "test" | "tests").then_some((count, 0));
    }
    let parts = keyed(line, ':').filter(|_| line.starts_with("Tests run: "))?;
    let [(ran, "Tests run"), (failed, "Failures")] = parts.as_slice() else { return None };
    Some((ran.saturating_sub(*failed), *failed))
}
