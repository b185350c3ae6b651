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
pub mod lines;
pub mod marked;
pub mod parts;
pub mod programs;

mod adopted;
mod agent_places;
mod ahead;
mod aside;
mod chunk;
mod clocks;
mod guard;
mod guardians;
mod held;
mod host_environment;
mod link;
mod linux;
mod local;
mod own_command;
mod page;
mod pages;
mod protocol;
mod reports;
mod resolve;
mod round;
mod service;
mod shortage;
mod streams;
mod supervise;
mod unreadable;
mod wire;

pub use self::{adopted::adopt_orphans, aside::aside};
pub use self::{
    capture::Capture,
    chunk::Chunk,
    detached::{Detached, DetachedSpec, start_detached},
    guardian::{Guardian, GuardianProgram, Output},
    guardians::{Around, end_guardians, guarded_loops, loops_around, wake_guardians},
    lines::{Block, Lines},
    local::run_locally,
    marked::end_marked,
    own_command::OwnCommand,
    parts::{PARTS, Part, play_if_asked},
    programs::Programs,
    resolve::find_program,
    shortage::Shortage,
    unreadable::become_unreadable,
};
pub(crate) use self::{
    held::{Held, become_program, hold},
    service::Service,
};

use std::{borrow::Cow, path::PathBuf, time::Duration};

use serde::{Deserialize, Serialize};

use windlass_core::process::Survivor;

/// Whether what is started here runs as root.
pub fn is_root() -> bool {
    rustix::process::geteuid().is_root()
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
    /// One that stands for a program elsewhere, and passes signals on to it.
    Envoy,
}

/// What a holder or an envoy adds to the number of the signal that ended the program, as shells do.
const BY_SIGNAL: i32 = 128;

impl Leader {
    /// The exit code and the signal of the program, by those of the leader.
    fn told(self, code: Option<i32>, signal: Option<i32>) -> (Option<i32>, Option<i32>) {
        match (self, code) {
            (Self::Holder | Self::Envoy, Some(code))
                if (BY_SIGNAL + 1..=BY_SIGNAL + 64).contains(&code) =>
            {
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

/// Why a process could not be started. Nothing ran.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
pub enum StartError {
    /// There is no such program.
    #[error("no program `{program}` was found")]
    NotFound {
        /// What was looked for.
        program: String,
    },
    /// The only one is where an agent can write.
    #[error(
        "`{program}` was found only in `{}`, which an agent can write, so windlass does not run it: \
         install it elsewhere",
        directory.display()
    )]
    OfAnAgent {
        /// What was looked for.
        program: String,
        /// Where it is.
        directory: PathBuf,
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
        what: Cow<'static, str>,
    },
    /// The guardian process could not be started, or died.
    #[error("the guardian process is gone: {why}")]
    Guardian {
        /// What is known of it.
        why: String,
    },
    /// The guardian process died, and not all that it had started could be ended.
    #[error("the guardian process is gone, and {}", Survivor::listed(survivors))]
    Survivors {
        /// What still runs.
        survivors: Vec<Survivor>,
    },
    /// The sandbox that it was to run in is gone.
    #[error("the sandbox is gone: {why}")]
    Sandbox {
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
