//! The prompts that a user has replaced.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::PromptName;

/// The prompts that a user has replaced: their texts, so that a loop that is taken up again asks
/// what it asked before.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default)]
pub struct PromptOptions {
    /// The texts by the names of their prompts.
    #[cfg_attr(feature = "clap", arg(skip))]
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub prompts: BTreeMap<PromptName, String>,
}
