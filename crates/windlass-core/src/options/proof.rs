//! What proves a claim.

use serde::{Deserialize, Serialize};

use super::Span;

/// What proves a claim.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default)]
pub struct Proof {
    /// Command that must pass before the loop is done; repeatable
    ///
    /// windlass runs it itself, with `sh -c` in the loop's directory, on exactly the files that the
    /// agent claims are done. The output of a failing check goes into the next prompt.
    ///
    /// [default: the project's own tests, if windlass finds them]
    #[cfg_attr(feature = "clap", arg(long = "check", value_name = "CMD"))]
    pub checks: Vec<String>,

    /// Run no checks, neither configured ones nor the project's own tests
    #[cfg_attr(feature = "clap", arg(long, conflicts_with = "checks"))]
    pub no_check: bool,

    /// Time limit for one check
    #[cfg_attr(feature = "clap", arg(long, value_name = "DURATION"))]
    pub check_timeout: Span,

    /// Skip the baseline: do not run the checks before the first session
    #[cfg_attr(feature = "clap", arg(long))]
    pub no_baseline: bool,

    /// Time limit for the whole baseline, the checks before the first session
    #[cfg_attr(feature = "clap", arg(long, value_name = "DURATION"))]
    pub baseline_timeout: Span,

    /// What to do about tests that failed before the loop
    #[cfg_attr(feature = "clap", arg(long, value_name = "HOW"))]
    pub known_failures: KnownFailures,

    /// Require a flaky check to pass N times in a row
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub flaky_runs: u32,

    /// What the agent may do with existing tests
    #[cfg_attr(feature = "clap", arg(long, value_name = "POLICY"))]
    pub test_policy: TestPolicy,

    /// Guard more files: the checks must also pass with their original content
    ///
    /// A glob such as `data/**`; repeatable. Existing tests are guarded by default.
    #[cfg_attr(feature = "clap", arg(long, value_name = "GLOB"))]
    pub guard: Vec<String>,

    /// Let the agent change these files; existing tests are guarded by default
    ///
    /// A glob such as `tests/api/**`; repeatable.
    #[cfg_attr(feature = "clap", arg(long, value_name = "GLOB"))]
    pub unguard: Vec<String>,

    /// Reject claims while one of these files differs from the start
    ///
    /// A glob such as `migrations/**`; repeatable.
    #[cfg_attr(feature = "clap", arg(long, value_name = "GLOB"))]
    pub protect: Vec<String>,

    /// Do not protect the scripts and tests that a check runs
    #[cfg_attr(feature = "clap", arg(long, hide = true))]
    pub no_protect_checks: bool,

    /// A command that prepares a new worktree, once, before the checks first run in it.
    #[cfg_attr(feature = "clap", arg(skip))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub worktree_setup: Option<String>,

    /// The checks that windlass found itself, when the loop began.
    #[cfg_attr(feature = "clap", arg(skip))]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub found: Vec<FoundCheck>,

    /// How the loop proves claims: 0 for loops of versions without a baseline and guarded tests.
    #[cfg_attr(feature = "clap", arg(skip))]
    #[serde(default)]
    pub edition: u32,
}

/// A check that windlass found in the project.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundCheck {
    /// The command.
    pub command: String,
    /// The directory that it runs in, below the loop's root; empty for the root itself.
    #[serde(default)]
    pub directory: String,
    /// The file that it comes from.
    #[serde(default)]
    pub file: String,
}

/// A command that must pass, wherever it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckCommand {
    /// The command.
    pub command: String,
    /// Where it runs, if windlass found it: a directory below the loop's root.
    pub found_in: Option<String>,
}

impl CheckCommand {
    /// A command that the user gave.
    pub fn given(command: impl Into<String>) -> Self {
        Self { command: command.into(), found_in: None }
    }
}

impl Proof {
    /// What new loops have in [`Proof::edition`].
    pub const EDITION: u32 = 2;

    /// All checks, those that windlass found first.
    pub fn commands(&self) -> Vec<CheckCommand> {
        let found = self.found.iter().map(|found| CheckCommand {
            command: found.command.clone(),
            found_in: Some(found.directory.clone()),
        });
        found.chain(self.checks.iter().map(CheckCommand::given)).collect()
    }

    /// The words of all checks, as people and agents are shown them.
    pub fn command_lines(&self) -> Vec<String> {
        self.commands().into_iter().map(|check| check.command).collect()
    }

    /// Whether a claim can be proven at all.
    pub fn has_checks(&self) -> bool {
        !self.found.is_empty() || !self.checks.is_empty()
    }

    /// Whether the checks run before the first session.
    pub fn has_baseline(&self) -> bool {
        self.edition >= 2 && !self.no_baseline && self.has_checks()
    }

    /// Whether existing tests are guarded.
    pub fn guards(&self) -> bool {
        let acts = match self.test_policy {
            TestPolicy::Guard => self.has_checks(),
            TestPolicy::Lock => true,
            TestPolicy::Free => false,
        };
        self.edition >= 2 && acts
    }
}

impl Default for Proof {
    fn default() -> Self {
        Self {
            checks: Vec::new(),
            no_check: false,
            check_timeout: Span::minutes(30),
            no_baseline: false,
            baseline_timeout: Span::minutes(5),
            known_failures: KnownFailures::Reject,
            flaky_runs: 2,
            test_policy: TestPolicy::Guard,
            guard: Vec::new(),
            unguard: Vec::new(),
            protect: Vec::new(),
            no_protect_checks: false,
            worktree_setup: None,
            found: Vec::new(),
            edition: 0,
        }
    }
}

/// What is done about tests that failed before the loop.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "snake_case")]
pub enum KnownFailures {
    /// Require them to pass like all others
    #[default]
    Reject,
    /// Let them fail; the result then counts as not verified
    Allow,
}

/// What the agent may do with existing tests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "snake_case")]
pub enum TestPolicy {
    /// Change them, but the checks must also pass with the original tests
    #[default]
    Guard,
    /// Nothing: a claim is rejected if an existing test was changed
    Lock,
    /// Anything
    Free,
}
