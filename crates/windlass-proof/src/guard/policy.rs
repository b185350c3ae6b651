//! What the user wants of guarded files.

/// The policy for tests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Policy {
    /// They may be changed, but the originals must pass too.
    #[default]
    Guard,
    /// Any difference of one that existed rejects.
    Lock,
    /// Nothing is guarded.
    Free,
}
