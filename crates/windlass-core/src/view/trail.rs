//! What each iteration of a loop came to, in numbers: what charts and sparklines are made of. It is
//! a fold over events.

#![warn(clippy::wildcard_enum_match_arm)]

use crate::{
    event::{ClaimFate, Event, EventKind, IterationSummary},
    said::Usage,
    step::StepResult,
};

/// One iteration in numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// Its number, from 1.
    pub iteration: u32,
    /// How many findings its last review had; `None` where there was none.
    pub findings: Option<u32>,
    /// How many of its checks failed; `None` where none ran.
    pub failing_checks: Option<u32>,
    /// How many tests failed in its checks; `None` where no output could be read.
    pub failing_tests: Option<u32>,
    /// How many files it changed.
    pub files_changed: u32,
    /// How many lines it changed.
    pub lines_changed: u64,
    /// Tokens and money of its sessions.
    pub usage: Usage,
    /// How long it took.
    pub duration_ms: u64,
    /// What became of its claim.
    pub claim: ClaimFate,
    /// Whether its sessions failed.
    pub failed: bool,
}

/// What tells best whether a loop gets anywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Findings of its reviews.
    Findings,
    /// Tests that failed.
    FailingTests,
    /// Checks that failed.
    FailingChecks,
    /// Lines that changed.
    LinesChanged,
}

impl Measure {
    /// What it is called.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Findings => "findings",
            Self::FailingTests => "failing tests",
            Self::FailingChecks => "failing checks",
            Self::LinesChanged => "changed lines",
        }
    }
}

/// What tells best whether a loop gets anywhere, iteration by iteration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Convergence {
    /// What is counted.
    pub measure: Measure,
    /// The iteration and the count, for those iterations that have one.
    pub values: Vec<(u32, u64)>,
}

/// The finished iterations of a loop in numbers, oldest first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trail {
    points: Vec<Point>,
    /// Of the sessions since the last iteration that is finished.
    usage: Usage,
    /// Of the last review since then.
    findings: Option<u32>,
}

impl Trail {
    /// The iterations, oldest first.
    #[must_use]
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// Takes one more event in.
    #[expect(clippy::wildcard_enum_match_arm, reason = "few events move a number")]
    pub fn apply(&mut self, event: &Event) {
        match &event.kind {
            EventKind::StepFinished { result: StepResult::Session(report), .. } => {
                self.usage = self.usage.plus(report.usage);
            }
            EventKind::FindingsSeen(seen) => {
                self.findings =
                    Some(u32::try_from(seen.observed.noticed.len()).unwrap_or(u32::MAX));
            }
            EventKind::IterationFinished(summary) => self.finish(summary),
            _ => {}
        }
    }

    /// What tells best whether the loop gets anywhere: findings where it has reviews, else tests
    /// or checks that failed, else lines that changed.
    #[must_use]
    pub fn convergence(&self) -> Convergence {
        let of = |measure, value: fn(&Point) -> Option<u64>| {
            let pair = |point: &Point| value(point).map(|value| (point.iteration, value));
            Convergence { measure, values: self.points.iter().filter_map(pair).collect() }
        };
        let findings = of(Measure::Findings, |point| point.findings.map(u64::from));
        if !findings.values.is_empty() {
            return findings;
        }
        // One count is no course: checks run on claims only, and the first may be the last.
        let tests = of(Measure::FailingTests, |point| point.failing_tests.map(u64::from));
        if tests.values.len() > 1 {
            return tests;
        }
        let checks = of(Measure::FailingChecks, |point| point.failing_checks.map(u64::from));
        if checks.values.len() > 1 {
            return checks;
        }
        of(Measure::LinesChanged, |point| Some(point.lines_changed))
    }

    fn finish(&mut self, summary: &IterationSummary) {
        let checks = &summary.evidence.checks;
        let failing = checks.iter().filter(|check| !check.passed).count();
        let failing = u32::try_from(failing).unwrap_or(u32::MAX);
        self.points.push(Point {
            iteration: summary.iteration,
            findings: self.findings.take(),
            failing_checks: (!checks.is_empty()).then_some(failing),
            failing_tests: checks
                .iter()
                .filter_map(|check| check.failing)
                .reduce(u32::saturating_add),
            files_changed: summary.files_changed,
            lines_changed: summary.lines_changed,
            usage: std::mem::take(&mut self.usage),
            duration_ms: summary.duration_ms,
            claim: summary.claim,
            failed: summary.failure.is_some(),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{evidence::CheckMark, rules::testing::finished};

    fn iteration(number: u32, lines: u64, checks: &[bool]) -> Event {
        finished(|summary| {
            summary.iteration = number;
            summary.lines_changed = lines;
            let mark = |&passed: &bool| CheckMark {
                command: "c".to_owned(),
                passed,
                output: String::new(),
                failing: None,
            };
            summary.evidence.checks = checks.iter().map(mark).collect();
        })
    }

    #[test]
    fn without_reviews_and_checks_the_lines_tell() {
        let mut trail = Trail::default();
        trail.apply(&iteration(1, 30, &[]));
        trail.apply(&iteration(2, 4, &[false]));
        let Convergence { measure, values } = trail.convergence();
        assert_eq!((measure, values), (Measure::LinesChanged, vec![(1, 30), (2, 4)]));
    }

    #[test]
    fn tests_tell_more_than_checks_once_there_are_two_counts() {
        let mut trail = Trail::default();
        for (number, failing) in [(1, Some(4)), (2, None), (3, Some(1))] {
            let mut event = iteration(number, 30, &[false, true]);
            if let EventKind::IterationFinished(summary) = &mut event.kind {
                summary.evidence.checks[0].failing = failing;
            }
            trail.apply(&event);
        }
        let Convergence { measure, values } = trail.convergence();
        assert_eq!((measure, values), (Measure::FailingTests, vec![(1, 4), (3, 1)]));
    }

    #[test]
    fn checks_tell_more_than_lines_once_there_are_two_counts() {
        let mut trail = Trail::default();
        trail.apply(&iteration(1, 30, &[false, false]));
        trail.apply(&iteration(2, 4, &[]));
        trail.apply(&iteration(3, 9, &[true, false]));
        let Convergence { measure, values } = trail.convergence();
        assert_eq!((measure, values), (Measure::FailingChecks, vec![(1, 2), (3, 1)]));
        assert_eq!(trail.points().len(), 3);
    }
}
