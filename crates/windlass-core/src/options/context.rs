//! When windlass adds to the user's prompt.

use serde::{Deserialize, Serialize};

/// When windlass adds to the user's prompt how to claim, how to report being blocked, and which
/// checks will run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "snake_case")]
pub enum ContextWhen {
    /// From the first iteration; with `--command` from the second
    #[default]
    Auto,
    /// From the first iteration, for every agent
    Always,
    /// Never: the agent gets exactly your prompt
    Never,
    /// From the second iteration on, as loops of earlier versions have it.
    #[cfg_attr(feature = "clap", value(skip))]
    #[serde(skip)]
    Later,
}

impl ContextWhen {
    /// What the stored options of a loop mean that do not say it.
    pub fn of_earlier_versions() -> Self {
        Self::Later
    }

    /// Whether it is left out of stored options.
    pub fn is_of_earlier_versions(&self) -> bool {
        *self == Self::Later
    }

    /// What is meant where `--no-context` may be given too.
    #[must_use]
    pub fn unless(self, no_context: bool) -> Self {
        if no_context { Self::Never } else { self }
    }
}
