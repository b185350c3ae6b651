//! Loops that run in other processes: starts them, follows them, and shows what they changed.

pub(crate) mod changes;
pub(crate) mod follow;
pub(crate) mod launch;
