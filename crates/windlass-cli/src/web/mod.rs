//! `windlass serve`: the web dashboard and its API, one process beside the loops.
//!
//! Reading order: `server` accepts connections, `site` answers requests: `guard` first, then
//! `routes`, which has `api` (JSON) and `page` (HTML). `follow` carries the events of running loops
//! to whoever listens. Nothing here runs a loop: those that are started from the web are processes
//! of their own.
//!
//! Whatever reads or waits runs off the server's one thread (`State::read`, `State::act`). A new
//! address is a line in `api/mod.rs` with its `#[utoipa::path]`; a test asks for the description, and
//! for real answers that fit it. `page` has a file a fragment, each a pure function from values to
//! HTML; `assets` are the style sheet and a few ES modules, of which `server.js` alone knows the token.

pub(crate) mod api;
mod assets;
mod connections;
pub(crate) mod follow;
mod guard;
mod headers;
pub(crate) mod page;
mod patience;
mod problem;
mod routes;
mod server;
mod site;
mod state;

pub(crate) use self::{
    guard::{Hosts, Token},
    problem::{Problem, Untrusted},
    server::{Serving, serve},
    state::State,
};
