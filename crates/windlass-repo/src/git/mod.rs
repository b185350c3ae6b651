//! The one place that calls git: argv only, with a time limit, and nothing of an agent-writable
//! config acts.
//!
//! The environment of each call is built from nothing. Where a call must not see the repository's
//! config at all it is given a git directory of windlass's own; the few calls that need the
//! repository's own directory go through [`Call::in_repository`], which overrides every setting
//! that could start a program.

mod call;
mod found;
mod pipes;
mod run;

pub use call::Call;
pub use found::found;
pub use run::{Local, Runner, Running};

use std::{ffi::OsStr, path::PathBuf, sync::Arc, time::Duration};

use serde::{Deserialize, Serialize};
use windlass_system::process::{Output, Programs, StartError};

/// How long one call may take unless told otherwise.
const LIMIT: Duration = Duration::from_secs(60);

/// Calls git.
#[derive(Clone)]
pub struct Git {
    runner: Arc<dyn Runner>,
    program: PathBuf,
    limit: Duration,
}

/// Where git is, among the programs that no agent could have written; `None` where there is none.
pub fn program(programs: &Programs) -> Result<Option<PathBuf>, GitError> {
    match programs.find(OsStr::new("git")) {
        Ok(program) => Ok(Some(program)),
        Err(StartError::NotFound { .. }) => Ok(None),
        Err(source) => Err(GitError::Start { command: "git".to_owned(), source }),
    }
}

impl Git {
    /// The git that stands at `program`, by its whole path, started by `runner`.
    pub fn new(runner: Arc<dyn Runner>, program: impl Into<PathBuf>) -> Self {
        Self { runner, program: program.into(), limit: LIMIT }
    }

    /// The same git with another time limit a call.
    #[must_use]
    pub fn with_limit(self, limit: Duration) -> Self {
        Self { limit, ..self }
    }

    /// Runs one call to its end; an exit code that the call does not accept is an error.
    pub(crate) async fn run(&self, call: Call) -> Result<Output, GitError> {
        let command = call.shown();
        let (accepted, max_bytes) = (call.accepted(), call.max_bytes());
        let spec = call.into_spec(&self.program);
        let output = match self.runner.run(spec, self.limit, max_bytes).await {
            Ok(output) => output,
            Err(StartError::NotFound { .. }) => return Err(GitError::NotInstalled),
            Err(source) => return Err(GitError::Start { command, source }),
        };
        if let Some(path) = output.held_up_by {
            return Err(GitError::HeldUp { command, path });
        }
        if output.timed_out {
            return Err(GitError::TimedOut { command, seconds: self.limit.as_secs_f64() });
        }
        match output.code {
            // What was cut off must never pass for the whole.
            Some(_) if output.stdout.len() >= max_bytes => {
                Err(GitError::TooMuch { command, max_bytes })
            }
            Some(code) if accepted.contains(&code) => Ok(output),
            code => {
                let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
                Err(GitError::Failed { command, code, said })
            }
        }
    }
}

/// Why a call of git came to nothing.
#[derive(Debug, thiserror::Error, Serialize, Deserialize)]
pub enum GitError {
    /// There is no git on the path.
    #[error("git is not installed, or not on the PATH")]
    NotInstalled,
    /// It could not be started.
    #[error("`{command}` could not be started")]
    Start {
        /// The command.
        command: String,
        /// Why.
        source: StartError,
    },
    /// It took too long and was ended.
    #[error("`{command}` did not answer within {seconds} s and was ended")]
    TimedOut {
        /// The command.
        command: String,
        /// The limit.
        seconds: f64,
    },
    /// It waited at a pipe and was ended.
    #[error(
        "`{command}` waits at `{}`, which is a pipe; remove it, or put back what was there",
        path.display()
    )]
    HeldUp {
        /// The command.
        command: String,
        /// The pipe.
        #[serde(with = "crate::wire::path")]
        path: PathBuf,
    },
    /// It said no.
    #[error("`{command}` failed: {}", shown(*code, said))]
    Failed {
        /// The command.
        command: String,
        /// Its exit code; `None` when a signal ended it.
        code: Option<i32>,
        /// What it said on its standard error.
        said: String,
    },
    /// It said more than can be held.
    #[error("`{command}` gave more than {max_bytes} bytes")]
    TooMuch {
        /// The command.
        command: String,
        /// The limit.
        max_bytes: usize,
    },
}

fn shown(code: Option<i32>, said: &str) -> String {
    match (said.is_empty(), code) {
        (false, _) => said.to_owned(),
        (true, Some(code)) => format!("exit code {code}"),
        (true, None) => "a signal ended it".to_owned(),
    }
}
