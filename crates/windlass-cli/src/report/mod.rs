//! Screens: what a loop shows while it runs and at its end. A new one is a file here, a variant of
//! [`Output`] and a flag of [`OutputArgs`].

pub(crate) mod asker;
mod beside;
pub(crate) mod brief;
pub(crate) mod command;
pub(crate) mod ending;
pub(crate) mod frame;
pub(crate) mod json;
mod json_lines;
mod live;
mod now;
mod plain;
pub(crate) mod progress;
mod quiet;
pub(crate) mod start;
mod streams;
pub(crate) mod summary;
mod template;
pub(crate) mod words;

#[cfg(test)]
pub(crate) mod samples;
#[cfg(test)]
mod tests;

use std::{
    io,
    sync::{Arc, Mutex, PoisonError},
};

use windlass::{Loop, Reporter};
use windlass_core::{event::Event, result::LoopResult};

use self::{
    asker::Terminal, beside::Beside, json::Json, json_lines::JsonLines, live::Live, paint::Paint,
    quiet::Quiet, template::Template,
};
pub(crate) use self::{plain::Plain, streams::Streams};
pub(crate) use crate::present::paint;
use crate::{
    host::{app::App, environment::Variable, failure::Failure, printer::Printer},
    notify,
    present::Next,
    tui::Side,
};

/// What a loop prints
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct OutputArgs {
    /// Print the result as one JSON object on stdout
    #[arg(long, group = "output")]
    pub(crate) json: bool,

    /// Print each event as a line of JSON, and the result last
    #[arg(long, group = "output")]
    pub(crate) jsonl: bool,

    /// Print only how the loop ended: one word, and the rule that stopped it
    #[arg(long, short, group = "output")]
    pub(crate) quiet: bool,

    /// Print the result using a template, such as '{{ name }}: {{ ending.type }}'
    #[arg(long, value_name = "TEMPLATE", group = "output")]
    pub(crate) format: Option<String>,

    /// Show the dashboard while the loop runs, like `windlass watch`
    #[arg(long, group = "output")]
    pub(crate) tui: bool,

    /// Show the output of the agent as it arrives
    #[arg(long, short, conflicts_with = "output")]
    pub(crate) verbose: bool,

    #[command(flatten)]
    pub(crate) notify: notify::Flags,

    /// Whether the loop is removed at its end, so that no command can look at it.
    #[arg(skip)]
    pub(crate) is_removed: bool,
}

/// What is to be printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Output {
    /// For people: the live screen at a terminal, lines elsewhere.
    People {
        /// Whether what the agent says is shown too.
        verbose: bool,
    },
    /// The result as JSON.
    Json,
    /// The events and the result as lines of JSON.
    JsonLines,
    /// The word of the ending.
    Quiet,
    /// The dashboard.
    Dashboard,
    /// The result through a template.
    Template(String),
}

impl OutputArgs {
    /// What the flags ask for. Clap has seen to it that there is no more than one.
    pub(crate) fn output(&self) -> Output {
        match self {
            Self { format: Some(template), .. } => Output::Template(template.clone()),
            Self { json: true, .. } => Output::Json,
            Self { jsonl: true, .. } => Output::JsonLines,
            Self { quiet: true, .. } => Output::Quiet,
            Self { tui: true, .. } => Output::Dashboard,
            Self { verbose, .. } => Output::People { verbose: *verbose },
        }
    }

    /// The screen that the flags ask for. A template that cannot work is told here, before the
    /// loop starts.
    pub(crate) fn screen(&self, app: &App) -> Result<Shown, Failure> {
        let printer = app.printer;
        let paint = Paint { colour: printer.colour };
        let streams = Streams::standard();
        let side = Side::default();
        // Nobody reads what a detached loop prints: only why it could not start.
        let is_detached = app.environment.get(Variable::WindlassDetached).is_some();
        let output = if is_detached { Output::Quiet } else { self.output() };
        let screen: Box<dyn Screen> = match output.clone() {
            Output::People { verbose } if printer.live => Box::new(Live::standard(paint, verbose)),
            Output::People { verbose } => Box::new(Plain::new(streams, paint, verbose)),
            Output::Json => Box::new(Json(streams)),
            Output::JsonLines => Box::new(JsonLines(streams)),
            Output::Quiet => Box::new(Quiet(streams)),
            Output::Dashboard => {
                Box::new(Beside::new(app, Plain::new(streams, paint, false), side.clone())?)
            }
            Output::Template(template) => Box::new(Template::new(streams, &template)?),
        };
        let suggests = !self.is_removed && !is_detached;
        Ok(Shown { screen: Arc::new(Mutex::new(screen)), output, suggests, side })
    }
}

/// A reporter that also knows how to end.
pub(crate) trait Screen: Reporter {
    /// Takes in what happened before a loop was resumed, without showing it.
    fn seed(&mut self, _history: &[Event]) {}

    /// Shows a question that somebody is asked before the loop has begun, where the screen is drawn
    /// on already; says whether it did.
    fn question(&mut self, _question: &str) -> bool {
        false
    }

    /// The loop is over, and this is what it came to.
    fn end(&mut self, result: &LoopResult) -> io::Result<()>;

    /// Shows what to type next, after the end.
    fn next(&mut self, _next: &Next) {}
}

/// A screen in two hands: the journal's, which reports, and the command's, which ends it. Clones
/// are the same screen.
#[derive(Clone)]
pub(crate) struct Shown {
    screen: Arc<Mutex<Box<dyn Screen>>>,
    output: Output,
    /// Whether somebody reads what to type next.
    suggests: bool,
    /// Of the dashboard, where there is one.
    side: Side,
}

impl Shown {
    /// A screen that a command brings, which says itself what to type next.
    pub(crate) fn of(screen: Box<dyn Screen>, output: Output) -> Self {
        let (screen, side) = (Arc::new(Mutex::new(screen)), Side::default());
        Self { screen, output, suggests: false, side }
    }

    /// Takes in what happened before a loop was resumed, without showing it.
    pub(crate) fn seed(&self, history: &[Event]) {
        self.with(|screen| screen.seed(history));
    }

    /// The loop with somebody to ask, where the screen is for people and somebody sits there.
    pub(crate) fn ask(&self, the_loop: Loop, printer: Printer) -> Loop {
        let this = self.clone();
        let show = Box::new(move |question: &str| this.with(|screen| screen.question(question)));
        let Some(terminal) = Terminal::attended(printer, show) else { return the_loop };
        match self.output {
            Output::People { .. } => the_loop.asker(terminal),
            Output::Dashboard => the_loop.asker(asker::Beside::new(self.side.clone(), terminal)),
            Output::Json | Output::JsonLines | Output::Quiet | Output::Template(_) => the_loop,
        }
    }

    /// Shows the end.
    pub(crate) fn end(&self, result: &LoopResult) -> Result<(), Failure> {
        self.with(|screen| screen.end(result)).map_err(Failure::output)
    }

    /// Whether somebody reads what to type next.
    pub(crate) fn suggests(&self) -> bool {
        self.suggests
    }

    /// Shows what to type next.
    pub(crate) fn next(&self, next: &Next) {
        self.with(|screen| screen.next(next));
    }

    fn with<T>(&self, act: impl FnOnce(&mut dyn Screen) -> T) -> T {
        // A screen that panicked is drawn on further: the loop matters more.
        act(self.screen.lock().unwrap_or_else(PoisonError::into_inner).as_mut())
    }
}

impl Reporter for Shown {
    fn report(&mut self, event: &Event) -> io::Result<()> {
        self.with(|screen| screen.report(event))
    }
}
