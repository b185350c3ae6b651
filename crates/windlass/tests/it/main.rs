//! The integration tests of the engine: one binary, a file a topic.

#![expect(clippy::unwrap_used, clippy::print_stderr, reason = "a test may fail and say so")]

mod again;
mod ownership;
mod store;
