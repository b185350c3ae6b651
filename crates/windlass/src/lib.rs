//! The engine of windlass: runs a coding agent in a loop until the work is proven done.

#![forbid(unsafe_code)]

pub mod agent;
pub mod backoff;
pub mod claim;
pub mod context;
pub mod ending;
pub mod engine;
pub mod event;
pub mod git;
pub mod halt;
pub mod home;
pub mod ids;
pub mod journal;
pub mod kind;
pub mod options;
pub mod outcome;
pub mod ownership;
pub mod perform;
pub mod process;
pub mod proof;
pub mod protect;
pub mod report;
pub mod result;
pub mod rules;
pub mod run;
pub mod said;
pub mod sanitise;
pub mod step;
pub mod stop;
pub mod store;
pub mod time;
pub mod tree;
pub mod view;

pub use engine::{
    CancelError, Cancelled, Garbage, Loop, LoopError, ResumeOptions, cancel, collect_garbage, diff,
    found_repository, remove, rollback, take_down,
};
pub use kind::iterate;
pub use process::{GuardianProgram, init};
