//! The test kit tested, for a kit that cannot fail proves nothing; and what needs its programs to
//! act on. One module a topic.

#![expect(clippy::unwrap_used, clippy::disallowed_methods, reason = "a test may")]

mod hopeless;
mod masks;
mod process;
mod process_speed;
mod terminal;
mod world;
mod zoo;
