//! Findings: what reviewers want changed, how their words are read, and what becomes of each over
//! the iterations. Pure: no I/O, no clock, no events; whoever has the text hands it in.

mod aggregate;
mod finding;
pub mod format;
mod identity;
mod ledger;
mod lenient;
pub mod report;
mod severity;
mod text;

pub use aggregate::{Group, aggregate, by_file};
pub use finding::Finding;
pub use ledger::{Counts, Entry, Ledger, Mark, Noticed, Observed, Standing, Status};
pub use report::Unreadable;
pub use severity::{Severity, UnknownSeverity};
