//! A confined helper process: it does what windlass has to do in a place that an agent can write,
//! with no more rights than that work needs.
//!
//! The helper is this same program in another role. It is a child of a guardian, in its own process
//! group, and talks over the socket that is its standard input. Before it reads the first
//! request it gives up what it does not need: by Landlock every file outside of [`Rights`], by a
//! filter of system calls the network and what sandboxes are refused, by limits of the system memory,
//! the size of files and core dumps. It answers one request at a
//! time; a caller that times out or is stopped kills it, and the next request starts another.
//!
//! Reading order: [`Worker`] is this side, `serve` the other, `frame` what goes between them.

mod client;
mod frame;
mod rights;
mod serve;

pub use self::{
    client::{Worker, WorkerError, WorkerStart},
    frame::Frame,
    rights::Rights,
    serve::{Service, serve},
};
