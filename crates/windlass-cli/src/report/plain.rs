//! Lines for people, where there is no terminal to draw on. Warnings and notes go to stderr.

use std::io;

use windlass::Reporter;
use windlass_core::{
    event::{Event, EventKind},
    result::LoopResult,
    view::LoopView,
};

use super::{Next, Screen, paint::Paint, start, streams::Streams, summary, words};

/// Prints what happens, a line each, on stdout.
pub(crate) struct Plain {
    streams: Streams,
    view: LoopView,
    paint: Paint,
    verbose: bool,
}

impl Plain {
    /// A screen that prints; with `verbose` also what the agent says, as it says it.
    pub(crate) fn new(streams: Streams, paint: Paint, verbose: bool) -> Self {
        Self { streams, view: LoopView::default(), paint, verbose }
    }
}

impl Reporter for Plain {
    fn report(&mut self, event: &Event) -> io::Result<()> {
        self.view.apply(event);
        if start::is_of_block(event) {
            let lines = words::of(event, &self.view, self.paint);
            // Which loop it is comes first, and stays with what the loop does.
            let is_first = event.kind.start().is_some();
            let (first, block) = lines.split_at(usize::from(is_first).min(lines.len()));
            let printed = first.first().map_or(Ok(()), |line| self.streams.line(line));
            block.iter().for_each(|line| self.streams.aside(line));
            return printed;
        }
        if words::warning(event).is_some() {
            if !words::is_told_by_the_ending(event) {
                self.streams.warn(event);
            }
            return Ok(());
        }
        let lines = if let EventKind::AgentSaid { said, .. } = &event.kind
            && self.verbose
        {
            words::said(said, self.paint)
        } else {
            words::of(event, &self.view, self.paint)
        };
        if lines.is_empty() { Ok(()) } else { self.streams.line(&lines.join("\n")) }
    }
}

impl Screen for Plain {
    fn seed(&mut self, history: &[Event]) {
        history.iter().for_each(|event| self.view.apply(event));
    }

    fn end(&mut self, result: &LoopResult) -> io::Result<()> {
        let summary = summary::lines(result, &self.view, self.paint);
        self.streams.line(&summary.join("\n"))
    }

    fn next(&mut self, next: &Next) {
        self.streams.next(next);
    }
}
