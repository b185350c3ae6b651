//! What sessions, checks and looks at protected files came to.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{
    claim::ClaimReading,
    outcome::{Outcome, Overage},
    process::StreamStats,
    said::Usage,
    test_counts::TestCounts,
    text::{
        commands,
        count::{agree, count},
    },
};

/// What one session came to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SessionReport {
    /// How it ended.
    pub outcome: Outcome,
    /// The agent's last message, cut to its end where it is too long.
    pub final_text: String,
    /// What the last message claims.
    pub claim: ClaimReading,
    /// The error in one line, where the session failed and said why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// Tokens and money.
    pub usage: Usage,
    /// The model, where the agent told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// How many tools it used.
    pub tools: u32,
    /// How many tools were denied to it.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub denied: u32,
    /// Their names, each once, where the agent tells them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub denied_tools: Vec<String>,
    /// The agent's own name for the session, where it told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
    /// How many characters the agent itself said.
    #[serde(default)]
    pub said: u64,
    /// The exit code; `None` when a signal ended it.
    pub exit_code: Option<i32>,
    /// What came out of standard output.
    pub stdout: StreamStats,
    /// What came out of standard error.
    pub stderr: StreamStats,
    /// Programs that outlived the session and were ended.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub leftovers: Vec<String>,
    /// What it had started in the background and had not ended when it finished, a command each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lost_background: Vec<String>,
    /// That its provider charges for more than the plan has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overage: Option<Overage>,
    /// How long it took.
    pub duration_ms: u64,
}

impl SessionReport {
    /// Takes back what it claims, where it left work unfinished in the background and no check can
    /// tell whether the work is done.
    #[must_use]
    pub fn without_unchecked_claim(mut self) -> Self {
        if self.outcome.is_finished() && !self.lost_background.is_empty() {
            self.outcome = Outcome::CutShort { reason: Outcome::BACKGROUND.to_owned() };
            self.problem = Some(commands::listed(&self.lost_background));
            let ClaimReading { status, blocked, .. } = self.claim;
            self.claim = ClaimReading { status, blocked, ..ClaimReading::default() };
        }
        self
    }

    /// How it failed, in a line; `None` where it finished.
    pub fn failure(&self) -> Option<String> {
        self.outcome.is_failure().then(|| match &self.problem {
            Some(problem) => format!("{}: {problem}", self.outcome),
            None => self.outcome.to_string(),
        })
    }
}

/// What one run of a check came to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CheckReport {
    /// The command.
    pub command: String,
    /// Whether it passed: it exited with 0 in time, and no test failed that it counted.
    pub passed: bool,
    /// The exit code; `None` when a signal or the time limit ended it.
    pub exit_code: Option<i32>,
    /// Whether the time limit ended it.
    pub timed_out: bool,
    /// The end of its output, standard output and error as they came.
    pub tail: String,
    /// SHA-256 of all its output.
    pub output_hash: String,
    /// The tree that it ran on.
    pub tree: Option<String>,
    /// How long it took.
    pub duration_ms: u64,
    /// The tests that it ran, where its output could be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tests: Option<TestCounts>,
    /// The first compile error in its output, with file and line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_error: Option<String>,
}

impl CheckReport {
    /// A look at the protected files that found some changed, as agents are told of checks.
    pub fn of_protected(changes: String) -> Self {
        Self {
            command: "no protected file is changed".to_owned(),
            passed: false,
            exit_code: Some(1),
            timed_out: false,
            tail: changes,
            output_hash: String::new(),
            tree: None,
            duration_ms: 0,
            tests: None,
            first_error: None,
        }
    }

    /// That it failed and how, in a clause.
    pub fn failure(&self) -> String {
        let command = &self.command;
        let tests = self.failing_tests().map(|tests| format!(": {tests}")).unwrap_or_default();
        match self.exit_code {
            _ if self.timed_out => format!("the check `{command}` took too long"),
            Some(0) => format!("the check `{command}` failed, though it exits with 0{tests}"),
            Some(code) => format!("the check `{command}` failed with exit code {code}{tests}"),
            None => format!("the check `{command}` was ended by a signal{tests}"),
        }
    }

    /// How many of its tests fail, in words; `None` where none does, or its output cannot be read.
    pub fn failing_tests(&self) -> Option<String> {
        let tests = self.tests.as_ref().filter(|tests| tests.failed > 0)?;
        let fail = agree(tests.failed, "fails", "fail");
        Some(format!("{} of {} {fail}", tests.failed, count(tests.ran(), "test")))
    }

    /// How it ended, in a few words.
    pub fn how(&self) -> String {
        match self.exit_code {
            _ if self.timed_out => "its time limit".to_owned(),
            Some(code) => format!("exit code {code}"),
            None => "a signal".to_owned(),
        }
    }
}

/// Paths relative to the work tree, and the SHA-256 of what each holds.
pub type Fingerprints = BTreeMap<String, String>;

fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// What was put back in a work tree.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RestoreReport {
    /// Files that had been changed or removed.
    #[serde(default)]
    pub changed: Vec<String>,
    /// Files that had been added, and are gone again.
    #[serde(default)]
    pub added: Vec<String>,
    /// Files that could not be put back, each with why.
    #[serde(default)]
    pub left: Vec<String>,
    /// The tree with what was there instead; empty where it does not outlive the loop.
    pub kept: String,
    /// That HEAD was at another commit, where it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub head: Option<HeadMoved>,
}

/// HEAD was moved by somebody who is there to read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeadMoved {
    /// The commit that it was at before.
    pub from: String,
    /// The commit that it was moved to.
    pub to: String,
    /// Whether it is back.
    pub is_back: bool,
}
