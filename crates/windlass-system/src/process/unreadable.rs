//! Keeps what this process knows from other programs of the same user.

use rustix::process::{DumpableBehavior, set_dumpable_behavior};

/// Makes this process one that no other of the same user can read or trace: its memory, the
/// environment that it was started with, its open files. For root this holds nothing back.
///
/// It also leaves no core file. An `exec` undoes it, so every part of windlass that knows something
/// does it first thing, and what windlass starts is not affected.
pub fn become_unreadable() {
    // It fails for no value that the kernel knows.
    let _ = set_dumpable_behavior(DumpableBehavior::NotDumpable);
}
