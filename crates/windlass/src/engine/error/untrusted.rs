//! How a loop is refused whose repository has settings for agents that nobody trusts.

use windlass_core::event::ConfigEntry;

use super::LoopError;

/// How many entries an error lists.
const MOST: usize = 50;

impl LoopError {
    /// How [`LoopError::Untrusted`] begins, to recognise it in the output of another process.
    pub const UNTRUSTED: &str = "this repository has untrusted settings for agents";
}

/// The refusal, with a line for each entry.
pub(super) fn listed(entries: &[ConfigEntry]) -> String {
    let lines = entries.iter().take(MOST).map(|entry| format!("\n  {}", entry.line()));
    let more = match entries.len().saturating_sub(MOST) {
        0 => String::new(),
        more => format!("\n  and {more} more"),
    };
    format!("{}:{}{more}", LoopError::UNTRUSTED, lines.collect::<String>())
}
