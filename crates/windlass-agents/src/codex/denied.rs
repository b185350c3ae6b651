//! The tools that Codex denied to the agent. Most are items that were declined; a patch that its sandbox does not
//! allow leaves no item, and is told on standard error only.

use std::collections::BTreeMap;

/// How Codex logs what a tool was not allowed.
const LOGGED: &str = "codex_core::tools::router: error=";

/// The words that tell a denial from a tool that failed.
const REFUSALS: [&str; 3] =
    ["rejected by user", "rejected: blocked by policy", "approval required by policy"];

/// The denials of a session, by the tools' names.
#[derive(Debug, Default)]
pub(super) struct Denials {
    declined: BTreeMap<String, u32>,
    logged: BTreeMap<String, u32>,
}

impl Denials {
    /// An item was declined.
    pub(super) fn declined(&mut self, name: &str) {
        *self.declined.entry(name.to_owned()).or_default() += 1;
    }

    /// Codex logged these lines.
    pub(super) fn logged(&mut self, lines: &str) {
        for (_, error) in lines.lines().filter_map(|line| line.split_once(LOGGED)) {
            if REFUSALS.iter().any(|words| error.contains(words)) {
                let is_patch = error.starts_with("patch ");
                let name = if is_patch { "file_change" } else { "command_execution" };
                *self.logged.entry(name.to_owned()).or_default() += 1;
            }
        }
    }

    /// Whether there are any that left no item.
    pub(super) fn are_logged(&self) -> bool {
        !self.logged.is_empty()
    }

    /// How many there are. One may be both an item and logged.
    pub(super) fn count(&self) -> u32 {
        let of = |all: &BTreeMap<String, u32>, name: &str| all.get(name).copied().unwrap_or(0);
        let names = self.names();
        names.iter().map(|name| of(&self.declined, name).max(of(&self.logged, name))).sum()
    }

    /// The tools, each once.
    pub(super) fn names(&self) -> Vec<String> {
        let mut names: Vec<String> =
            self.declined.keys().chain(self.logged.keys()).cloned().collect();
        names.sort_unstable();
        names.dedup();
        names
    }
}
