//! The seam to whatever starts processes: git is never started by any other way.

use std::{path::PathBuf, pin::Pin, time::Duration};

use windlass_core::process::ProcessSpec;
use windlass_system::process::{Guardian, Output, StartError, run_locally};

use super::pipes::pipe_among;

/// A process that is under way.
pub type Running<'a> = Pin<Box<dyn Future<Output = Result<Output, StartError>> + Send + 'a>>;

/// Starts a process and waits for its end.
pub trait Runner: Send + Sync {
    /// Runs `spec` for at most `limit`, keeping at most `max_bytes` of each stream.
    fn run(&self, spec: ProcessSpec, limit: Duration, max_bytes: usize) -> Running<'_>;
}

/// Starts processes from inside a confined helper: they have its rights, and end with it. A process
/// that an object of the repository holds up is ended soon.
#[derive(Clone, Debug, Default)]
pub struct Local {
    /// Where the repository keeps its objects.
    pub objects: Option<PathBuf>,
}

impl Runner for Local {
    fn run(&self, spec: ProcessSpec, limit: Duration, max_bytes: usize) -> Running<'_> {
        let held_up = || self.objects.as_deref().and_then(pipe_among);
        Box::pin(async move { run_locally(&spec, limit, max_bytes, &held_up) })
    }
}

impl Runner for Guardian {
    fn run(&self, spec: ProcessSpec, limit: Duration, max_bytes: usize) -> Running<'_> {
        Box::pin(self.output(spec, limit, max_bytes))
    }
}
