//! What windlass saw in one iteration, beside the tree: what rules judge by. Nothing here is what
//! an agent says of itself but its status block, which some rules ask for by its name.

use serde::{Deserialize, Serialize};

use crate::{
    outcome::Outcome,
    status::StatusBlock,
    step::{CheckReport, SessionReport},
    text::normalise,
};

/// So many errors of an iteration are kept.
const ERRORS: usize = 20;

/// What windlass saw in one iteration.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Evidence {
    /// The checks that ran in it, as they ran last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub checks: Vec<CheckMark>,
    /// How the tasks stand at its end, in loops that have tasks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tasks: Option<TaskMark>,
    /// Whether the tree changed in nothing but numbers, dates and ids.
    #[serde(default, skip_serializing_if = "is_false")]
    pub only_numbers: bool,
    /// The errors of its sessions and checks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<ErrorMark>,
    /// How many characters the agent itself said.
    #[serde(default)]
    pub said: u64,
    /// The status block.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<StatusBlock>,
    /// What the agent says to be missing, where it cannot go on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blocked: Option<String>,
    /// The task that this counts for, where others can go on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blocked_task: Option<String>,
    /// Whether the session met a limit of its own, such as its number of turns.
    #[serde(default, skip_serializing_if = "is_false")]
    pub cut_short: bool,
    /// Whether the session's claim did not count because it left background work unfinished.
    #[serde(default, skip_serializing_if = "is_false")]
    pub left_background: bool,
    /// How many tools were denied to the agent.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub denied: u32,
    /// Their names, each once, where the agent tells them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub denied_tools: Vec<String>,
    /// That a claim was rejected for one thing only, about which the user can decide.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rejected_only_for: Option<OnlyFor>,
}

/// The one thing that a claim was rejected for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum OnlyFor {
    /// Existing tests that the agent changed do not pass as they were.
    Originals {
        /// The tests that fail on the originals, and checks whose output cannot be read.
        failing: Vec<String>,
    },
    /// Tests that failed before the loop still fail.
    KnownFailures {
        /// Them.
        failing: Vec<String>,
    },
}

/// How one check stood.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckMark {
    /// The command.
    pub command: String,
    /// Whether it passed.
    pub passed: bool,
    /// What identifies its output beyond numbers, times and paths.
    pub output: String,
    /// How many tests failed, where its output could be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failing: Option<u32>,
}

/// How the tasks stand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskMark {
    /// How many are open.
    pub open: u32,
    /// How many are done.
    pub done: u32,
    /// How many were ticked in this iteration while nothing but the task file changed.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unworked: u32,
    /// Whether nothing but the task file changed.
    #[serde(default, skip_serializing_if = "is_false")]
    pub only_file: bool,
}

/// One error.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ErrorMark {
    /// What it is known again by.
    pub key: String,
    /// What people are shown.
    pub text: String,
}

impl Evidence {
    /// What a session and the checks after it showed.
    pub fn of(session: &SessionReport, checks: &[CheckReport]) -> Self {
        let mut evidence = Self {
            checks: Vec::new(),
            tasks: None,
            only_numbers: false,
            errors: errors_of(session),
            said: session.said,
            status: session.claim.status.as_deref().cloned(),
            blocked: session.claim.blocked.clone(),
            blocked_task: None,
            cut_short: matches!(session.outcome, Outcome::CutShort { .. }),
            left_background: session.outcome.left_background(),
            denied: session.denied,
            denied_tools: session.denied_tools.clone(),
            rejected_only_for: None,
        };
        evidence.add_checks(checks);
        evidence
    }

    /// Adds what the checks showed that ran after the sessions.
    pub fn add_checks(&mut self, checks: &[CheckReport]) {
        self.checks.extend(checks.iter().map(CheckMark::of));
        self.errors.extend(checks.iter().filter(|check| !check.passed).map(error_of_check));
        self.errors.truncate(ERRORS);
    }

