//! The test environment of windlass: a world of its own for each test, hostile agents, and the
//! eyes of the tidy tests. Not published.
//!
//! ```no_run
//! let env = testkit::Env::new("/path/to/windlass");
//! let script = env.script("say <promise>COMPLETE</promise>");
//! let ran = env.windlass(["iterate", "-p", "mend it", "--agent", "scripted"]).success();
//! assert!(ran.stderr.contains("done"));
//! # drop(script);
//! ```

#![expect(
    clippy::disallowed_methods,
    reason = "tests start windlass, read its store and know where they run"
)]

pub mod again;
mod background;
pub mod engine;
mod env;
pub mod github;
pub mod house;
mod invocation;
mod masks;
pub mod model;
pub mod processes;
mod ran;
pub mod source;
mod sql;
mod terminal;
mod tools;
mod waiting;
pub mod web;

pub use background::Background;
pub use env::Env;
pub use invocation::Invocation;
pub use masks::Masks;
pub use ran::Ran;
pub use rustix::process::Signal;
pub use terminal::Terminal;
pub use tools::{has, pass_by, zoo};
pub use waiting::wait_until;
