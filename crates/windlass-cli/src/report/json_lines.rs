//! `--jsonl`: one event a line as it is stored, and the result last.

use std::io;

use serde::Serialize;
use windlass::Reporter;
use windlass_core::{event::Event, result::LoopResult};

use super::{Next, Screen, json, streams::Streams};

/// Prints each event as one line of JSON, then the result with `"type": "result"`.
pub(crate) struct JsonLines(pub(crate) Streams);

#[derive(Serialize)]
struct ResultLine<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    #[serde(flatten)]
    result: &'a LoopResult,
}

impl Reporter for JsonLines {
    fn report(&mut self, event: &Event) -> io::Result<()> {
        if !event.kind.is_stored() {
            return Ok(());
        }
        self.0.warn(event);
        self.0.line(&json::line(event)?)
    }
}

impl Screen for JsonLines {
    fn end(&mut self, result: &LoopResult) -> io::Result<()> {
        json::line(&ResultLine { kind: "result", result }).and_then(|line| self.0.line(&line))
    }

    fn next(&mut self, next: &Next) {
        self.0.next(next);
    }
}
