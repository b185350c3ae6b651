//! `-q`: one line on stdout, the word of `ending.type` and, for a rule, its name.

use std::io;

use windlass::Reporter;
use windlass_core::{event::Event, result::LoopResult};

use super::{Next, Screen, ending::Standing, streams::Streams};

/// Prints how the loop ended, and nothing else on stdout.
pub(crate) struct Quiet(pub(crate) Streams);

impl Reporter for Quiet {
    fn report(&mut self, event: &Event) -> io::Result<()> {
        self.0.warn(event);
        Ok(())
    }
}

impl Screen for Quiet {
    fn end(&mut self, result: &LoopResult) -> io::Result<()> {
        self.0.line(&Standing::of_result(result).brief())
    }

    fn next(&mut self, next: &Next) {
        self.0.next(next);
    }
}
