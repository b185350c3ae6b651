//! Why a loop cannot go on from where it is: what `?` carries out of a loop function.

use windlass_core::ending::Ending;
use windlass_store::journal::JournalFailed;

/// Why a loop cannot go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Halt {
    /// The knob says so; its reason says why.
    Stopped,
    /// The journal can write no more.
    Journal,
    /// The loop has come to its ending in the middle of an iteration.
    Ended(Ending),
    /// A step could not be done, and it is nobody's ordinary failure.
    Failed {
        /// What could not be done, and why.
        message: String,
        /// The exit code that belongs to it.
        code: u8,
    },
}

impl From<JournalFailed> for Halt {
    fn from(JournalFailed: JournalFailed) -> Self {
        Self::Journal
    }
}
