//! Processes, sandboxes, locks and the home directory: the only crate that starts programs.
//!
//! This crate is an internal part of `windlass`: what embedders need of it is exported there.

#![forbid(unsafe_code)]

pub mod below;
pub mod clock;
pub mod home;
pub mod ownership;
pub mod process;
pub mod sandbox;
pub mod stop;
pub mod surroundings;
pub mod worker;

mod filter;
mod leads;
