//! The work tree and its history: the only crate that calls git and Jujutsu.
//!
//! This crate is an internal part of `windlass`: what embedders need of it is exported there.

#![forbid(unsafe_code)]

pub mod detect;
pub mod differ;
pub mod git;
pub mod jj;
pub mod path_programs;
pub mod state;
pub mod tree;
pub mod wire;
