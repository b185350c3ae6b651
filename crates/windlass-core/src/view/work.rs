//! What a [`LoopView`] knows of the work under way: what an agent said and did last, and what fails.

use super::{LAST_LINES, LoopView, line};
use crate::{
    said::Said, step::CheckReport, test_counts::TestCounts, text::sanitise, time::Timestamp,
};

/// How many of the last lines of a failed check are kept.
const FAILED_LINES: usize = 3;

/// The tool that an agent used last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolUsed {
    /// What it does: "edits src/a.rs".
    pub words: String,
    /// When it was called.
    pub at: Timestamp,
}

impl ToolUsed {
    /// A tool of that name, with what it does where that was told.
    pub fn new(name: &str, summary: &str, at: Timestamp) -> Self {
        let words = if summary.is_empty() { format!("uses {name}") } else { summary.to_owned() };
        Self { words: line(&words), at }
    }
}

/// The check that failed last, and has not passed since.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailedCheck {
    /// Its command.
    pub command: String,
    /// The exit code; `None` when a signal or the time limit ended it.
    pub exit_code: Option<i32>,
    /// Whether the time limit ended it.
    pub timed_out: bool,
    /// The tests that it ran, where its output could be read.
    pub tests: Option<TestCounts>,
    /// The first compile error in its output.
    pub first_error: Option<String>,
    /// The last lines of its output that are not empty, oldest first.
    pub last_lines: Vec<String>,
}

impl FailedCheck {
    fn of(report: &CheckReport) -> Self {
        let clean = sanitise::text(&report.tail);
        let lines = clean.lines().rev().filter(|line| !line.trim().is_empty());
        let mut last_lines: Vec<String> = lines.take(FAILED_LINES).map(line).collect();
        last_lines.reverse();
        Self {
            command: line(&report.command),
            exit_code: report.exit_code,
            timed_out: report.timed_out,
            tests: report.tests.clone(),
            first_error: report.first_error.as_deref().map(line),
            last_lines,
        }
    }
}

impl LoopView {
    /// Takes in what came of a check. What failed is known until that check passes.
    pub(super) fn checked(&mut self, report: &CheckReport) {
        if !report.passed {
            self.failed_check = Some(FailedCheck::of(report));
        } else if self.failed_check.as_ref().is_some_and(|one| one.command == line(&report.command))
        {
            self.failed_check = None;
        }
    }

    /// Takes in what an agent said or did.
    pub(super) fn said(&mut self, said: &Said, at: Timestamp) {
        match said {
            Said::Text { text }
            | Said::Problem { text }
            | Said::Raw { text }
            | Said::Stderr { text } => {
                let mut last: Vec<&str> = text.lines().rev().take(LAST_LINES).collect();
                last.reverse();
                last.into_iter().for_each(|line| self.add_line(line));
            }
            Said::ToolUse { name, summary } => {
                self.last_tool = Some(ToolUsed::new(name, summary, at));
                self.add_line(summary);
            }
            Said::ToolResult { .. } | Said::Hook { .. } | Said::Usage(_) | Said::Limit { .. } => {}
        }
    }

    /// Adds one of the last lines.
    pub(super) fn add_line(&mut self, text: &str) {
        let text = line(text);
        if text.trim().is_empty() {
            return;
        }
        if self.last_lines.len() == LAST_LINES {
            self.last_lines.pop_front();
        }
        self.last_lines.push_back(text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ran(command: &str, passed: bool, tail: &str) -> CheckReport {
        let mut report = CheckReport::of_protected(tail.to_owned());
        (report.command, report.passed) = (command.to_owned(), passed);
        report
    }

    #[test]
    fn what_failed_is_known_until_that_check_passes() {
        let mut view = LoopView::default();
        view.checked(&ran("make", false, "one\n\ntwo\n\u{1b}[31mthree\u{1b}[0m\nfour\n \n"));
        assert_eq!(view.failed_check.as_ref().unwrap().last_lines, ["two", "three", "four"]);
        view.checked(&ran("lint", true, ""));
        assert_eq!(view.failed_check.as_ref().unwrap().command, "make");
        view.checked(&ran("make", true, ""));
        assert_eq!(view.failed_check, None);
    }

    #[test]
    fn a_tool_without_a_summary_is_named() {
        let mut view = LoopView::default();
        let used = |name: &str, summary: &str| Said::ToolUse {
            name: name.to_owned(),
            summary: summary.to_owned(),
        };
        view.said(&used("Bash", "runs cargo test"), Timestamp(7));
        let tool = view.last_tool.clone().unwrap();
        assert_eq!((tool.words.as_str(), tool.at), ("runs cargo test", Timestamp(7)));
        view.said(&used("Think\u{202e}", ""), Timestamp(8));
        assert_eq!(view.last_tool.unwrap().words, "uses Think");
    }
}
