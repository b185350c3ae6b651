//! What a loop starts with: the values of the block that people see before the first session.

use serde::{Deserialize, Serialize};

use crate::options::{Money, Span};

/// What a loop starts with, and what its user should know before it spends anything.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StartReport {
    /// The first line of the prompt, or the task file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task: Option<String>,
    /// The agents, the loop's own first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub agents: Vec<StartAgent>,
    /// The sandbox of the loop's own agent: `none`, `bwrap`, …
    pub sandbox: String,
    /// What is reached of the network from inside a sandbox.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub network: Option<String>,
    pub budget: StartBudget,
    /// What must pass before a claim is accepted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub checks: Vec<StartCheck>,
    /// Checks that were found and are not used.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also_found: Vec<StartCheck>,
    /// Whether the machine is kept from sleeping while the loop runs.
    #[serde(default, skip_serializing_if = "is_false")]
    pub inhibits_sleep: bool,
    /// A sentence each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// One of a loop's agents.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StartAgent {
    pub name: String,
    /// The parts that it plays, where the loop has several.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The version of its program, where that can be known without running it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// What it may do without asking, in words; missing where windlass does not know the agent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub permissions: Option<String>,
}

/// What a loop may spend.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StartBudget {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_cost: Option<Money>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_duration: Option<Span>,
    /// Whether one of the agents reports what its sessions cost.
    #[serde(default, skip_serializing_if = "is_false")]
    pub reports_cost: bool,
}

/// A command that must pass.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StartCheck {
    pub command: String,
    /// The file of the project that it was found in; missing where the user gave it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub found_in: Option<String>,
}

fn is_false(value: &bool) -> bool {
    !value
}
