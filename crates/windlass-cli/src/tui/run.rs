//! The one loop of the dashboard: keys, signals, news and frames. It draws only when something
//! changed, and at most twenty times a second.

use std::{
    io,
    sync::mpsc::Receiver,
    time::{Duration, Instant},
};

use crossterm::event::{self, Event};
use ratatui::layout::Size;
use rustix::process::{Signal, getpid, kill_process};
use windlass_core::ids::LoopId;
use windlass_store::store::StoreError;

use super::{
    dashboard::{Dashboard, Focus, Over, Question},
    data::Source,
    jobs::{Done, Jobs},
    key::Key,
    keys::Act,
    opened::DiffAsked,
    pane::Pane,
    side::Side,
    signals::{self, Heard},
    terminal::{self, Screen},
    theme::Theme,
    typing,
};
use crate::{
    host::{
        app::App,
        failure::{Failure, Kind},
    },
    report::ending::State,
};

/// The shortest time between two frames.
const FRAME: Duration = Duration::from_millis(50);
/// How often the loop that is looked at is read while it runs, and while it does not.
const NEWS: Duration = Duration::from_millis(100);
const OLD_NEWS: Duration = Duration::from_millis(400);
/// How often the loops are listed, and clocks move on.
const LIST: Duration = Duration::from_secs(1);

/// What the dashboard begins with.
#[derive(Clone, Debug, Default)]
pub(crate) struct Start {
    /// The loop to look at; the newest one if left out.
    pub(crate) open: Option<LoopId>,
    /// What is shared with that loop, where it runs in this process.
    pub(crate) side: Option<Side>,
}

/// How the dashboard was left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Left {
    /// Somebody quit, or the loop beside it is over.
    Quit,
    /// A signal ended it.
    Signal,
    /// The terminal was given back by a panic on another thread.
    Lost,
}

/// Runs the dashboard until it is left.
pub(crate) fn run(app: &App, start: Start) -> Result<Left, Failure> {
    let not_ours =
        |error: io::Error| Failure::because(Kind::Setup, "the terminal cannot be used", error);
    let heard = signals::listen(start.side.is_some()).map_err(not_ours)?;
    let mut running = Running::new(app, start, heard);
    let left = Screen::take().and_then(|screen| running.until_left(screen));
    running.jobs.finish();
    left.map_err(not_ours)
}

struct Running {
    dashboard: Dashboard,
    source: Source,
    jobs: Jobs,
    heard: Receiver<Heard>,
    start: Start,
    left: Option<Left>,
    /// Whether something is to be seen that was not drawn.
    is_stale: bool,
    /// Whether all is to be drawn anew.
    is_lost: bool,
    suspends: bool,
}

impl Running {
    fn new(app: &App, start: Start, heard: Receiver<Heard>) -> Self {
        let theme = Theme { colour: app.printer.colour };
        let own = start.open.clone().filter(|_| start.side.is_some());
        let mut dashboard = Dashboard::new(theme, own);
        if start.open.is_some() {
            dashboard.focus = Focus::Pane;
        }
        let (source, jobs) = (Source::new(&app.home), Jobs::new(app));
        Self {
            dashboard,
            source,
            jobs,
            heard,
            start,
            left: None,
            is_stale: true,
            is_lost: false,
            suspends: false,
        }
    }

    fn until_left(&mut self, mut screen: Screen) -> io::Result<Left> {
        let (mut listed, mut read, mut drawn) = (None, None, None);
        let is_due = |last: Option<Instant>, every: Duration| {
            last.is_none_or(|last| last.elapsed() >= every)
        };
        while self.left.is_none() && !self.is_over() {
            if is_due(listed, LIST) {
                listed = Some(Instant::now());
                self.list();
            }
            if is_due(read, self.pace()) {
                read = Some(Instant::now());
                self.refresh();
            }
            self.hear_jobs();
            self.hear_loop();
            if self.is_stale && is_due(drawn, FRAME) {
                drawn = Some(Instant::now());
                self.draw(&mut screen)?;
            }
            self.keys(self.pause(read, drawn))?;
            self.signals();
            if std::mem::take(&mut self.suspends) {
                suspend(&mut screen)?;
                (self.is_stale, listed) = (true, None);
            }
            if !terminal::is_ours() {
                self.left = Some(Left::Lost);
            }
        }
        Ok(self.left.unwrap_or(Left::Quit))
    }

