//! Findings: what reviewers want changed, how their words are read, and what becomes of each over
//! the iterations. Pure: no I/O, no clock, no events; whoever has the text hands it in.
//!
//! `report` reads a message: blocks, what in them may be the list, one entry, and what makes an empty
//! list doubtful; `lenient` is JSON as models write it. The corpus in `tests/it/findings/corpus` shows
//! what counts, and a new way to misread belongs there first. `identity` is what a finding is known
//! again by: file and text without positions, case and white space. `ledger` is a fold over what was
//! observed: findings of one report are never merged, and each matches at most one known one.
//! `format` has a file a form; what a reviewer said is data in each of them.

mod aggregate;
mod finding;
pub mod format;
mod identity;
mod ledger;
mod lenient;
pub mod report;
mod severity;
mod skips;
mod text;

pub use aggregate::{Group, aggregate, by_file};
pub use finding::Finding;
pub use ledger::{Counts, Entry, Ledger, Mark, Noticed, Observed, Standing, Status};
pub use report::Unreadable;
pub use severity::{Severity, UnknownSeverity};
pub use skips::{Skip, skip_reasons, skips};
