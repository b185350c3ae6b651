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
    view::{Circuit, LoopView, Phase},
};

use super::{
    Next, Screen,
    frame::{self, Frame},
    paint::Paint,
    progress,
    streams::Streams,
    summary, words,
};
use crate::text;

/// How much of what an agent says is held back until the next frame, at the most.
const MOST_HELD: usize = 64 * 1024;
/// How wide the bar is.
const BAR: usize = 20;
/// What turns while the loop runs.
const SPINNER: [char; 10] = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
/// How wide a terminal is that does not say.
const USUAL_WIDTH: usize = 80;

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

/// What the thread that draws looks at.
#[derive(Debug, Default)]
struct Now {
    view: LoopView,
    started: Option<Instant>,
    phase_since: Option<Instant>,
    /// The lines of the last check, if it failed.
    failed: Vec<String>,
    /// Whether somebody is asked before the loop has begun.
    is_asked: bool,
}

impl Live {
    /// A screen on a terminal that is so many cells wide.
    pub(crate) fn new(
        streams: Streams,
        terminal: Box<dyn io::Write + Send>,
        width: fn() -> usize,
        paint: Paint,
        verbose: bool,
    ) -> Self {
        let now = Arc::new(Mutex::new(Now::default()));
        let drawn = Arc::clone(&now);
        let lines = move |room, frames| lock(&drawn).lines(room, frames, paint);
        let frame = Frame::start(terminal, width, Box::new(lines));
        Self { streams, frame, now, paint, verbose, held: String::new(), last_frame: None }
    }

    /// A screen on the terminal of this process.
    pub(crate) fn standard(paint: Paint, verbose: bool) -> Self {
        let terminal = Box::new(io::stderr());
        Self::new(Streams::standard(), terminal, width_of_stderr, paint, verbose)
    }

    /// The lines that stay on the terminal, above the bar.
    fn lasting(&self, event: &Event, view: &LoopView, failed: &[String]) -> Vec<String> {
        match &event.kind {
            EventKind::LoopStarted { .. }
            | EventKind::LoopResumed { .. }
            | EventKind::IterationStarted { .. } => words::of(event, view, self.paint),
            // The line of the iteration tells of sessions and checks.
            EventKind::StepFinished {
                result: StepResult::Session(_) | StepResult::Check(_),
                ..
            } => Vec::new(),
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

impl Now {
    fn apply(&mut self, event: &Event) {
        self.is_asked = false;
        let before = self.view.phase_since;
        self.view.apply(event);
        self.started.get_or_insert_with(Instant::now);
        if self.view.phase_since != before {
            self.phase_since = Some(Instant::now());
        }
    }

    /// What is drawn at the bottom: where the loop is, and what the agent said last.
    fn lines(&self, room: usize, frames: usize, paint: Paint) -> Vec<String> {
        // Whoever answers types at the end of the screen, and nothing is drawn over that.
        if self.is_asked || matches!(self.view.phase, Phase::Asking { .. }) {
            return Vec::new();
        }
        let room = room.saturating_sub(2);
        let said = text::truncate(self.view.last_line().unwrap_or_default(), room);
        let spinner = SPINNER[frames % SPINNER.len()];
        vec![format!("{spinner} {}", self.line(paint, room)), format!("  {}", paint.faint(&said))]
    }

    /// The line with the bar, in so many cells. In a narrow terminal the bar is left out first.
    fn line(&self, paint: Paint, room: usize) -> String {
        let fits = |line: &String| text::width(line) <= room;
        let plain = [true, false].map(|bar| self.parts(bar, Paint::default()).join("  "));
        match plain.iter().position(fits) {
            Some(n) => self.parts(n == 0, paint).join("  "),
            None => text::truncate(&plain[1], room),
        }
    }

    fn parts(&self, with_bar: bool, paint: Paint) -> Vec<String> {
        let view = &self.view;
        let since =
            |at: Option<Instant>| text::clock(at.map(|at| at.elapsed()).unwrap_or_default());
        let done = progress::of(view);
        let mut parts = Vec::new();
        if let Some((bar, _)) = done.as_ref().filter(|_| with_bar) {
            parts.push(paint.good(&text::bar(bar.done, bar.of, BAR)));
        }
        parts.push(match view.max_iterations {
            0 => format!("iteration {}", view.iteration),
            max => format!("iteration {} of at most {max}", view.iteration),
        });
        parts.push(match &view.stop {
            Some((level, _)) if level != "after_iteration" => paint.warn("stopping…"),
            _ => format!("{} {}", phase(&view.phase), since(self.phase_since)),
        });
        let tests = || progress::tests_in_words(view);
        parts.extend(done.map(|(_, words)| words).or_else(tests));
        if let Circuit::HalfOpen { rule, .. } | Circuit::Open { rule, .. } = &view.circuit {
            parts.push(paint.warn(rule));
        }
        parts.extend(view.usage.cost_usd.map(text::money));
        parts.push(paint.faint(&since(self.started)));
        parts
    }
}

/// How wide the terminal behind stderr is.
fn width_of_stderr() -> usize {
    match rustix::termios::tcgetwinsize(io::stderr()) {
        Ok(size) if size.ws_col > 0 => usize::from(size.ws_col),
        _ => USUAL_WIDTH,
    }
}

/// What a loop does now, in words.
pub(crate) fn phase(phase: &Phase) -> String {
    match phase {
        Phase::Starting => "gets ready".to_owned(),
        Phase::Session { role } => format!("{role} running"),
        Phase::Check { command } => format!("check `{}`", text::truncate(command, 30)),
        Phase::Originals { command } => {
            format!("check `{}` on the original tests", text::truncate(command, 30))
        }
        Phase::Snapshot => "looks at the tree".to_owned(),
        Phase::Waiting { until, what, reason } => {
            words::wait(*until, *what, reason, windlass::now())
        }
        Phase::Asking { .. } => "waits for your answer".to_owned(),
        Phase::Remote => "talks to GitHub".to_owned(),
        Phase::Committing => "commits".to_owned(),
        Phase::Ended => "is over".to_owned(),
    }
}

fn lock(now: &Mutex<Now>) -> std::sync::MutexGuard<'_, Now> {
    // A panic while it was held left at worst an old view, which is still worth drawing.
    now.lock().unwrap_or_else(PoisonError::into_inner)
}
