//! The test kit tested: a kit that cannot fail proves nothing.

#![expect(clippy::unwrap_used, reason = "a test may")]

mod masks;
mod terminal;
mod world;
mod zoo;
