//! `--json`: exactly one result object on stdout.

use std::io;

use serde::Serialize;
use windlass::Reporter;
use windlass_core::{event::Event, result::LoopResult, text::sanitise};

use super::{Next, Screen, streams::Streams};

/// Prints the result as one JSON object, and nothing else on stdout.
pub(crate) struct Json(pub(crate) Streams);

impl Reporter for Json {
    fn report(&mut self, event: &Event) -> io::Result<()> {
        self.0.warn(event);
        Ok(())
    }
}

impl Screen for Json {
    fn end(&mut self, result: &LoopResult) -> io::Result<()> {
        line(result).and_then(|line| self.0.line(&line))
    }

    fn next(&mut self, next: &Next) {
        self.0.next(next);
    }
}

/// A value as one line of JSON that a terminal can show.
pub(crate) fn line(value: &impl Serialize) -> io::Result<String> {
    Ok(sanitise::json(&serde_json::to_string(value)?).into_owned())
}
