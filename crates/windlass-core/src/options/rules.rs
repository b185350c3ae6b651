//! When to give up.

use serde::{Deserialize, Serialize};

use super::{Money, Percent, Span};
use crate::ending::BudgetKind;

/// When to give up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default)]
pub struct Rules {
    /// Iterations before giving up; 0 is no limit
    #[cfg_attr(feature = "clap", arg(short, long, value_name = "N", visible_alias = "max-loops"))]
    pub max_iterations: u32,

    /// Failed sessions in a row before giving up; 0 is no limit
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub failure_threshold: u32,

    /// Iterations in a row without progress in evidence before giving up; 0 is no limit
    ///
    /// Progress is a changed tree, a commit, a task that was done, or a failing check that says
    /// something else. One short of the limit the checks are run to look. With `--protocol status`,
    /// so many iterations in a row without a status block end the loop too.
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub stagnation_threshold: u32,

    /// Iterations in a row that change nothing but numbers, dates and ids before giving up; 0 is
    /// no limit
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub churn_threshold: u32,

    /// How often the tree may come back to a state that it had left before giving up; 0 is no limit
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub oscillation_threshold: u32,

    /// Iterations in a row with the same error before giving up; 0 is no limit
    ///
    /// Errors are those of failed sessions, of failing checks and in the agent's last message.
    /// Numbers, paths, times and ids in them do not count.
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub same_error_threshold: u32,

    /// Give up when the agent's own words shrink by this much twice in a row; 0 is never
    #[cfg_attr(feature = "clap", arg(long, value_name = "PERCENT"))]
    pub output_decline_threshold: Percent,

    /// Iterations in a row that the agent calls testing before giving up; 0 is no limit
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub max_test_loops: u32,

    /// Claims in a row that are not accepted, while the checks fail in the same way, before giving
    /// up; 0 is no limit
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub safety_completion_threshold: u32,

    /// Sessions in a row in which the agent was denied a tool before giving up; 0 is no limit
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub permission_threshold: u32,

    /// What the loop may cost, in dollars; it ends before the session that would likely go over
    #[cfg_attr(feature = "clap", arg(long, value_name = "DOLLARS"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_cost: Option<Money>,

    /// How many tokens the loop may use, in and out; it ends before the session that would likely
    /// go over
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<u64>,

    /// How long the loop may run; it ends before the session that would likely go over
    #[cfg_attr(feature = "clap", arg(long, value_name = "DURATION"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_duration: Option<Span>,
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            max_iterations: 20,
            failure_threshold: 5,
            stagnation_threshold: 3,
            churn_threshold: 5,
            oscillation_threshold: 2,
            same_error_threshold: 5,
            output_decline_threshold: Percent::new(70),
            max_test_loops: 3,
            safety_completion_threshold: 5,
            permission_threshold: 2,
            max_cost: None,
            max_tokens: None,
            max_duration: None,
        }
    }
}

impl Rules {
    /// What loops begin with in which a reviewer decides: those rules are off that judge how one
    /// agent alone gets on.
    pub fn of_reviewed_loops() -> Self {
        Self {
            max_iterations: 5,
            stagnation_threshold: 0,
            churn_threshold: 0,
            oscillation_threshold: 0,
            same_error_threshold: 0,
            output_decline_threshold: Percent::new(0),
            max_test_loops: 0,
            safety_completion_threshold: 0,
            ..Self::default()
        }
    }

    /// The limit of a budget, as its flag takes it; empty where there is none.
    pub fn budget(&self, kind: BudgetKind) -> String {
        let limit = match kind {
            BudgetKind::Cost => self.max_cost.map(|money| money.dollars().to_string()),
            BudgetKind::Tokens => self.max_tokens.map(|tokens| tokens.to_string()),
            BudgetKind::Duration => self.max_duration.map(|span| span.to_string()),
        };
        limit.unwrap_or_default()
    }
}
