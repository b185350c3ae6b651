//! The library against the project's documents: one binary, a file a topic.

mod documents;
