//! What the checks said before the first session, how many tests ran, the result on the original tests, and the
//! proof that all of it came to.

use serde::{Deserialize, Serialize};

use crate::{
    proof_record::{BaselineState, OriginalsState, ProofRecord},
    step::guarded::GuardedChange,
    test_counts::TestCounts,
};

/// The checks before the first session.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BaselineTaken {
    /// What they came to.
    pub state: BaselineState,
    /// Each of them.
    #[serde(default)]
    pub checks: Vec<BaselineCheck>,
    /// Why they did not run, or not to their end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// One check before the first session.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BaselineCheck {
    pub command: String,
    pub passed: bool,
    /// Its tests, where the output could be read.
    pub tests: Option<TestCounts>,
}

/// How many tests a check ran.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TestsCounted {
    pub iteration: u32,
    /// The check.
    pub command: String,
    pub tests: TestCounts,
    /// How many failed before the first session, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed_at_baseline: Option<u32>,
    /// How many failed when they were counted last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed_before: Option<u32>,
}

/// The checks, on the tests as they were.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct OriginalsRan {
    pub iteration: u32,
    pub state: OriginalsState,
    /// The guarded files that differ.
    #[serde(default)]
    pub changes: Vec<GuardedChange>,
    /// The tests that fail on the originals, and checks whose output cannot be read.
    #[serde(default)]
    pub failing: Vec<String>,
    /// The first compile error of the originals, with file and line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_error: Option<String>,
}

/// The evidence for and against the work of an iteration.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ProofTaken {
    pub iteration: u32,
    /// The number of the proof in its iteration, where there are several; 0 for the only one.
    #[serde(default)]
    pub round: u32,
    pub proof: ProofRecord,
    /// Why the work is not proven; empty where it is, or where nothing could prove it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rejected: Vec<String>,
}
