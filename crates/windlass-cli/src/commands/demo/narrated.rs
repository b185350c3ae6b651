//! The screen of the demo: what every loop prints, and what it means.

use std::io;

use windlass::Reporter;
use windlass_core::{
    event::{Event, EventKind},
    result::LoopResult,
    step::{CheckReport, StepResult},
    text::sanitise,
    view::LoopView,
};

use crate::report::{Plain, Screen, Streams, paint::Paint, summary};

/// Prints a loop's lines with explanations between them.
pub(super) struct Narrated {
    plain: Plain,
    streams: Streams,
    view: LoopView,
    paint: Paint,
    /// The last line of the check that failed on the original tests.
    failing: Option<String>,
}

impl Narrated {
    pub(super) fn new(paint: Paint, verbose: bool) -> Self {
        let plain = Plain::new(Streams::standard(), paint, verbose);
        let view = LoopView::default();
        Self { plain, streams: Streams::standard(), view, paint, failing: None }
    }

    fn tell(&mut self, words: &str) -> io::Result<()> {
        let lines = words.lines().map(|line| self.paint.faint(&format!("  │ {line}")));
        let text = lines.collect::<Vec<_>>().join("\n");
        self.streams.line(&text)
    }

    /// Keeps the line that says what failed on the original tests, which loops do not print.
    fn see(&mut self, result: &StepResult) {
        if let StepResult::Originals(report) = result {
            self.failing = report.failed().first().map(|report| last_line(report));
        }
    }
}

fn last_line(report: &CheckReport) -> String {
    let last = report.tail.lines().rev().find(|line| !line.trim().is_empty());
    sanitise::line(last.unwrap_or_default()).into_owned()
}

impl Reporter for Narrated {
    fn report(&mut self, event: &Event) -> io::Result<()> {
        self.view.apply(event);
        if let EventKind::StepFinished { result, .. } = &event.kind {
            self.see(result);
        }
        if let EventKind::IterationStarted { iteration } = &event.kind {
            self.streams.line("")?;
            self.plain.report(event)?;
            return session_words(*iteration).map_or(Ok(()), |words| self.tell(words));
        }
        self.plain.report(event)?;
        match &event.kind {
            EventKind::LoopStarted { .. } => self.tell(
                "A small repository: `sh sum.sh A B` should print the sum of two numbers, and its \
                 test fails.\nThe agent is a script, so nothing costs money and every run is alike.",
            ),
            EventKind::Baseline(_) => self.tell(
                "windlass ran the test before the agent starts. It fails, so a pass will mean \
                 something.",
            ),
            EventKind::ClaimRejected { iteration, .. } => {
                if let Some(line) = self.failing.take() {
                    self.streams.line(&format!("  {line}"))?;
                }
                rejection_words(*iteration).map_or(Ok(()), |words| self.tell(words))
            }
            EventKind::ClaimAccepted { .. } => self.tell(
                "The test passes, and it is the one that was there at the start. That is the proof.",
            ),
            _ => Ok(()),
        }
    }
}

impl Screen for Narrated {
    fn end(&mut self, result: &LoopResult) -> io::Result<()> {
        let summary = summary::lines(result, &self.view, self.paint);
        self.streams.line(&format!("\n{}", summary.join("\n")))
    }
}

/// What the agent is up to in a session.
fn session_words(iteration: u32) -> Option<&'static str> {
    let words = match iteration {
        1 => {
            "The agent takes a short cut: it prints 4, which is what the first line of the test \
             asks for.\nThen it says that it is done."
        }
        2 => "A fresh session. The agent was told what failed, and changes the test instead.",
        3 => "Another session. This time the agent fixes sum.sh, and puts the test back.",
        _ => return None,
    };
    Some(words)
}

/// Why a claim was rejected.
fn rejection_words(iteration: u32) -> Option<&'static str> {
    let words = match iteration {
        1 => {
            "windlass does not take the agent's word: it ran the test itself, on exactly these \
             files.\nThe next session is told which line failed."
        }
        2 => {
            "With the agent's version of the test everything passes. But tests that were there\nbefore \
             the loop are guarded: windlass put the original back for a moment, ran it, and it fails."
        }
        _ => return None,
    };
    Some(words)
}
