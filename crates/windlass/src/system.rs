//! Programs that an embedder runs itself, and what this machine can do.

pub use windlass_repo::git::{Runner, Running};
pub use windlass_system::{
    process::{
        Detached, DetachedSpec, Guardian, GuardianProgram, Output, OwnCommand, Programs,
        StartError, start_detached,
    },
    sandbox::{Machine, SandboxError, look_for_engine},
};
