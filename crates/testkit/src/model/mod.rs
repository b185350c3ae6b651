//! A model on loopback that plays a script: real agent programs talk to it as to their provider.
//! It speaks four protocols, streamed and whole, and calls the tools that each program offers. It
//! never looks beyond loopback, and knows no key.
//!
//! ```no_run
//! use testkit::model::{Model, Script};
//!
//! let script = Script::parse("write notes.txt begun\nnext\nsay One line is written.").unwrap();
//! let model = Model::start(script, "/path/to/work").unwrap();
//! println!("{} answered {} requests", model.url(), model.turns());
//! ```

mod anthropic;
mod chat;
mod connection;
mod gemini;
pub(crate) mod http;
mod record;
mod reply;
mod responses;
mod script;
mod server;
mod tools;
mod wire;

pub use record::Record;
pub use script::{KNOWN, Script, ScriptError};
pub use server::Model;
pub use wire::Wire;

#[cfg(test)]
mod tests;
