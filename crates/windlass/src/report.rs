//! The seam to every screen: whoever wants to see a loop implements this.

use std::io;

use crate::event::Event;

/// Shows a loop while it runs, from its events and nothing else.
///
/// The journal calls it after an event was stored. One that fails is dropped and the loop goes
/// on; one that is slow slows the loop.
pub trait Reporter: Send {
    /// One more event happened.
    fn report(&mut self, event: &Event) -> io::Result<()>;
}
