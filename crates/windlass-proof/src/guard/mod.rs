//! Tests are guarded: which files decide whether a check passes, and how they are put back.

mod calls;
pub mod keys;
