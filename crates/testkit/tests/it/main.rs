//! The test kit tested, for a kit that cannot fail proves nothing. One module a topic.

#![expect(clippy::unwrap_used, reason = "a test may")]

mod masks;
mod terminal;
mod world;
mod zoo;
