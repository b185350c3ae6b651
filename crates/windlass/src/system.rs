//! Programs that an embedder runs itself, and what this machine can do.

pub use crate::engine::read_named;
pub use windlass_repo::git::{Runner, Running};
pub use windlass_system::{
    below::{self, TextError},
    process::{
        Detached, DetachedSpec, Guardian, GuardianProgram, Output, StartError, start_detached,
    },
    sandbox::{Machine, SandboxError, look_for_engine},
};
