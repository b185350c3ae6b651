//! The integration tests of the engine, one file a topic.

mod tree;
