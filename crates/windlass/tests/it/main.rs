//! The integration tests of the engine: one binary, a file a topic.

#![expect(clippy::unwrap_used, clippy::disallowed_methods, reason = "a test may")]

mod again;
mod ownership;
mod store;
mod tree;
