//! The answer of a loop that was not started or resumed.

use serde::Serialize;
use utoipa::ToSchema;

use super::Problem;

/// Why a loop was not started or resumed.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "it describes answers, and is never one")]
pub(crate) enum Conflict {
    /// What the repository's own files have agents run or obey needs trust.
    Untrusted(Untrusted),
    /// Another reason.
    Problem(Problem),
}

/// What the repository's own files have agents run or obey, and nobody has trusted.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Untrusted {
    /// Always `untrusted`.
    error: String,
    entries: Vec<UntrustedEntry>,
    /// What to type to look at them and to trust them.
    command: String,
}

/// One thing that a file has an agent run or obey.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct UntrustedEntry {
    agent: String,
    /// From the root of the work tree.
    file: String,
    /// `hook`, `mcp_server`, `command`, `plugin`, `check`, `address`, `variable`, `permission`,
    /// `marketplace` or `unreadable`.
    kind: String,
    /// The command or address, or else the name. Never the value of a variable.
    command: String,
}
