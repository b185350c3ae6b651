//! The options that every loop kind has. Apart from `kind`, so that `course` can use them without
//! knowing any kind.

use serde::{Deserialize, Serialize};
use windlass_agents::AgentOptions;
use windlass_core::options::{GitOptions, Hooks, LimitOptions, Pace, Proof, Rules, SandboxOptions};

/// The options that every loop kind has.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct Common {
    /// Which agent.
    #[cfg_attr(feature = "clap", command(flatten, next_help_heading = "Agent"))]
    #[serde(flatten)]
    pub agent: AgentOptions,

    /// What it can reach.
    #[cfg_attr(feature = "clap", command(flatten, next_help_heading = "Sandbox"))]
    #[serde(flatten)]
    pub sandbox: SandboxOptions,

    /// What proves a claim.
    #[cfg_attr(feature = "clap", command(flatten, next_help_heading = "Claim and proof"))]
    #[serde(flatten)]
    pub proof: Proof,

    /// When to give up.
    #[cfg_attr(feature = "clap", command(flatten, next_help_heading = "When to give up"))]
    #[serde(flatten)]
    pub rules: Rules,

    /// How long things may take.
    #[cfg_attr(feature = "clap", command(flatten, next_help_heading = "Pace"))]
    #[serde(flatten)]
    pub pace: Pace,

    /// What to do at a provider's limit.
    #[cfg_attr(feature = "clap", command(flatten, next_help_heading = "Limits"))]
    #[serde(flatten)]
    pub limits: LimitOptions,

    /// What is done with git.
    #[cfg_attr(feature = "clap", command(flatten, next_help_heading = "Git"))]
    #[serde(flatten)]
    pub git: GitOptions,

    /// Programs of the user's own that run at moments of the loop.
    #[cfg_attr(feature = "clap", arg(skip))]
    #[serde(default)]
    pub on: Hooks,
}
