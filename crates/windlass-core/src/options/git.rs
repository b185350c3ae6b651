//! What the loop does with git, apart from its snapshots.

use serde::{Deserialize, Serialize};

use super::Branched;

/// What the loop does with git, apart from its snapshots.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default)]
pub struct GitOptions {
    /// Commit after each iteration, except files you had changed before
    #[cfg_attr(feature = "clap", arg(long))]
    pub auto_commit: bool,

    /// Commit message; `{iteration}`, `{name}` and `{id}` are replaced
    #[cfg_attr(feature = "clap", arg(long, value_name = "TEMPLATE"))]
    pub commit_template: String,

    /// Create a branch for the loop and switch to it
    #[cfg_attr(feature = "clap", arg(long))]
    pub create_branch: bool,

    /// Branch name; `{timestamp}`, `{name}` and `{id}` are replaced
    #[cfg_attr(feature = "clap", arg(long, value_name = "TEMPLATE"))]
    pub branch_template: String,

    /// Run in a separate git worktree, on a new or existing branch
    #[cfg_attr(feature = "clap", arg(long, value_name = "BRANCH[:BASE]"))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worktree: Option<String>,

    /// Add branches and tags that the agent makes in a sandbox to your repository
    ///
    /// Otherwise they are kept as `refs/windlass/LOOP/…`.
    #[cfg_attr(feature = "clap", arg(long))]
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub refs: bool,

    /// The branch that the loop has come to work on, if it is one of its own.
    #[cfg_attr(feature = "clap", arg(skip))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branched: Option<Branched>,
}

impl Default for GitOptions {
    fn default() -> Self {
        Self {
            auto_commit: false,
            commit_template: "loop: iteration {iteration}".to_owned(),
            create_branch: false,
            branch_template: "loop/{timestamp}".to_owned(),
            worktree: None,
            refs: false,
            branched: None,
        }
    }
}
