//! Loops of this and other processes: finds, starts and follows them, and shows what they changed.

pub(crate) mod astray;
pub(crate) mod changes;
pub(crate) mod find;
pub(crate) mod follow;
pub(crate) mod launch;
