//! Guarded files as values: what is guarded in a loop, what the agent did to it, and how the checks
//! fared on the originals.

use serde::{Deserialize, Serialize};

use super::{CheckReport, CheckStep};

/// What decides which files are guarded, as it is frozen with the loop.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GuardStep {
    /// Whether any difference rejects, and not only one that the originals do not survive.
    #[serde(default)]
    pub locks: bool,
    /// Globs of `--guard`.
    #[serde(default)]
    pub guard: Vec<String>,
    /// Globs of `--unguard`.
    #[serde(default)]
    pub unguard: Vec<String>,
    /// The commands of the checks; one that runs in a directory is `cd DIRECTORY && COMMAND`.
    #[serde(default)]
    pub checks: Vec<String>,
    /// Files that are never guarded, such as the task file.
    #[serde(default)]
    pub never: Vec<String>,
    /// Files that the checks changed before the first session, too: what they write there in a later run
    /// is not the agent's doing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub written_by_checks: Vec<String>,
    /// Files that are not guarded any more, because a finding is about them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub released: Vec<String>,
}

/// What is guarded in a loop, when it was recorded.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GuardReport {
    /// How many test files there are.
    #[serde(default)]
    pub tests: u32,
    /// Files that decide which tests run, scripts that are checks, and programs: the first of them.
    #[serde(default)]
    pub others: Vec<String>,
    /// How many of these there are.
    #[serde(default)]
    pub others_count: u32,
    /// Shared files of which some keys are guarded.
    #[serde(default)]
    pub shared: Vec<String>,
    /// Guarded files that could not be restored, so that any change of them rejects; each with why.
    #[serde(default)]
    pub locked: Vec<String>,
    /// What people should know, such as files that are only watched because they are too large.
    #[serde(default)]
    pub notes: Vec<String>,
}

/// What the agent did to guarded files since the originals were recorded.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GuardChanges {
    /// Guarded files that differ, and runner configuration that was added. Where there are any, the
    /// checks have to pass on the originals, too.
    #[serde(default)]
    pub changes: Vec<GuardedChange>,
    /// New tests, which are set aside where the originals fail with them.
    #[serde(default)]
    pub new_tests: Vec<String>,
    /// Differences of files that cannot be restored: they reject, each in a clause.
    #[serde(default)]
    pub locked: Vec<String>,
    /// Watched files that differ, and files that the agent wrote and a check may use.
    #[serde(default)]
    pub watched: Vec<WatchedChange>,
    /// Source files whose inline tests were changed or removed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inline_tests: Vec<WatchedChange>,
    /// Files that differ and would be guarded, were there no finding about them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub released: Vec<String>,
}

/// One guarded file that is not as it was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GuardedChange {
    /// The path, from the top of the tree.
    pub path: String,
    /// What became of it.
    pub how: GuardedHow,
    /// What it is to the tests, in a few words: `a test`, `it decides which tests run`.
    pub what: String,
    /// The guarded keys that differ, where the file is guarded by keys.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub keys: Vec<String>,
}

impl GuardedChange {
    /// What a new test is that runs in one process with tests that were there.
    pub const JOINED: &str = "it runs in one process with tests that were there";

    /// Whether it is a new test that is set aside only because of what it could do to others.
    pub fn is_joined_test(&self) -> bool {
        self.how == GuardedHow::Added && self.what == Self::JOINED
    }
}

/// What became of a guarded file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GuardedHow {
    Changed,
    Deleted,
    Added,
}

impl GuardedHow {
    /// The word that people read.
    pub fn word(self) -> &'static str {
        match self {
            Self::Changed => "changed",
            Self::Deleted => "deleted",
            Self::Added => "added",
        }
    }
}

/// A watched file that differs: a doubt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WatchedChange {
    /// The path, from the top of the tree.
    pub path: String,
    /// Why that is a reason to doubt the proof, in a clause.
    pub reason: String,
    /// Where in it, if that can be said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
}

/// The checks, on the tests as they were.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct OriginalsStep {
    /// What is guarded, to find the originals by.
    pub guard: GuardStep,
    /// What differs, and is put back for the run.
    pub changes: Vec<GuardedChange>,
    /// New tests, which are set aside for a second run where the first one fails.
    #[serde(default)]
    pub new_tests: Vec<String>,
    /// The checks.
    pub checks: Vec<CheckStep>,
    /// The trees that later originals are in, the latest last: what the user changed between sessions,
    /// and what an earlier proof accepted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub later: Vec<LaterOriginals>,
}

/// Files whose originals are not those of the loop's start.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LaterOriginals {
    /// The tree that has them.
    pub tree: String,
    /// The tree before: only files that differ between the two are meant; all files where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<String>,
}

/// What the originals run came to.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct OriginalsReport {
    /// The checks on the originals, with the agent's new tests.
    #[serde(default)]
    pub checks: Vec<CheckReport>,
    /// The checks once more, without them; empty where there was no second run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub without_new_tests: Vec<CheckReport>,
    /// Originals that were changed while the checks ran on them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub disturbed: Vec<String>,
    /// Paths that somebody else wrote meanwhile, and that were left alone, each with where the agent's
    /// version is.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_alone: Vec<String>,
    /// Why the originals could not be put in place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

impl OriginalsReport {
    /// What is told of a path that was left alone.
    pub fn left_alone_note(left: &str) -> String {
        format!("not put back, for something else was written there meanwhile: {left}")
    }

    /// Whether the work passes on the tests as they were.
    pub fn passed(&self) -> bool {
        self.problem.is_none() && self.disturbed.is_empty() && self.failed().is_empty()
    }

    /// The checks that failed in the run that decides: the one with fewer files of the agent.
    pub fn failed(&self) -> Vec<&CheckReport> {
        self.decisive().iter().filter(|report| !report.passed).collect()
    }

    /// The run that decides.
    pub fn decisive(&self) -> &[CheckReport] {
        let first_passed = self.checks.iter().all(|report| report.passed);
        match self.without_new_tests.is_empty() || first_passed {
            true => &self.checks,
            false => &self.without_new_tests,
        }
    }
}
