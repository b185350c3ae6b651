//! The live screen at a terminal: what happens now at the bottom, and what is over above it.
//!
//! Events only change the view and are cheap. Drawing is done at most ten times a second, on the
//! frame's own thread, so a talkative agent does not slow its loop.

use std::{
    io,
    sync::{Arc, Mutex, PoisonError},
    time::Instant,
};

use windlass::Reporter;
use windlass_core::{
    event::{Event, EventKind},
    result::LoopResult,
    step::{Step, StepResult},
    view::LoopView,
};

use super::{
    Next, Screen,
    frame::{self, Frame, Room},
    now::Now,
    paint::Paint,
    streams::Streams,
    summary, words,
};

/// How much of what an agent says is held back until the next frame, at the most.
const MOST_HELD: usize = 64 * 1024;
/// The size of a terminal that does not say.
const USUAL_SIZE: Room = Room { cells: 80, rows: 24 };

/// Draws the loop as it runs.
pub(crate) struct Live {
    streams: Streams,
    frame: Frame,
    now: Arc<Mutex<Now>>,
    paint: Paint,
    verbose: bool,
    /// What the agent said since the last frame.
    held: String,
    last_frame: Option<Instant>,
}

impl Live {
    /// A screen on a terminal of that size.
    pub(crate) fn new(
        streams: Streams,
        terminal: Box<dyn io::Write + Send>,
        size: fn() -> Room,
        paint: Paint,
        verbose: bool,
    ) -> Self {
        let now = Arc::new(Mutex::new(Now::default()));
        let drawn = Arc::clone(&now);
        let lines = move |room, frames| lock(&drawn).lines(windlass::now(), room, frames, paint);
        let frame = Frame::start(terminal, size, Box::new(lines));
        Self { streams, frame, now, paint, verbose, held: String::new(), last_frame: None }
    }

    /// A screen on the terminal of this process.
    pub(crate) fn standard(paint: Paint, verbose: bool) -> Self {
        let terminal = Box::new(io::stderr());
        Self::new(Streams::standard(), terminal, size_of_stderr, paint, verbose)
    }

    /// The lines that stay on the terminal, above the bar.
    fn lasting(&self, event: &Event, view: &LoopView, failed: &[String]) -> Vec<String> {
        match &event.kind {
            EventKind::LoopStarted { .. }
            | EventKind::LoopResumed { .. }
            | EventKind::IterationStarted { .. } => words::of(event, view, self.paint),
            // The line of the iteration tells of sessions and checks, but not of what was denied.
            EventKind::StepFinished { result: StepResult::Session(_), .. } => {
                words::now::denied_in(event, self.paint).into_iter().collect()
            }
            EventKind::StepFinished { result: StepResult::Check(_), .. } => Vec::new(),
            EventKind::StepFinished { .. } => words::of(event, view, self.paint),
            EventKind::AgentSaid { said, .. } if self.verbose => words::said(said, self.paint),
            // Nobody can answer without having seen what failed.
            EventKind::StepStarted { step: Step::Ask { .. }, .. } => {
                let question = words::of(event, view, self.paint);
                [failed, &question].concat()
            }
            EventKind::TasksMoved(_)
            | EventKind::Phase(_)
            | EventKind::FindingsSeen(_)
            | EventKind::FixTried(_)
            | EventKind::AuditLogged(_)
            | EventKind::Baseline(_)
            | EventKind::Guarded(_)
            | EventKind::Tests(_)
            | EventKind::Originals(_)
            | EventKind::Proof(_)
            | EventKind::PullRead(_) => words::of(event, view, self.paint),
            EventKind::IterationFinished(summary) => {
                vec![words::iteration_line(summary, view, self.paint)]
            }
            _ => words::notice(event, self.paint).into_iter().collect(),
        }
    }

    /// Shows what was held back, unless that was done just now.
    fn draw(&mut self, at_once: bool) {
        let due = self.last_frame.is_none_or(|last| last.elapsed() >= frame::TICK);
        if !at_once && (self.held.is_empty() || (!due && self.held.len() < MOST_HELD)) {
            return;
        }
        self.last_frame = Some(Instant::now());
        self.frame.print(&self.held);
        self.held.clear();
    }
}

impl Reporter for Live {
    fn report(&mut self, event: &Event) -> io::Result<()> {
        let lines = {
            let mut now = lock(&self.now);
            now.apply(event);
            if let EventKind::StepFinished { result: StepResult::Check(report), .. } = &event.kind {
                let lines = words::of(event, &now.view, self.paint);
                now.failed = if report.passed { Vec::new() } else { lines };
            }
            self.lasting(event, &now.view, &now.failed)
        };
        for line in &lines {
            self.held.push_str(line);
            self.held.push('\n');
        }
        let talk = matches!(event.kind, EventKind::AgentSaid { .. } | EventKind::Ticked { .. });
        self.draw(!talk && !lines.is_empty());
        Ok(())
    }
}

impl Screen for Live {
    fn question(&mut self, question: &str) -> bool {
        lock(&self.now).is_asked = true;
        self.frame.print(question);
        true
    }

    fn seed(&mut self, history: &[Event]) {
        let mut now = lock(&self.now);
        history.iter().for_each(|event| now.apply(event));
    }

    fn end(&mut self, result: &LoopResult) -> io::Result<()> {
        self.draw(true);
        self.frame.clear();
        let summary = summary::lines(result, &lock(&self.now).view, self.paint);
        self.streams.line(&summary.join("\n"))
    }

    fn next(&mut self, next: &Next) {
        self.streams.next(next);
    }
}

/// The size of the terminal behind stderr.
fn size_of_stderr() -> Room {
    match rustix::termios::tcgetwinsize(io::stderr()) {
        Ok(size) if size.ws_col > 0 && size.ws_row > 0 => {
            Room { cells: size.ws_col.into(), rows: size.ws_row.into() }
        }
        _ => USUAL_SIZE,
    }
}

fn lock(now: &Mutex<Now>) -> std::sync::MutexGuard<'_, Now> {
    // A panic while it was held left at worst an old view, which is still worth drawing.
    now.lock().unwrap_or_else(PoisonError::into_inner)
}
