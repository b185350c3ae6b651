//! The live screen at a terminal: what happens now at the bottom, and what is over above it.
//!
//! Events only change the view and are cheap. Drawing is done at most ten times a second, on the
//! bar's own thread, so a talkative agent does not slow its loop.

use std::{
    io::{self, Write as _},
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use windlass::{
    event::{Event, EventKind},
    report::Reporter,
    result::LoopResult,
    view::{Circuit, LoopView, Phase},
};

use super::{Screen, paint::Paint, streams::Streams, summary, words};
use crate::text;

/// How often the screen is drawn, at the most.
const FRAME: Duration = Duration::from_millis(100);
/// How much of what an agent says is held back until the next frame, at the most.
const MOST_HELD: usize = 64 * 1024;
/// How wide the bar is.
const BAR: usize = 20;

/// Draws the loop as it runs.
pub(crate) struct Live {
    streams: Streams,
    bar: ProgressBar,
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
}

impl Live {
    /// A screen on the terminal behind `target`.
    pub(crate) fn new(
        streams: Streams,
        target: ProgressDrawTarget,
        paint: Paint,
        verbose: bool,
    ) -> Self {
        let now = Arc::new(Mutex::new(Now::default()));
        let bar = ProgressBar::with_draw_target(None, target).with_style(style(&now, paint));
        bar.enable_steady_tick(FRAME);
        Self { streams, bar, now, paint, verbose, held: String::new(), last_frame: None }
    }

    /// A screen on the terminal of this process.
    pub(crate) fn standard(paint: Paint, verbose: bool) -> Self {
        Self::new(Streams::standard(), ProgressDrawTarget::stderr_with_hz(10), paint, verbose)
    }

    /// The lines that stay on the terminal, above the bar.
    #[expect(clippy::wildcard_enum_match_arm, reason = "few events stay, and new ones need not")]
    fn lasting(&self, event: &Event, view: &LoopView) -> Vec<String> {
        match &event.kind {
            EventKind::LoopStarted { .. } | EventKind::LoopResumed { .. } => {
                words::of(event, view, self.paint)
            }
            EventKind::IterationStarted { .. } if self.verbose => {
                words::of(event, view, self.paint)
            }
            EventKind::AgentSaid { said, .. } if self.verbose => words::said(said, self.paint),
            EventKind::IterationFinished(summary) => {
                vec![words::iteration_line(summary, view, self.paint)]
            }
            _ => words::notice(event, self.paint).into_iter().collect(),
        }
    }

    /// Shows what was held back and the newest line, unless that was done just now.
    fn draw(&mut self, at_once: bool) {
        let due = self.last_frame.is_none_or(|last| last.elapsed() >= FRAME);
        if !due && !at_once && self.held.len() < MOST_HELD {
            return;
        }
        self.last_frame = Some(Instant::now());
        if !self.held.is_empty() {
            // Not with the bar's own `println`, which measures every line.
            let (err, held) = (&mut self.streams.err, &self.held);
            self.bar.suspend(|| drop(err.write_all(held.as_bytes())));
            self.held.clear();
        }
        let last_line = lock(&self.now).view.last_line().unwrap_or_default().to_owned();
        self.bar.set_message(last_line);
    }
}

impl Reporter for Live {
    fn report(&mut self, event: &Event) -> io::Result<()> {
        let lines = {
            let mut now = lock(&self.now);
            now.apply(event);
            self.lasting(event, &now.view)
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
    fn seed(&mut self, history: &[Event]) {
        let mut now = lock(&self.now);
        history.iter().for_each(|event| now.apply(event));
    }

    fn end(&mut self, result: &LoopResult) -> io::Result<()> {
        self.draw(true);
        self.bar.finish_and_clear();
        let summary = summary::lines(result, &lock(&self.now).view, self.paint);
        let printed = self.streams.line(&summary.join("\n"));
        self.streams.next(result);
        printed
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        // Also on the way out of a panic: the terminal must not keep half a frame.
        self.bar.finish_and_clear();
    }
}

impl Now {
    fn apply(&mut self, event: &Event) {
        let before = self.view.phase_since;
        self.view.apply(event);
        self.started.get_or_insert_with(Instant::now);
        if self.view.phase_since != before {
            self.phase_since = Some(Instant::now());
        }
    }

    /// The line with the bar.
    fn line(&self, paint: Paint) -> String {
        let view = &self.view;
        let since =
            |at: Option<Instant>| text::clock(at.map(|at| at.elapsed()).unwrap_or_default());
        let (done, max) = (view.iteration.saturating_sub(1), view.max_iterations);
        let mut parts = match max {
            0 => vec![format!("iteration {}", view.iteration)],
            max => vec![
                paint.good(&text::bar(u64::from(done), u64::from(max), BAR)),
                format!("{} of {max}", view.iteration),
            ],
        };
        parts.push(format!("{} {}", phase(&view.phase), since(self.phase_since)));
        if let Circuit::HalfOpen { rule, .. } | Circuit::Open { rule, .. } = &view.circuit {
            parts.push(paint.warn(rule));
        }
        parts.extend(view.usage.cost_usd.map(text::money));
        parts.push(paint.faint(&since(self.started)));
        parts.join("  ")
    }
}

fn style(now: &Arc<Mutex<Now>>, paint: Paint) -> ProgressStyle {
    let now = Arc::clone(now);
    let message = if paint.colour { "{wide_msg:.dim}" } else { "{wide_msg}" };
    ProgressStyle::with_template(&format!("{{spinner}} {{now}}\n  {message}"))
        .expect("the template is a constant that a test draws")
        .with_key("now", move |_: &ProgressState, out: &mut dyn std::fmt::Write| {
            // A line that cannot be written is drawn again in a moment.
            let _ = out.write_str(&lock(&now).line(paint));
        })
}

/// What a loop does now, in words.
pub(crate) fn phase(phase: &Phase) -> String {
    match phase {
        Phase::Starting => "gets ready".to_owned(),
        Phase::Session { role } => format!("{role} works"),
        Phase::Check { command } => format!("check `{}`", text::truncate(command, 30)),
        Phase::Snapshot => "looks at the tree".to_owned(),
        Phase::Waiting { until, reason } => {
            let reason = text::truncate(reason, 30);
            format!("waits until {} ({reason})", text::time_of_day(*until))
        }
        Phase::Committing => "commits".to_owned(),
        Phase::Ended => "is over".to_owned(),
    }
}

fn lock(now: &Mutex<Now>) -> std::sync::MutexGuard<'_, Now> {
    // A panic while it was held left at worst an old view, which is still worth drawing.
    now.lock().unwrap_or_else(PoisonError::into_inner)
}
