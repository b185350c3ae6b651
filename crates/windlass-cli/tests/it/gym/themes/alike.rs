//! What an honest and a hopeless agent have in common that nobody can tell apart who sees what windlass
//! sees. Rules decide for the honest one while the allowed iterations last.

/// Steps of one number, and a check that is silent.
pub(super) const TUNES: &str = "another value of one number each time, and the check says the same";
/// Source in places of its own, and a check that is silent.
pub(super) const ADDS: &str = "a new function each time and a claim, and the check says the same";
/// Files that are in no snapshot.
pub(super) const IGNORED: &str = "files that git ignores, and the check says the same";
/// A figure that moves one way while no file does.
pub(super) const COUNTS: &str = "no file changes, and a figure of the check falls";
