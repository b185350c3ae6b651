//! What takes longer than a frame, on threads of its own: the screen goes on, and hears when it is
//! done.

use std::{
    sync::mpsc::{Receiver, Sender, channel},
    thread::{self, JoinHandle},
};

use windlass::{Settled, take_down};
use windlass_core::{
    event::EventKind,
    ids::LoopId,
    text::{causes::with_causes, sanitise},
};
use windlass_store::store::{LoopRecord, Request, Store};

use super::{opened::DiffAsked, sheets};
use crate::{
    commands::cancel,
    control::{
        changes::Changes,
        find,
        launch::{self, Launch},
    },
    host::{app::App, failure::Failure},
};

/// What came of a job.
#[derive(Debug)]
pub(crate) enum Done {
    /// Something to say.
    Said(String),
    /// What changed in an iteration, or in the whole loop.
    Diff {
        /// The loop.
        id: LoopId,
        /// What was asked for.
        of: DiffAsked,
        /// The painted lines.
        lines: Vec<String>,
    },
}

/// The jobs that are under way.
pub(crate) struct Jobs {
    app: App,
    tell: Sender<(u64, Done)>,
    hear: Receiver<(u64, Done)>,
    running: Vec<Running>,
    count: u64,
}

struct Running {
    number: u64,
    label: Option<String>,
    thread: JoinHandle<()>,
}

impl Jobs {
    /// No jobs yet.
    pub(crate) fn new(app: &App) -> Self {
        let (tell, hear) = channel();
        Self { app: app.clone(), tell, hear, running: Vec::new(), count: 0 }
    }

    /// What is under way, in words.
    pub(crate) fn labels(&self) -> Vec<String> {
        self.running.iter().filter_map(|running| running.label.clone()).collect()
    }

    /// The next job that is done.
    pub(crate) fn done(&mut self) -> Option<Done> {
        let (number, done) = self.hear.try_recv().ok()?;
        self.running.retain(|running| running.number != number);
        Some(done)
    }

    /// Waits for what was asked to be done, and not only to be looked at.
    pub(crate) fn finish(mut self) {
        for running in self.running.drain(..).filter(|running| running.label.is_some()) {
            self.app.printer.hint(running.label.as_deref().unwrap_or_default());
            // It fails only where the thread panicked, which was told.
            drop(running.thread.join());
        }
    }

    /// Calls a loop off.
    pub(crate) fn cancel(&mut self, record: &LoopRecord, after_iteration: bool) {
        let request = if after_iteration { Request::CancelAfterIteration } else { Request::Cancel };
        let record = record.clone();
        let label = format!("cancelling {} …", sanitise::line(&record.name));
        self.start(Some(label), move |app| {
            said((|| {
                app.refuse_inside_a_loop("cancel")?;
                let (store, _) = find::find(app, Some(record.id.as_str()))?;
                let called_off = cancel::call_off(app, &store, &record, request)?;
                let Settled { told, troubles } = called_off.settled;
                let all = [called_off.said].into_iter().chain(told).chain(troubles);
                Ok(all.collect::<Vec<_>>().join("; "))
            })())
        });
    }

    /// Closes a loop's circuit.
    pub(crate) fn reset(&mut self, record: &LoopRecord) {
        let record = record.clone();
        let label = format!("closing the circuit of {} …", sanitise::line(&record.name));
        self.start(Some(label), move |app| {
            said((|| {
                app.refuse_inside_a_loop("reset")?;
                take_down(&app.home, &record, vec![EventKind::CircuitReset])?;
                Ok(format!("the circuit of {} is closed", record.name))
            })())
        });
    }

    /// Accepts a loop's work, in a process of its own.
    pub(crate) fn accept(&mut self, record: &LoopRecord) {
        let record = record.clone();
        let label = format!("accepting the work of {} …", sanitise::line(&record.name));
        self.start(Some(label), move |app| {
            said((|| {
                app.refuse_inside_a_loop("accept")?;
                let argv = vec!["accept".into(), record.id.as_str().into()];
                let name = &record.name;
                Ok(match launch::launch(app, &record.directory, argv)?.end() {
                    Launch::Failed { code: Some(0), .. } => {
                        format!("{name} is done: accepted by you")
                    }
                    Launch::Failed { message, hints, .. } => {
                        [message].into_iter().chain(hints).collect::<Vec<_>>().join("; ")
                    }
                    Launch::Slow | Launch::Begun(_) => {
                        format!("{name} takes its time to be accepted")
                    }
                })
            })())
        });
    }

    /// Takes a loop up again, in a process of its own.
    pub(crate) fn resume(&mut self, record: &LoopRecord, command: &str) {
        let (record, command) = (record.clone(), command.to_owned());
        let label = format!("resuming {} …", sanitise::line(&record.name));
        self.start(Some(label), move |app| {
            said((|| {
                app.refuse_inside_a_loop("resume")?;
                resume(app, &record, &command)
            })())
        });
    }

    /// Looks at what changed.
    pub(crate) fn diff(&mut self, record: &LoopRecord, of: DiffAsked) {
        let record = record.clone();
        self.start(None, move |app| {
            let shown = (|| {
                let (store, _) = find::find(app, Some(record.id.as_str()))?;
                Changes::of(app, &store, &record, of.iteration)
            })();
            let lines = match shown {
                Ok(changes) => sheets::painted_diff(&changes.shown()),
                Err(failure) => vec![line(&failure)],
            };
            Done::Diff { id: record.id, of, lines }
        });
    }

    fn start(&mut self, label: Option<String>, work: impl FnOnce(&App) -> Done + Send + 'static) {
        self.count += 1;
        let (number, tell, app) = (self.count, self.tell.clone(), self.app.clone());
        let thread = thread::Builder::new().name("job".to_owned()).spawn(move || {
            // Nobody hears it any more where the screen is gone.
            drop(tell.send((number, work(&app))));
        });
        match thread {
            Ok(thread) => self.running.push(Running { number, label, thread }),
            Err(error) => drop(self.tell.send((number, Done::Said(error.to_string())))),
        }
    }
}

fn resume(app: &App, record: &LoopRecord, command: &str) -> Result<String, Failure> {
    // The screen has shown the command as it is to be typed; its first word is the program.
    let words = shell_words::split(command).map_err(Failure::usage)?;
    let argv = words.into_iter().skip(1).map(Into::into).collect();
    let launched = launch::launch(app, &record.directory, argv)?;
    let Some(store) = Store::open_existing(&app.home)? else {
        return Err(Failure::usage("the store is gone"));
    };
    let name = &record.name;
    Ok(match launched.wait(&store, Some(&record.id))? {
        Launch::Begun(_) => format!("{name} goes on, in a process of its own"),
        Launch::Failed { message, .. } => format!("{name} could not be resumed: {message}"),
        Launch::Slow => format!("{name} takes its time to go on"),
    })
}

fn said(done: Result<String, Failure>) -> Done {
    let words = done.unwrap_or_else(|failure| line(&failure));
    Done::Said(sanitise::line(&words).into_owned())
}

/// A failure in one line.
pub(crate) fn line(failure: &Failure) -> String {
    sanitise::line(&with_causes(&*failure.error)).into_owned()
}
