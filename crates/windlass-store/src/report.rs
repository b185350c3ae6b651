//! Reporters: whoever shows events while a loop runs.

use std::io;

use windlass_core::event::Event;

/// Shows events. It is called after they are stored, in order, one at a time and on any thread; one
/// that fails is dropped, and the work goes on.
pub trait Reporter: Send {
    /// Shows one event.
    fn report(&mut self, event: &Event) -> io::Result<()>;
}
