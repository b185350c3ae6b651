//! The rules of the house, as functions from sources to complaints: an empty list is a tidy house.
//! `tests/tidy` has the tables and applies them to the workspace. Each rule is shown to complain by
//! a planted violation beside it.

pub mod cargo;
pub mod documents;
pub mod files;
pub mod lints;
pub mod modules;
pub mod names;
pub mod package;
pub mod snapshots;
pub mod test_names;
pub mod walls;

/// Fails with one complaint a line, if there is any.
#[track_caller]
pub fn assert_tidy(complaints: &[String]) {
    assert!(complaints.is_empty(), "\n  {}\n", complaints.join("\n  "));
}
