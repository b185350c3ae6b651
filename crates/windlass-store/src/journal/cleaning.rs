//! Takes secrets out of facts.

use windlass_core::{event::EventKind, said::Said, secrets::Secrets};

/// The same fact without secrets. It goes through here whatever it is: before it is stored, and so
/// before anybody sees it.
pub(super) fn without_secrets(secrets: &Secrets, mut kind: EventKind) -> EventKind {
    match &mut kind {
        // These are many, and often long.
        EventKind::AgentSaid { said, .. } => {
            clean_words(secrets, said);
            kind
        }
        EventKind::Ticked { last_line, .. } => {
            secrets.clean(last_line);
            kind
        }
        _ => secrets.cleaned(&kind).unwrap_or(kind),
    }
}

fn clean_words(secrets: &Secrets, said: &mut Said) {
    match said {
        Said::Text { text }
        | Said::Problem { text }
        | Said::Raw { text }
        | Said::Stderr { text } => {
            secrets.clean(text);
        }
        Said::ToolUse { name, summary } => {
            secrets.clean(name);
            secrets.clean(summary);
        }
        Said::ToolResult { summary, .. } | Said::Hook { summary, .. } => secrets.clean(summary),
        Said::Usage(_) | Said::Limit { .. } => (),
    }
}
