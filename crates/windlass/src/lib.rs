//! The engine of windlass: runs a coding agent in a loop until the work is proven done.

#![forbid(unsafe_code)]

pub mod engine;
pub mod kind;
pub mod run;
pub mod proof;
pub mod context;
pub mod backoff;
pub mod halt;
pub mod step;
pub mod perform;
pub mod event;
pub mod journal;
pub mod stop;
pub mod rules;
pub mod report;
pub mod view;
pub mod result;
pub mod ending;
pub mod outcome;
pub mod claim;
pub mod protect;
pub mod said;
pub mod sanitise;
pub mod agent;
pub mod process;
pub mod tree;
pub mod git;
pub mod store;
pub mod ownership;
pub mod home;
pub mod options;
pub mod ids;
pub mod time;

pub use engine::{
    CancelError, Cancelled, Garbage, Loop, LoopError, ResumeOptions, cancel, collect_garbage, diff,
    remove, rollback, take_down,
};
pub use kind::iterate;
pub use process::{GuardianProgram, init};
