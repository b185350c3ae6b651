//! `--trust-agent-config`, and what is said where it would help.

use std::path::Path;

use windlass::Loop;

/// Whether what the repository's own files have agents run or obey may act this time.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub(crate) struct TrustArgs {
    /// Trust the repository's settings for agents, for this call only
    ///
    /// These are hooks, MCP servers, plugins, permissions and the like, in files such as
    /// .claude/settings.json. `windlass trust` shows them and keeps the trust. In a sandbox with
    /// `--network model` or `none` they need none.
    #[arg(long, help_heading = "Agent")]
    trust_agent_config: bool,
}

impl TrustArgs {
    /// The loop with what was decided.
    pub(crate) fn apply(self, the_loop: Loop) -> Loop {
        the_loop.trust_agent_config(self.trust_agent_config)
    }
}

/// The command that shows and trusts what a loop in `directory` was refused for, to be typed by
/// somebody who stands there or, where that is not known, anywhere.
pub(crate) fn command(directory: &Path, stands: Option<&Path>) -> String {
    match stands {
        Some(stands) if stands == directory => "windlass trust".to_owned(),
        _ => format!("windlass trust {}", shell_words::quote(&directory.to_string_lossy())),
    }
}

/// What to type.
pub(crate) fn hint(directory: &Path) -> String {
    let stands = Path::new(".").canonicalize().ok();
    format!(
        "they can run commands as you: read them, then run `{}`; for this loop only, add `--trust-agent-config`",
        command(directory, stands.as_deref())
    )
}
