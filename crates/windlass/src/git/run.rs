//! The seam to whatever starts processes: git is never started by any other way.

use std::{pin::Pin, time::Duration};

use crate::process::{ProcessSpec, StartError};

/// What a process gave back.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Output {
    /// Its exit code; `None` when a signal ended it.
    pub code: Option<i32>,
    /// The signal that ended it.
    pub signal: Option<i32>,
    /// Whether it was ended because it took too long.
    pub timed_out: bool,
    /// Its standard output.
    pub stdout: Vec<u8>,
    /// Its standard error.
    pub stderr: Vec<u8>,
}

/// A process that is under way.
pub type Running<'a> = Pin<Box<dyn Future<Output = Result<Output, StartError>> + Send + 'a>>;

/// Starts a process and waits for its end.
pub trait Runner: Send + Sync {
    /// Runs `spec` for at most `limit`, keeping at most `max_bytes` of each stream.
    fn run(&self, spec: ProcessSpec, limit: Duration, max_bytes: usize) -> Running<'_>;
}
