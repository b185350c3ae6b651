//! `cargo nextest run`.

use windlass_core::test_counts::TestCounts;

use super::{
    Reader,
    names::{Names, counted, number, parts, sum},
    runs::{Reading, Runs},
};

/// How the lines of failing tests begin.
const FAILED: [&str; 8] =
    ["FAIL", "TIMEOUT", "ABORT", "LEAK-FAIL", "SIGABRT", "SIGSEGV", "SIGKILL", "SIGTERM"];

#[derive(Default)]
pub(super) struct Nextest {
    runs: Runs,
    names: Names,
}

impl Reader for Nextest {
    fn line(&mut self, line: &str) {
        let line = line.trim_start();
        if begins(line) {
            self.runs.begin();
        } else if let Some(rest) = line.strip_prefix("Summary [") {
            self.summary(rest);
        } else if let Some((status, rest)) = line.split_once(" [")
            && FAILED.contains(&status)
            && let Some((_, name)) = rest.split_once("] ")
        {
            // Since 0.9.99 a counter stands before the name: `( 3/12) calc::it adds`.
            let name = name.trim_start();
            let (_, name) =
                name.split_once(") ").filter(|_| name.starts_with('(')).unwrap_or(("", name));
            self.names.push(name);
        }
    }

    fn finish(self: Box<Self>) -> Reading {
        self.runs.finish()
    }
}

impl Nextest {
    /// `   0.01s] 3/5 tests run: 2 passed (1 slow), 1 failed, 1 timed out, 1 skipped`
    fn summary(&mut self, text: &str) {
        let Some((_, rest)) = text.split_once("] ") else { return };
        let Some((ran, rest)) = rest.split_once(" run: ") else { return };
        let plain = without_brackets(rest);
        let Some(parts) = parts(&plain, ",") else { return };
        let failed = sum(&parts, &["failed", "timed out", "exec failed", "leaked as failed"]);
        self.runs.end(TestCounts {
            passed: sum(&parts, &["passed"]),
            failed,
            skipped: sum(&parts, &["skipped"]),
            failing: self.names.take(failed),
        });
        // `3/5`: it stopped before the end, which without a failure means that it was told to.
        let ran = ran.strip_suffix(" tests").or_else(|| ran.strip_suffix(" test")).unwrap_or(ran);
        if ran.split_once('/').is_some_and(|(some, all)| number(some) != number(all)) {
            self.runs.break_off();
        }
    }
}

/// `Starting 3 tests across 2 binaries`
fn begins(line: &str) -> bool {
    line.strip_prefix("Starting ").and_then(counted).is_some_and(|(_, rest)| {
        rest.starts_with("tests across ") || rest.starts_with("test across ")
    })
}

/// Without `(1 slow, 2 leaky)`.
fn without_brackets(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('(') {
        out.push_str(before.trim_end());
        rest = after.split_once(')').map_or("", |(_, rest)| rest);
    }
    out.push_str(rest);
    out
}
