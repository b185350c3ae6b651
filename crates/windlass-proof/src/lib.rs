//! What makes a claim believable: which files an agent must leave as they are, and how to tell whether
//! it did. Pure: files are read, and checks are run, by `windlass`.
//!
//! This crate is an internal part of `windlass`: what embedders need of it is exported there.

#![forbid(unsafe_code)]

pub mod baseline;
mod check_files;
pub mod counts;
mod doubts;
mod fingerprint;
mod first_word;
mod globs;
pub mod guard;
pub mod inline;
mod shell;
mod test_names;

pub use self::{
    check_files::{CheckFiles, check_files},
    doubts::{PathPrograms, differing},
    fingerprint::{GONE, UNREADABLE, differences, unreadable},
    first_word::first_word,
    globs::{BadGlob, globs},
};