    fn is_over(&self) -> bool {
        self.start.side.as_ref().is_some_and(Side::is_over)
    }

    /// Puts what the loop beside asks.
    fn hear_loop(&mut self) {
        let asked = self.start.side.as_ref().and_then(Side::question);
        let asked = asked.map(|(words, choices)| Question::Choose { words, choices });
        let over = &mut self.dashboard.over;
        match (asked, &*over) {
            (Some(question), Over::Nothing) => *over = Over::Question(question),
            (None, Over::Question(Question::Choose { .. })) => *over = Over::Nothing,
            _ => return,
        }
        self.is_stale = true;
    }

    /// How often the loop is read.
    fn pace(&self) -> Duration {
        let runs = |state: &State| *state == State::Running;
        let opened = self.dashboard.opened.as_ref();
        if opened.is_some_and(|opened| runs(&opened.standing.state)) { NEWS } else { OLD_NEWS }
    }

    /// How long to wait for a key.
    fn pause(&self, read: Option<Instant>, drawn: Option<Instant>) -> Duration {
        let left = |last: Option<Instant>, every: Duration| {
            last.map_or(Duration::ZERO, |last| every.saturating_sub(last.elapsed()))
        };
        let news = left(read, self.pace());
        let moves = self.is_stale || self.dashboard.finding.is_some();
        if moves { news.min(left(drawn, FRAME)) } else { news }
    }

    fn list(&mut self) {
        let listed = self.source.list(&mut self.dashboard);
        self.told(listed);
        self.dashboard.now = windlass::now();
        self.is_stale = true;
        if self.dashboard.opened.is_none() {
            let newest = self.dashboard.chosen().map(|listed| listed.record.id.clone());
            if let Some(id) = self.start.open.take().or(newest) {
                self.open(&id);
            }
        }
    }

    fn open(&mut self, id: &LoopId) {
        let opened = self.source.open(&mut self.dashboard, id);
        self.told(opened);
        let at = self.dashboard.loops.iter().position(|listed| listed.record.id == *id);
        self.dashboard.cursor = at.unwrap_or(self.dashboard.cursor);
        self.ask_for_diff();
    }

    fn refresh(&mut self) {
        match self.source.refresh(&mut self.dashboard) {
            Ok(has_news) => self.is_stale |= has_news,
            Err(error) => self.told(Err(error)),
        }
        self.ask_for_diff();
        if let Some(back) = self.dashboard.finding {
            let found = self.source.find(&mut self.dashboard, back);
            self.told(found);
            self.is_stale = true;
        }
        if !self.dashboard.busy.is_empty() {
            // Something turns while it is under way.
            self.dashboard.now = windlass::now();
            self.is_stale = true;
        }
    }

    fn draw(&mut self, screen: &mut Screen) -> io::Result<()> {
        if let Ok((columns, rows)) = crossterm::terminal::size() {
            self.dashboard.size = Size::new(columns, rows);
        }
        if let Some(page) = self.dashboard.lay_out() {
            let read = self.source.read(&mut self.dashboard, page);
            self.told(read);
        }
        if std::mem::take(&mut self.is_lost) {
            screen.redraw()?;
        }
        screen.draw(&self.dashboard)?;
        self.is_stale = false;
        Ok(())
    }

    /// Takes all keys that were pressed, and waits so long for the first.
    fn keys(&mut self, pause: Duration) -> io::Result<()> {
        let mut open = None;
        let mut pause = pause;
        loop {
            if !typing::wait(pause)? {
                self.left = Some(Left::Signal);
                break;
            }
            pause = Duration::ZERO;
            if !event::poll(pause)? {
                break;
            }
            self.is_stale = true;
            let Event::Key(key) = event::read()? else { continue };
            let Some(key) = Key::of(key) else { continue };
            match self.dashboard.key(key) {
                // Whoever runs through the list sees the loop at which they stop.
                Some(Act::Open(id)) => open = Some(id),
                Some(act) => self.act(act),
                None => {}
            }
            if self.left.is_some() || self.suspends {
                break;
            }
        }
        if let Some(id) = open {
            self.open(&id);
        }
        Ok(())
    }

