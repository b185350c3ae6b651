//! The only place that starts processes.
//!
//! Every program that windlass runs, be it an agent, a check or git, is a child of one small
//! *guardian* process a loop (the same binary, see [`guardian`]). The guardian is a sub-reaper, so
//! every orphan becomes its child; and when its socket to the loop closes, by `kill -9` or in
//! peace, it ends every descendant.
//!
//! Reading order: [`guardian`] is the handle that a loop holds, `supervise` watches one process
//! from this side, `protocol` and `wire` carry the words between, and `guard` is the other side.

#![expect(clippy::disallowed_methods, reason = "this is the module that starts processes")]

pub mod capture;
pub mod detached;
pub mod guardian;
pub mod init;
pub mod lines;
pub mod marked;

mod ahead;
mod aside;
mod chunk;
mod clocks;
mod guard;
mod held;
mod link;
mod linux;
mod page;
mod pages;
mod protocol;
mod reports;
mod resolve;
mod round;
mod streams;
mod supervise;
mod wire;

pub(crate) use self::aside::aside;
pub(crate) use self::held::{Held, become_program, hold};
pub(crate) use self::init::{INSIDE, SCRIPTED};
pub use self::{
    capture::Capture,
    chunk::Chunk,
    detached::{Detached, DetachedSpec, start_detached},
    guardian::{Guardian, GuardianProgram, Output},
    init::init,
    lines::{Block, Lines},
    marked::end_marked,
    resolve::find_program,
};

use std::{ffi::OsString, path::PathBuf, time::Duration};

use serde::{Deserialize, Serialize};

/// Whether what is started here runs as root.
pub fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

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

/// What the process that is started is to those that it starts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Leader {
    /// The program itself.
    #[default]
    Program,
    /// One that only holds the program, and takes it along when it dies: a TERM goes to what it
    /// holds, so that this can come to its end in peace.
    Holder,
}

/// What a holder adds to the number of the signal that ended what it held, as shells do.
const BY_SIGNAL: i32 = 128;

impl Leader {
    /// The exit code and the signal of the program, by those of the leader.
    fn told(self, code: Option<i32>, signal: Option<i32>) -> (Option<i32>, Option<i32>) {
        match (self, code) {
            (Self::Holder, Some(code)) if (BY_SIGNAL + 1..=BY_SIGNAL + 64).contains(&code) => {
                (None, Some(code - BY_SIGNAL))
            }
            _ => (code, signal),
        }
    }
}

/// How long a process may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeLimits {
    /// Altogether; zero for no limit.
    pub total: Duration,
    /// Without output; zero for no limit.
    pub idle: Duration,
    /// Between TERM and KILL.
    pub grace: Duration,
}

/// What came out of one stream.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StreamStats {
    /// All bytes that came.
    pub bytes: u64,
    /// Those of them that were not kept.
    pub dropped: u64,
}

/// Which of the two streams.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    /// Standard output.
    Stdout,
    /// Standard error.
    Stderr,
}

/// Where a process's output goes. Called from the task that supervises, never at the same time.
pub trait OutputSink: Send {
    /// A piece of output came.
    fn output(&mut self, stream: Stream, chunk: &mut Chunk);
    /// Time went by (a few times a second): give out what was held back.
    fn tick(&mut self);
    /// Whether the output so far leaves no hope that the process comes to anything. It is then
    /// ended.
    fn is_hopeless(&self) -> bool {
        false
    }
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

/// Why a process could not be started. Nothing ran.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StartError {
    /// There is no such program.
    #[error("no program `{program}` was found")]
    NotFound {
        /// What was looked for.
        program: String,
    },
    /// The file is there and cannot be executed.
    #[error("`{program}` may not be executed")]
    NotExecutable {
        /// The file.
        program: String,
    },
    /// The arguments and the environment are too long for the system.
    #[error("the arguments of `{program}` are too long for the system")]
    TooLong {
        /// The program.
        program: String,
    },
    /// The directory to run in is gone.
    #[error("the directory `{}` is not there", directory.display())]
    NoDirectory {
        /// The directory.
        directory: PathBuf,
    },
    /// A limit of the system on processes, files or memory.
    #[error("the system is out of {what}")]
    OutOf {
        /// Of what.
        what: &'static str,
    },
    /// The guardian process could not be started, or died.
    #[error("the guardian process is gone: {why}")]
    Guardian {
        /// What is known of it.
        why: String,
    },
    /// Anything else.
    #[error("`{program}` could not be started: {why}")]
    Other {
        /// The program.
        program: String,
        /// What the system said.
        why: String,
    },
}
