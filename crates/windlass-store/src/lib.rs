//! Every fact, stored before it is shown: the only crate that speaks SQL.
//!
//! This crate is an internal part of `windlass`: what embedders need of it is exported there.

#![forbid(unsafe_code)]

pub mod journal;
pub mod report;
pub mod store;
