//! Who runs a loop: one process a loop, one loop a work tree.
//!
//! The locks are files, held by the process that runs the loop *and* by its guardian, so that they
//! are free only when the last descendant is gone. Who holds one is told by the record in the
//! store; a process is known by its number, its start time and the boot, so that a number that was
//! given out again is not taken for the old one.

use serde::{Deserialize, Serialize};

/// One process, told apart from a later one with the same number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Owner {
    /// Its number.
    pub pid: i32,
    /// When it started, in clock ticks since boot.
    pub started: u64,
    /// The boot.
    pub boot: String,
}
