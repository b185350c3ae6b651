//! What models write, read from corpora: one binary, a file a topic.

#![expect(clippy::unwrap_used, reason = "a test may")]

mod findings;
mod verdict;
