//! The work tree against real repositories: one binary, a file a topic.

#![expect(clippy::disallowed_methods, reason = "a test may")]

mod jj;
mod originals;
mod state;
mod tree;
