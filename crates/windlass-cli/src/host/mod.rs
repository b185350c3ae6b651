//! The program's side of the machine: environment, streams, signals, programs, exit codes.

pub(crate) mod app;
pub(crate) mod environment;
pub(crate) mod failure;
pub(crate) mod inside;
pub(crate) mod panics;
pub(crate) mod printer;
pub(crate) mod program;
pub(crate) mod sign_in;
pub(crate) mod signals;
