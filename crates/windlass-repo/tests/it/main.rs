//! The work tree against real repositories: one binary, a file a topic.

#![expect(
    clippy::unwrap_used,
    clippy::print_stderr,
    clippy::disallowed_methods,
    reason = "a test may, and says when it passes something by"
)]

mod jj;
mod tree;
