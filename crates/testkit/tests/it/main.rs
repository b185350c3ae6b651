//! Tests that need a whole program to act on: one module a topic.

mod process;
mod process_speed;
