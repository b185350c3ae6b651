//! The integration tests of the engine: one binary, a file a topic.

#![expect(
    clippy::unwrap_used,
    clippy::print_stderr,
    clippy::disallowed_methods,
    reason = "a test may, and says when it passes something by"
)]

mod again;
mod agents_more;
mod calling;
mod claims;
mod documents;
mod findings;
mod gemini_lines;
mod jj;
mod ownership;
mod store;
mod torn;
mod transcripts;
mod transcripts_more;
mod tree;
mod verdict;
