//! The git directory that an agent has in its sandbox, in the place of the user's.
//!
//! It has refs, an index, objects and a config of its own, and borrows the user's objects, which it
//! can only read. Whatever an agent plants there (hooks, settings that run something, links) stays
//! there. What it commits comes back as data: its refs are read as files (`refs`), their objects are
//! fetched and checked into refs of the loop, and the user's branch moves only forward (`back`).
//!
//! Each submodule has one too, inside of it, by the same means: `parts` has them all, `submodule` finds
//! them, and a `counterpart` is one of them. `place` says where everything is, `make` makes a new one
//! of the user's, `config` its settings, `enter` has the right ones in place before something runs, and
//! `state` remembers what was brought over.

mod back;
mod config;
mod counterpart;
mod enter;
mod make;
mod parts;
mod place;
mod refs;
mod release;
mod state;
mod submodule;

pub use back::Brought;
pub use enter::Who;
pub use place::PrivatePlace;
pub use submodule::Submodule;
