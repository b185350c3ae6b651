//! What is said of commands in the background: how to deal with them, and which of them were lost.

use crate::text::commands;

/// What every agent is told that works.
pub(super) const WAIT_OR_STOP: &str = "Wait for background commands, or stop them, before you finish: what still runs then is killed.";

/// What the session before lost. Gives nothing where it lost nothing.
pub fn lost(lost_background: &[String]) -> Option<String> {
    if lost_background.is_empty() {
        return None;
    }
    let commands = commands::listed(lost_background);
    Some(format!(
        "The session before this one ended while this was running in the background, and it was \
         killed: {commands}. See what is missing because of that, and run again what is needed; wait \
         for it, or stop it, before you finish."
    ))
}
