//! Programs that an embedder runs itself, and what this machine can do.

pub use crate::engine::{read_named, replace_named};
pub use windlass_repo::git::{Runner, Running};
pub use windlass_system::{
    below::{self, TextError},
    process::{
        Around, Detached, DetachedSpec, Guardian, GuardianProgram, Output, OwnCommand, Programs,
        StartError, adopt_orphans, become_unreadable, guarded_loops, loops_around, start_detached,
    },
    sandbox::{Machine, SandboxError, look_for_engine},
    surroundings::{POWER_SUPPLY, SleepInhibitor, is_on_battery, kills_at_logout},
};
