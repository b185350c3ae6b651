//! The system against processes that misbehave: one binary, a file a topic.

#![expect(clippy::unwrap_used, clippy::disallowed_methods, reason = "a test may")]

mod hopeless;
mod ownership;
mod process;
mod process_speed;
mod worker;
