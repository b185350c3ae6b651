//! What a proof looks like in the answers of the API.

use serde::Serialize;
use utoipa::ToSchema;

/// How many tests a check ran, or all checks of a proof.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TestCounts {
    passed: u32,
    failed: u32,
    skipped: u32,
    /// The names of tests that failed, 1,000 at the most.
    failing: Vec<String>,
}

/// The evidence for and against a claim.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Proof {
    checks: Vec<ProvenCheck>,
    /// What the checks said before the first session: `failed`, `passed` or `not_run`.
    baseline: String,
    /// Summed over the checks; nothing where no output could be read.
    tests: Option<TestCounts>,
    /// The result of the checks on the original tests: `same`, `passed`, `waived`, `failed` or `not_run`.
    originals: String,
    /// `passed`, `failed` or `none`.
    hidden: String,
    #[schema(value_type = Option<Object>)]
    second_opinion: Option<()>,
    doubts: Vec<Doubt>,
    /// Checks that passed and failed on one tree.
    flaky: Vec<String>,
    tree: Option<String>,
    /// Tests that differ and were released because findings are about them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    released: Vec<String>,
    /// Whether something was waived, so that the work is not verified.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    waived: bool,
}

/// One check of a proof.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ProvenCheck {
    command: String,
    passed: bool,
    exit_code: Option<i32>,
    duration_ms: u64,
    output_hash: String,
    tests: Option<TestCounts>,
}

/// A reason to distrust a proof.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Doubt {
    detector: String,
    file: Option<String>,
    line: Option<u32>,
    reason: String,
    /// `sure`, `likely` or `possible`.
    confidence: String,
}
