//! Options that several loop kinds share. They serve argv, config files and the loop itself; the
//! doc comments are the help texts. `Default` is what `default.toml` of the program documents, and
//! a test holds the two together.

mod git;
mod pace;
mod proof;
mod rules;
mod span;

pub use git::GitOptions;
pub use pace::Pace;
pub use proof::{PromiseMatch, Proof};
pub use rules::Rules;
pub use span::Span;
