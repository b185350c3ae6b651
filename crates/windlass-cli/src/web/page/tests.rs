//! Whole fragments, and what holds for all of them.
