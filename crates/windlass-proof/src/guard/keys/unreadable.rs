//! Why the keys of a file cannot be told apart from the rest of it.

/// A shared file that cannot be taken apart: it counts as guarded as a whole.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct Unreadable {
    reason: String,
}

impl Unreadable {
    pub(super) fn new(reason: impl Into<String>) -> Self {
        Self { reason: reason.into() }
    }
}
