//! What to do when a provider's limit is met.

use serde::{Deserialize, Serialize};

use super::Span;

/// What to do when a provider's limit is met.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default)]
pub struct LimitOptions {
    /// What to do when the provider's rate limit is reached
    ///
    /// Sessions cut off by a rate limit do not count as iterations.
    #[cfg_attr(feature = "clap", arg(long, value_name = "WHAT"))]
    pub on_limit: OnLimit,

    /// Maximum time to wait for a rate limit to reset
    #[cfg_attr(feature = "clap", arg(long, value_name = "DURATION"))]
    pub max_wait: Span,

    /// What to do when the agent's plan is used up and its provider charges for more
    ///
    /// Extra usage and credits are paid overage. By default this is a limit: the session that reports it goes on to
    /// its end and its iteration counts, then `--on-limit` applies.
    #[cfg_attr(feature = "clap", arg(long, value_name = "WHAT"))]
    pub overage: OnOverage,

    /// Agent that takes over during a rate limit, with `--on-limit fallback`
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAME"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fallback_agent: Option<String>,
}

impl Default for LimitOptions {
    fn default() -> Self {
        Self {
            on_limit: OnLimit::Wait,
            max_wait: Span::minutes(6 * 60),
            overage: OnOverage::Stop,
            fallback_agent: None,
        }
    }
}

/// What to do when a provider's limit is met.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "snake_case")]
pub enum OnLimit {
    /// Wait until it resets
    #[default]
    Wait,
    /// Stop the loop; you can resume it later
    Stop,
    /// Continue with `--fallback-agent`
    Fallback,
}

/// What to do when a plan is used up and its provider charges for more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "snake_case")]
pub enum OnOverage {
    /// It is a limit, as `--on-limit` says
    #[default]
    Stop,
    /// Go on, and pay for it
    Spend,
}
