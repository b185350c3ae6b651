//! The integration tests of the engine: one binary, a file a topic.

mod again;
mod ownership;
mod store;
mod tree;
