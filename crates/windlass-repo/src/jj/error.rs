//! Why a call of Jujutsu came to nothing.

use serde::{Deserialize, Serialize};
use windlass_system::process::StartError;

/// Why a call of Jujutsu came to nothing.
#[derive(Debug, thiserror::Error, Serialize, Deserialize)]
pub enum JjError {
    /// There is no `jj` on the path.
    #[error("`jj` is not installed, or not on the PATH")]
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
    /// It named no commit.
    #[error("`jj log` did not say at which commit the work tree is")]
    NoCommit,
}

fn shown(code: Option<i32>, said: &str) -> String {
    match (said.is_empty(), code) {
        (false, _) => said.to_owned(),
        (true, Some(code)) => format!("exit code {code}"),
        (true, None) => "a signal ended it".to_owned(),
    }
}
