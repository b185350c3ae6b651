//! The agents as their real programs were recorded: one binary, a file a topic.

#![expect(
    clippy::unwrap_used,
    clippy::print_stderr,
    clippy::disallowed_methods,
    reason = "a test may, and says when it passes something by"
)]

mod agents_more;
mod calling;
mod claims;
mod gemini_lines;
mod transcripts;
mod transcripts_more;
