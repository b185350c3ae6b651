//! Options that several loop kinds share. They serve argv, config files and the loop itself; the
//! doc comments are the help texts. `Default` is what `default.toml` of the program documents, and
//! a test holds the two together.

mod auditors;
mod branched;
mod bytes;
mod claiming;
mod context;
mod cpus;
mod git;
mod hooks;
mod limits;
mod money;
mod pace;
mod percent;
mod proof;
mod rules;
mod sandbox;
mod span;

pub use auditors::{AuditorOptions, AuditorTable};
pub use branched::Branched;
pub use bytes::Bytes;
pub use claiming::{Claiming, DoneWhen, PromiseMatch, Protocol};
pub use context::ContextWhen;
pub use cpus::Cpus;
pub use git::GitOptions;
pub use hooks::{HookFailure, Hooks, Moment};
pub use limits::{LimitOptions, OnLimit, OnOverage};
pub use money::Money;
pub use pace::Pace;
pub use percent::Percent;
pub use proof::{CheckCommand, FoundCheck, KnownFailures, Proof, TestPolicy};
pub use rules::Rules;
pub use sandbox::{NetworkMode, SandboxName, SandboxOptions};
pub use span::Span;
