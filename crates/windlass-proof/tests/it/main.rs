//! What makes a claim believable, on what real programs print: one binary, a file a topic.

#![expect(clippy::unwrap_used, reason = "a test may")]

mod counts;
mod hostile_output;
mod page;
