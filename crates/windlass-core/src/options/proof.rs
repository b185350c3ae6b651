//! What proves a claim.

use serde::{Deserialize, Serialize};

use super::Span;

/// What proves a claim.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default)]
pub struct Proof {
    /// A command that must pass before a claim is accepted; windlass runs it itself
    ///
    /// Repeat it for several. Each runs by `sh -c` in the loop's directory, on exactly the tree
    /// that the claim is about. The output of one that fails goes into the next prompt.
    #[cfg_attr(feature = "clap", arg(long = "check", value_name = "CMD"))]
    pub checks: Vec<String>,

    /// How long one check may take
    #[cfg_attr(feature = "clap", arg(long, value_name = "DURATION"))]
    pub check_timeout: Span,

    /// Files that the agent must leave as they are: while one differs, claims are rejected
    ///
    /// A glob such as `tests/**`; repeat it for several.
    #[cfg_attr(feature = "clap", arg(long, value_name = "GLOB"))]
    pub protect: Vec<String>,

    /// Do not protect the scripts and tests that a check runs
    #[cfg_attr(feature = "clap", arg(long, hide = true))]
    pub no_protect_checks: bool,
}

impl Default for Proof {
    fn default() -> Self {
        Self {
            checks: Vec::new(),
            check_timeout: Span::minutes(30),
            protect: Vec::new(),
            no_protect_checks: false,
        }
    }
}
