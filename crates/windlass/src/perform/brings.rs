//! What the files of the work tree have agents run or obey, for a loop that runs: its sessions may
//! leave such files, and the head of a pull request may bring them.

use windlass_core::event::EventKind;

/// Whoever knows what the work tree brings for agents, and which of it may act.
pub(crate) trait Brings: Send + Sync {
    /// Remembers what is there after a session: it is the loop's own.
    fn after_session(&self);

    /// Looks at the head of a pull request, which may be that of another repository.
    fn at_head(&self, is_foreign: bool) -> AtHead;

    /// Remembers that what the last look was refused for may act.
    fn trust(&self) -> Result<(), String>;
}

/// What the head of a pull request brings.
pub(crate) struct AtHead {
    /// The list of it, if there is anything.
    pub(crate) found: Option<EventKind>,
    /// Why no session may begin, if none may.
    pub(crate) refused: Option<String>,
}