    /// Adds what another session of the same iteration showed.
    pub fn add_session(&mut self, session: &SessionReport) {
        self.errors.extend(errors_of(session));
        self.errors.truncate(ERRORS);
        self.denied = self.denied.saturating_add(session.denied);
        for name in &session.denied_tools {
            if !self.denied_tools.contains(name) {
                self.denied_tools.push(name.clone());
            }
        }
    }
}

impl CheckMark {
    fn of(report: &CheckReport) -> Self {
        Self {
            command: report.command.clone(),
            passed: report.passed,
            output: normalise::fingerprint(&report.tail),
            failing: report.tests.as_ref().map(|tests| tests.failed),
        }
    }
}

fn errors_of(session: &SessionReport) -> Vec<ErrorMark> {
    if session.outcome.is_failure() {
        let text = match &session.problem {
            Some(problem) => format!("{}: {problem}", session.outcome),
            None => session.outcome.to_string(),
        };
        return vec![ErrorMark { key: normalise::error(&text), text: shown(&text) }];
    }
    if session.outcome != Outcome::Finished {
        return Vec::new();
    }
    let mut errors: Vec<ErrorMark> = Vec::new();
    for line in session.final_text.lines().filter(|line| tells_an_error(line)) {
        let key = normalise::error(line);
        if errors.iter().all(|error| error.key != key) {
            errors.push(ErrorMark { key, text: shown(line) });
        }
    }
    errors
}

/// Whether a line of an agent's last message is an error that it reports, and not talk about one.
fn tells_an_error(line: &str) -> bool {
    let line = line.trim_start_matches(|c: char| c.is_whitespace() || "*-#>`".contains(c));
    const BEGINNINGS: &[&str] = &[
        "error:",
        "error[",
        "fatal:",
        "fatal error",
        "panic:",
        "panicked at",
        "exception:",
        "traceback (most recent",
        "uncaught ",
        "failed:",
        "failure:",
        "assertion failed",
    ];
    let lower: String = line.chars().take(200).collect::<String>().to_lowercase();
    BEGINNINGS.iter().any(|beginning| lower.starts_with(beginning))
        || lower.split_once(": ").is_some_and(|(name, _)| {
            // `TypeError: x is undefined`, `thread 'main' panicked at …`, `src/a.rs:1: error: …`
            (name.ends_with("error") || name.ends_with("exception")) && !name.contains(' ')
        })
        || lower.contains(": error: ")
        || lower.contains(": fatal: ")
        || lower.contains("' panicked at ")
}

fn error_of_check(report: &CheckReport) -> ErrorMark {
    let how = match report.exit_code {
        _ if report.timed_out => "timed out".to_owned(),
        Some(code) => format!("exit code {code}"),
        None => "ended by a signal".to_owned(),
    };
    let told = report.tail.lines().find(|line| tells_an_error(line));
    let last = || report.tail.lines().rfind(|line| !line.trim().is_empty());
    let line = told.or_else(last).unwrap_or("no output");
    ErrorMark {
        key: format!("check {}: {how}: {}", report.command, normalise::fingerprint(&report.tail)),
        text: shown(&format!("`{}`: {how}: {}", report.command, line.trim())),
    }
}

fn shown(text: &str) -> String {
    crate::text::sanitise::line(text).chars().take(200).collect()
}

fn is_false(value: &bool) -> bool {
    !value
}

fn is_zero(value: &u32) -> bool {
    *value == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_that_is_reported_is_told_from_talk_about_errors() {
        for line in [
            "Error: no such file",
            "**error:** it broke",
            "TypeError: x is undefined",
            "src/a.rs:12: error: expected `;`",
            "thread 'main' panicked at src/main.rs:1",
            "- FATAL: no disk",
        ] {
            assert!(tells_an_error(line), "{line}");
        }
        for line in [
            "I fixed the error in parse.rs",
            "No errors remain.",
            "There is better error handling now: see below",
            "The function returns an error: that is what the test wants",
            "\"error\": null,",
        ] {
            assert!(!tells_an_error(line), "{line}");
        }
    }
}
