//! `--tui`: the dashboard beside the loop that runs in this process. It has a thread of its own and
//! reads the store, like any other; the loop does not wait for it. Here nothing is drawn: once the
//! screen is left, what happens is told in plain lines.

use std::{
    io,
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use windlass::Reporter;
use windlass_core::{event::Event, ids::LoopId, result::LoopResult, secrets::Secrets};

use super::{Next, Screen, plain::Plain};
use crate::{
    host::{app::App, failure::Failure},
    tui::{self, Side},
};

/// How long the screen may take to go away; the loop's end does not wait longer for it.
const FAREWELL: Duration = Duration::from_secs(3);

/// The dashboard, and the lines that follow it.
pub(crate) struct Beside {
    app: App,
    plain: Plain,
    side: Side,
    thread: Option<JoinHandle<()>>,
    has_begun: bool,
}

impl Beside {
    /// The dashboard of a loop that is about to begin; refused where there is no terminal.
    pub(crate) fn new(app: &App, plain: Plain, side: Side) -> Result<Self, Failure> {
        tui::terminal::require("`--tui`")?;
        Ok(Self { app: app.clone(), plain, side, thread: None, has_begun: false })
    }

    /// Opens the dashboard on the loop, which is in the store by now.
    fn begin(&mut self, id: &LoopId) {
        self.has_begun = true;
        let (app, side, left) = (self.app.clone(), self.side.clone(), Left(self.side.clone()));
        let start = tui::Start { open: Some(id.clone()), side: Some(side.clone()) };
        let thread = thread::Builder::new().name("dashboard".to_owned()).spawn(move || {
            let ran = tui::run(&app, start);
            drop(left);
            match ran {
                Ok(tui::Left::Quit) if !side.is_over() => {
                    app.printer.hint("the loop goes on; `windlass watch` shows it again");
                }
                Ok(_) => {}
                Err(failure) => {
                    let secrets = Secrets::of_environment(app.environment.all().clone());
                    app.printer.failure(&failure, &secrets);
                }
            }
        });
        // Without a thread there are lines, which `left` has seen to.
        self.thread = thread.ok();
    }

    fn close(&mut self) {
        self.side.end();
        let Some(thread) = self.thread.take() else { return };
        let began = Instant::now();
        while !thread.is_finished() && began.elapsed() < FAREWELL {
            thread::sleep(Duration::from_millis(5));
        }
        if thread.is_finished() {
            // It fails only where the thread panicked, which was told.
            drop(thread.join());
        }
    }
}

impl Reporter for Beside {
    fn report(&mut self, event: &Event) -> io::Result<()> {
        if !self.has_begun {
            self.begin(&event.loop_id);
        }
        if self.side.is_left() {
            return self.plain.report(event);
        }
        self.plain.seed(std::slice::from_ref(event));
        Ok(())
    }
}

impl Screen for Beside {
    fn seed(&mut self, history: &[Event]) {
        self.plain.seed(history);
    }

    fn end(&mut self, result: &LoopResult) -> io::Result<()> {
        self.close();
        self.plain.end(result)
    }

    fn next(&mut self, next: &Next) {
        self.plain.next(next);
    }
}

impl Drop for Beside {
    fn drop(&mut self) {
        self.close();
    }
}

/// Says that the screen is left when it is dropped, also by a panic.
struct Left(Side);

impl Drop for Left {
    fn drop(&mut self) {
        self.0.leave();
    }
}
