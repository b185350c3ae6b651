//! Processes as values: what to run, and how it ended. Nothing is started here.

use std::{ffi::OsString, path::PathBuf, time::Duration};

use serde::{Deserialize, Serialize};

/// What to run, all decided. The environment is whole: nothing is inherited.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProcessSpec {
    /// The program, looked up in the `PATH` of `env` unless it has a slash.
    pub program: OsString,
    /// Its arguments.
    pub args: Vec<OsString>,
    /// Its environment, whole.
    pub env: Vec<(OsString, OsString)>,
    /// Where it runs.
    pub directory: PathBuf,
    /// What it reads; its standard input is closed after that.
    pub stdin: Vec<u8>,
}

/// How a process ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exit {
    /// Its exit code; `None` when a signal ended it.
    pub code: Option<i32>,
    /// The signal that ended it.
    pub signal: Option<i32>,
    /// What windlass did to end it, if anything.
    pub ended_by: Option<EndedBy>,
    /// Names of descendants that outlived it and were ended.
    pub leftovers: Vec<String>,
    /// How many descendants could not be ended.
    pub survivors: u32,
    /// Whether a leftover held its output open.
    pub leaky: bool,
    /// How long it ran.
    pub duration: Duration,
}

/// Why windlass ended a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndedBy {
    /// No output for too long.
    IdleLimit,
    /// Too long altogether.
    TotalLimit,
    /// The loop was told to stop.
    Stop,
    /// Its output left no hope that it comes to anything.
    Hopeless,
}

/// What came out of one stream.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StreamStats {
    /// All bytes that came.
    pub bytes: u64,
    /// Those of them that were not kept.
    pub dropped: u64,
}
