//! Tests of guarded files.
