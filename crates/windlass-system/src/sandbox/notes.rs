//! What a sandbox has to tell while a loop runs, for the loop's journal.

use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// Where a sandbox tells what people should know. Clones tell to the same ear.
#[derive(Clone, Debug)]
pub(crate) struct Notes(UnboundedSender<String>);

impl Notes {
    /// A place to tell, and the ear that hears it.
    pub(super) fn new() -> (Self, UnboundedReceiver<String>) {
        let (notes, heard) = unbounded_channel();
        (Self(notes), heard)
    }

    /// Tells a sentence.
    pub(super) fn say(&self, text: String) {
        // Where the loop is over, nobody needs to know.
        drop(self.0.send(text));
    }
}
