//! Why there is no sandbox. Nothing was started then.

use std::{io, path::PathBuf};

use windlass_core::options::{NetworkMode, SandboxName};

/// Why there is no sandbox.
#[derive(Debug, thiserror::Error)]
pub enum SandboxError {
    /// This machine cannot.
    #[error("the sandbox `{name}` cannot be had here: {why}")]
    Unavailable {
        /// What was asked for.
        name: SandboxName,
        /// What is missing.
        why: String,
        /// What to do about it.
        hint: String,
    },
    /// Less than the whole network, without anything that could hold it back.
    #[error("`--network {mode}` needs a sandbox that holds the network back: {why}")]
    Network {
        /// What was asked for.
        mode: NetworkMode,
        /// What is missing.
        why: &'static str,
    },
    /// A container needs an image.
    #[error("`--sandbox {name}` needs an image to make the container of")]
    NoImage {
        /// What was asked for.
        name: SandboxName,
    },
    /// Not a host.
    #[error("`{host}` is no host such as `api.example.com` or `127.0.0.1:8080`")]
    BadHost {
        /// What was given.
        host: String,
    },
    /// A path that a sandbox cannot be given.
    #[error("`{}` cannot be given to a sandbox: {why}", path.display())]
    BadPath {
        /// The path.
        path: PathBuf,
        /// Why not.
        why: &'static str,
    },
    /// A path by which an agent would act outside.
    #[error(
        "`{}` cannot be given to a sandbox: `{}` is there, by which an agent would act outside of it",
        path.display(), acts.display()
    )]
    Exposed {
        /// The path.
        path: PathBuf,
        /// What acts outside.
        acts: PathBuf,
    },
    /// A file of the sandbox's own failed.
    #[error("could not {what} for the sandbox")]
    Io {
        /// What was tried.
        what: &'static str,
        /// What the system says.
        #[source]
        source: io::Error,
    },
}

impl SandboxError {
    /// The exit code of a process that could not run a loop for this reason.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Unavailable { .. } | Self::Io { .. } => 4,
            Self::Network { .. }
            | Self::NoImage { .. }
            | Self::BadHost { .. }
            | Self::BadPath { .. }
            | Self::Exposed { .. } => 2,
        }
    }
}
