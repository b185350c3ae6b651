//! The proof of a claim as a value: what was run, on which tree, and what is doubtful about it.

use serde::{Deserialize, Serialize};

use crate::{step::CheckReport, test_counts::TestCounts};

/// The evidence for and against a claim.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ProofRecord {
    /// The checks as they ran last.
    pub checks: Vec<ProvenCheck>,
    /// What the checks said before the first session.
    pub baseline: BaselineState,
    /// The tests of all checks that could be read; `None` where none could, or none ran.
    pub tests: Option<TestCounts>,
    /// The result of the checks on the tests as they were.
    pub originals: OriginalsState,
    /// The result of the hidden checks.
    pub hidden: HiddenState,
    /// What somebody else says who looked at the work.
    pub second_opinion: Option<serde_json::Value>,
    /// Reasons to distrust it.
    pub doubts: Vec<Doubt>,
    /// Checks that passed and failed on one tree.
    pub flaky: Vec<String>,
    /// The tree that it is bound to.
    pub tree: Option<String>,
    /// Tests that differ and were released because findings are about them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub released: Vec<String>,
    /// Whether something was waived, so that the work is not verified.
    #[serde(default, skip_serializing_if = "is_false")]
    pub waived: bool,
}

/// One check of a proof.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProvenCheck {
    pub command: String,
    pub passed: bool,
    pub exit_code: Option<i32>,
    pub duration_ms: u64,
    /// SHA-256 of its output.
    pub output_hash: String,
    pub tests: Option<TestCounts>,
}

impl From<&CheckReport> for ProvenCheck {
    fn from(report: &CheckReport) -> Self {
        Self {
            command: report.command.clone(),
            passed: report.passed,
            exit_code: report.exit_code,
            duration_ms: report.duration_ms,
            output_hash: report.output_hash.clone(),
            tests: report.tests.clone(),
        }
    }
}

/// What the checks said before the first session.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BaselineState {
    Failed,
    Passed,
    #[default]
    NotRun,
}

/// The result of the checks on the tests as they were.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OriginalsState {
    /// No guarded file differs.
    Same,
    Passed,
    /// They fail, and the user accepted the work anyway.
    Waived,
    Failed,
    #[default]
    NotRun,
}

/// The result of the hidden checks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HiddenState {
    Passed,
    Failed,
    #[default]
    None,
}

/// A reason to distrust a proof.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Doubt {
    /// What noticed it.
    pub detector: String,
    /// The file that it is about.
    pub file: Option<String>,
    /// The line in it.
    pub line: Option<u32>,
    /// The reason, in a sentence without a full stop.
    pub reason: String,
    /// How sure that is.
    pub confidence: Confidence,
}

impl Doubt {
    /// A doubt that does not reject.
    pub fn new(detector: &str, file: Option<&str>, reason: impl Into<String>) -> Self {
        let (detector, file) = (detector.to_owned(), file.map(str::to_owned));
        Self { detector, file, line: None, reason: reason.into(), confidence: Confidence::Likely }
    }
}

/// How sure a doubt is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Confidence {
    Sure,
    Likely,
    Possible,
}

fn is_false(value: &bool) -> bool {
    !value
}
