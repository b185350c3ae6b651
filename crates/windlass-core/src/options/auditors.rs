//! What a user changes about the auditors of a pull request.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// What a user changes about the auditors: with the texts of their prompts, so that a loop that is
/// taken up again asks what it asked before.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default)]
pub struct AuditorOptions {
    /// The auditors by name; a built-in one is changed in what is given, another name adds one.
    #[cfg_attr(feature = "clap", arg(skip))]
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub auditors: BTreeMap<String, AuditorTable>,
}

impl AuditorOptions {
    /// The agents that auditors have of their own.
    pub fn agents(&self) -> Vec<&str> {
        self.auditors.values().filter_map(|table| table.agent.as_deref()).collect()
    }
}

/// What a user says of one auditor: `[auditors.NAME]`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AuditorTable {
    /// What it looks for: the text of its prompt, which is no template.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub brief: Option<String>,
    /// The agent that it is, as `NAME` or `NAME:MODEL`; the loop's agent if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// The files that it looks at, as globs; empty for all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub paths: Option<Vec<String>>,
    /// Whether it audits at all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub enabled: Option<bool>,
}

impl AuditorTable {
    /// Lays what this table gives over a table of an earlier layer.
    pub fn lay_over(&self, below: &mut Self) {
        fn lay<T: Clone>(above: Option<&T>, below: &mut Option<T>) {
            if above.is_some() {
                *below = above.cloned();
            }
        }
        lay(self.brief.as_ref(), &mut below.brief);
        lay(self.agent.as_ref(), &mut below.agent);
        lay(self.paths.as_ref(), &mut below.paths);
        lay(self.enabled.as_ref(), &mut below.enabled);
    }
}
