//! The test environment of windlass: a world of its own for each test, hostile agents, and the
//! eyes of the tidy tests. Not published.

pub mod house;
pub mod source;
