//! `go test`, with `-v` and without: without it, tests that pass are not told of, and a package that
//! passes counts as one test.

use std::collections::HashMap;

use windlass_core::test_counts::TestCounts;

use super::{
    Reader,
    names::Names,
    runs::{Reading, worse},
};

/// How deep tests inside of tests are looked at.
const DEEPEST: usize = 16;

#[derive(Default)]
pub(super) struct GoTest {
    /// By package: one that is told of twice, or by a test, counts once.
    packages: HashMap<String, TestCounts>,
    /// The tests of the package that is being told of.
    counts: TestCounts,
    names: Names,
    /// The tests around the last one, each with its verdict until that is taken back.
    around: Vec<Option<Verdict>>,
    /// Whether tests were told of since the last package.
    is_open: bool,
    /// The last word, and that of each failing package: some test failed.
    has_failed: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum Verdict {
    Passed,
    Failed,
    Skipped,
}

impl Reader for GoTest {
    fn line(&mut self, line: &str) {
        if line == "FAIL" {
            self.has_failed = true;
        } else if line.starts_with("=== RUN   ") {
            self.is_open = true;
        } else if let Some((depth, verdict, name)) = test(line) {
            self.is_open = true;
            self.test(depth, verdict, name);
        } else if let Some(rest) = line.strip_prefix("ok  \t") {
            self.package(rest, true);
        } else if let Some(rest) = line.strip_prefix("FAIL\t") {
            self.package(rest, false);
        } else if let Some(rest) = line.strip_prefix("?   \t")
            && let Some((package, "[no test files]")) = rest.split_once('\t')
        {
            self.keep(package, TestCounts::default());
        }
    }

    fn finish(self: Box<Self>) -> Reading {
        let is_any = !self.packages.is_empty();
        let mut packages: Vec<_> = self.packages.into_iter().collect();
        packages.sort_by(|(one, _), (other, _)| one.cmp(other));
        let sum: TestCounts = packages.iter().map(|(_, counts)| counts).sum();
        // What failed was cut off.
        let is_partial = is_any && self.has_failed && sum.failed == 0;
        Reading { counts: is_any.then_some(sum), is_unfinished: self.is_open || is_partial }
    }
}

impl GoTest {
    fn test(&mut self, depth: usize, verdict: Verdict, name: &str) {
        // A test around others is told of before them; it has their verdict, and is not counted.
        self.around.truncate(depth);
        if let Some(around) = self.around.last_mut()
            && *around == Some(verdict)
        {
            *around = None;
            *self.count(verdict) -= 1;
            if verdict == Verdict::Failed {
                self.names.pop();
            }
        }
        *self.count(verdict) += 1;
        if verdict == Verdict::Failed {
            self.names.push(name);
        }
        self.around.push(Some(verdict));
    }

    fn count(&mut self, verdict: Verdict) -> &mut u32 {
        match verdict {
            Verdict::Passed => &mut self.counts.passed,
            Verdict::Failed => &mut self.counts.failed,
            Verdict::Skipped => &mut self.counts.skipped,
        }
    }

    /// `example.com/calc\t0.01s`, `… (cached)`, `… [no tests to run]` or `example.com/calc [build failed]`
    fn package(&mut self, text: &str, has_passed: bool) {
        let package = text.split(['\t', ' ']).next().unwrap_or_default();
        let mut counts = std::mem::take(&mut self.counts);
        if has_passed && counts == TestCounts::default() && !text.ends_with("[no tests to run]") {
            counts.passed = 1;
        }
        if !has_passed && counts.failed == 0 {
            counts.failed = 1;
            self.names.push(package);
        }
        let full = |name: String| if name == package { name } else { format!("{package} {name}") };
        counts.failing = self.names.take(counts.failed).into_iter().map(full).collect();
        self.keep(package, counts);
    }

    fn keep(&mut self, package: &str, counts: TestCounts) {
        self.around.clear();
        self.is_open = false;
        let known = self.packages.remove(package);
        let counts = match known {
            Some(known) => worse(known, counts),
            None => counts,
        };
        self.packages.insert(package.to_owned(), counts);
    }
}

/// `    --- FAIL: TestTable/two_words (0.00s)`
fn test(line: &str) -> Option<(usize, Verdict, &str)> {
    let text = line.trim_start_matches(' ');
    let (verdict, rest) = text.strip_prefix("--- ")?.split_once(": ")?;
    let verdict = match verdict {
        "PASS" => Verdict::Passed,
        "FAIL" => Verdict::Failed,
        "SKIP" => Verdict::Skipped,
        _ => return None,
    };
    let (name, time) = rest.rsplit_once(" (")?;
    let depth = (line.len() - text.len()) / 4;
    (time.ends_with("s)") && depth <= DEEPEST).then_some((depth, verdict, name))
}
