//! Values, and the pure code that reads and writes them: no I/O, no clock, no async.
//!
//! This crate is an internal part of `windlass`: what embedders need of it is exported there.
//!
//! In reading order: what a loop records (`event`, `step`, `view`), what its results are called
//! (`outcome`, `ending`, `evidence`, `test_counts`, `proof_record`, `result`), how the words of agents are read (`claim`, `status`,
//! `verdict`, `findings`, `task_file`), what agents are asked (`prompts`, `context`), and when to
//! give up (`rules`, `progress`, `replay`).

#![forbid(unsafe_code)]

pub mod event;
pub mod step;
pub mod view;

pub mod ending;
pub mod evidence;
pub mod outcome;
pub mod proof_record;
pub mod result;
pub mod test_counts;

pub mod claim;
pub mod findings;
pub mod said;
pub mod status;
pub mod task_file;
pub mod verdict;

pub mod context;
pub mod prompts;
pub mod role;

pub mod progress;
pub mod replay;
pub mod rules;

pub mod forge;
pub mod posting;

pub mod agent_files;
pub mod ask;
pub mod ids;
pub mod options;
pub mod process;
pub mod secrets;
pub mod stop;
pub mod text;
pub mod time;
pub mod tree;