    fn signals(&mut self) {
        while let Ok(heard) = self.heard.try_recv() {
            match heard {
                Heard::End => self.left = Some(Left::Signal),
                Heard::Stop => self.suspends = true,
                Heard::Go => (self.is_lost, self.is_stale) = (true, true),
            }
        }
    }

    fn act(&mut self, act: Act) {
        let record = self.dashboard.opened.as_ref().map(|opened| opened.record.clone());
        match (act, record) {
            (Act::Leave, _) => self.left = Some(Left::Quit),
            (Act::Suspend, _) => self.suspends = true,
            (Act::Redraw, _) => self.is_lost = true,
            (Act::Interrupt, _) => interrupt(),
            (Act::Answer(choice), _) => {
                if let Some(side) = &self.start.side {
                    side.answer(choice);
                }
            }
            (Act::Open(id), _) => self.open(&id),
            (Act::Read(page), _) => {
                let read = self.source.read(&mut self.dashboard, page);
                self.told(read);
            }
            (Act::Find { back }, _) => {
                let found = self.source.find(&mut self.dashboard, back);
                self.told(found);
            }
            (Act::Show, _) => self.show(),
            (Act::Cancel { after_iteration }, Some(record)) => {
                self.jobs.cancel(&record, after_iteration);
            }
            (Act::Resume(command), Some(record)) => self.jobs.resume(&record, &command),
            (Act::Accept, Some(record)) => self.jobs.accept(&record),
            (Act::Reset, Some(record)) => self.jobs.reset(&record),
            (Act::Cancel { .. } | Act::Resume(_) | Act::Accept | Act::Reset, None) => {}
        }
        self.dashboard.busy = self.jobs.labels();
    }

    fn show(&mut self) {
        self.ask_for_diff();
        let shown = self.source.show(&mut self.dashboard);
        self.told(shown);
    }

    /// Asks for the diff that is to be shown, unless it is known and the tree is still the same.
    fn ask_for_diff(&mut self) {
        let Some(opened) = &mut self.dashboard.opened else { return };
        if self.dashboard.pane != Pane::Diff {
            return;
        }
        if let Some(of) = opened.ask_for_diff() {
            opened.make_sheet(Pane::Diff);
            self.jobs.diff(&opened.record, of);
        }
    }

    fn hear_jobs(&mut self) {
        while let Some(done) = self.jobs.done() {
            self.is_stale = true;
            match done {
                Done::Said(words) => self.dashboard.notice = Some(words),
                Done::Diff { id, of, lines } => self.take_diff(&id, of, lines),
            }
            self.dashboard.busy = self.jobs.labels();
            self.list();
        }
    }

    fn take_diff(&mut self, id: &LoopId, of: DiffAsked, lines: Vec<String>) {
        let pane = self.dashboard.pane;
        let opened = self.dashboard.opened.as_mut().filter(|opened| opened.record.id == *id);
        if let Some(opened) = opened
            && opened.take_diff(of, lines)
            && pane == Pane::Diff
        {
            opened.make_sheet(pane);
        }
    }

    fn told(&mut self, done: Result<(), StoreError>) {
        if let Err(error) = done {
            self.dashboard.notice =
                Some(windlass_core::text::sanitise::line(&error.to_string()).into_owned());
            self.is_stale = true;
        }
    }
}

/// Ends the loop of this process as Ctrl-C would: in raw mode the terminal sends no signal.
fn interrupt() {
    // A process can always signal itself.
    kill_process(getpid(), Signal::INT).ok();
}

/// Gives the terminal back, stops this process, and takes the terminal again when it goes on.
fn suspend(screen: &mut Screen) -> io::Result<()> {
    terminal::give_back();
    kill_process(getpid(), Signal::STOP)?;
    screen.take_again()
}
