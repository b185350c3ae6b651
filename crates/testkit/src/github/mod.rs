//! A GitHub on loopback: keeps pull requests in memory, answers as the real one does, misbehaves
//! when told, and holds every request against GitHub's own description of its API. It never looks
//! beyond loopback.
//!
//! ```no_run
//! use testkit::github::{Fault, GitHub};
//!
//! let github = GitHub::start();
//! github.world(|world| world.pull(7).add_file("src/a.rs", "@@ -0,0 +1 @@\n+x"));
//! github.fault("POST", "/reviews", Fault::LoseTheAnswer);
//! println!("GITHUB_API_URL={}", github.url());
//! ```

mod contract;
mod fault;
mod request;
mod routes;
mod server;
mod world;

pub use contract::{Against, complaints};
pub use fault::Fault;
pub use request::Request;
pub use server::GitHub;
pub use world::{PullRequest, World};

#[cfg(test)]
mod tests;
