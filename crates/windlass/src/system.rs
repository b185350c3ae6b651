//! What a program around the library does with the system goes through here: the programs that it
//! runs itself, and what it finds out about the machine.

pub use windlass_repo::git::{Runner, Running};
pub use windlass_system::{
    process::{
        Detached, DetachedSpec, Guardian, GuardianProgram, Output, StartError, start_detached,
    },
    sandbox::{Machine, SandboxError, look_for_engine},
};
