//! When to give up.

use serde::{Deserialize, Serialize};

use super::{Money, Percent, Span};
use crate::ending::BudgetKind;

/// When to give up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default)]
pub struct Rules {
    /// Stop after N iterations; 0 means no limit
    #[cfg_attr(feature = "clap", arg(short, long, value_name = "N", visible_alias = "max-loops"))]
    pub max_iterations: u32,

    /// Stop after N failed sessions in a row; 0 means never
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub failure_threshold: u32,

    /// Stop after N iterations in a row without measurable progress; 0 means never
    ///
    /// Progress is a changed file, a commit, a finished task, or a failing check whose output
    /// changed. Before giving up, windlass runs the checks once more. With `--protocol status`, N
    /// iterations in a row without a status block stop the loop too.
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub stagnation_threshold: u32,

    /// Stop after N iterations in a row that change only numbers, dates and IDs; 0 means never
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub churn_threshold: u32,

    /// Stop when the files return to an earlier state for the Nth time; 0 means never
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub oscillation_threshold: u32,

    /// Stop after N iterations in a row with the same error; 0 means never
    ///
    /// Errors are taken from failed sessions, failing checks and the agent's last message. Numbers,
    /// paths, times and IDs in them are ignored.
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub same_error_threshold: u32,

    /// Stop when the agent's messages shrink by this much twice in a row; 0 means never
    #[cfg_attr(feature = "clap", arg(long, value_name = "PERCENT"))]
    pub output_decline_threshold: Percent,

    /// Stop after N iterations in a row that the agent reports as testing; 0 means never
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub max_test_loops: u32,

    /// Stop after N rejected claims in a row with checks failing the same way; 0 means never
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub safety_completion_threshold: u32,

    /// Stop after N sessions in a row in which the agent was denied a tool; 0 means never
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub permission_threshold: u32,

    /// Stop before the loop costs more than this, in US dollars
    ///
    /// Cost is what the agent reports. The loop ends before the session that would likely exceed
    /// it.
    #[cfg_attr(feature = "clap", arg(long, value_name = "DOLLARS"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_cost: Option<Money>,

    /// Stop before the loop uses more than N tokens, input and output
    ///
    /// The loop ends before the session that would likely exceed it.
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<u64>,

    /// Stop before the loop runs longer than this, such as `8h`
    ///
    /// The loop ends before the session that would likely exceed it.
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
