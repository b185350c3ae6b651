//! The agents as their real programs were recorded: one binary, a file a topic.

#![expect(clippy::unwrap_used, reason = "a test may")]

mod agents_more;
mod calling;
mod claims;
mod gemini_lines;
mod transcripts;
mod transcripts_more;
