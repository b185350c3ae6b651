//! Watches one process from its start to the end of everything that it started.
//!
//! Four clocks run beside it: no output for too long, too long altogether, pipes that a leftover
//! holds open, and the guardian's own answers. Every wait is bounded by one of them.

use std::time::Duration;

use tokio::{
    sync::mpsc::UnboundedReceiver,
    time::{Instant, sleep_until},
};

use super::{
    EndedBy, Exit, OutputSink, ProcessSpec, StartError, TimeLimits,
    guardian::{Guardian, PATIENCE},
    protocol::{Launch, Report, Request},
    resolve,
    streams::Streams,
};
use crate::stop::{Stop, StopLevel};

/// How often the sink learns that time goes by.
const TICK: Duration = Duration::from_millis(200);
/// A gap between two looks at the clock that means that this process itself was stopped.
const SLEPT: Duration = Duration::from_secs(5);
/// How long a held pipe must be quiet before its holder is ended, and how long in all.
const QUIET: Duration = Duration::from_millis(100);
const LINGER: Duration = Duration::from_secs(10);
/// How long leftovers have between TERM and KILL, at most.
const LEFTOVER_GRACE: Duration = Duration::from_millis(300);

pub(super) async fn supervise(
    guardian: &Guardian,
    spec: ProcessSpec,
    limits: TimeLimits,
    stop: &Stop,
    sink: &mut dyn OutputSink,
) -> Result<Exit, StartError> {
    if stop.level() >= StopLevel::End {
        return Ok(Exit {
            code: None,
            signal: None,
            ended_by: Some(EndedBy::Stop),
            leftovers: Vec::new(),
            survivors: 0,
            leaky: false,
            duration: Duration::ZERO,
        });
    }
    let mut spec = spec;
    let path = resolve::program(&spec)?;
    let (streams, descriptors) = Streams::open(std::mem::take(&mut spec.stdin))?;
    let session = Session::begin(guardian);
    let launch = launch(&session, &path, &spec);
    guardian.send(&Request::Start { id: session.id, launch }, descriptors);
    match Watch::new(session, streams, limits).run(stop, sink).await {
        Ok(exit) => Ok(exit),
        Err(Broken::NotStarted(errno)) => Err(resolve::explain(errno, &path, &spec)),
        Err(Broken::GuardianGone { survivors }) => {
            let mut why = "it ended before the process that it watched".to_owned();
            if survivors > 0 {
                why = format!("{why}, and {survivors} processes could not be ended");
            }
            Err(StartError::Guardian { why })
        }
    }
}

fn launch(session: &Session, path: &std::path::Path, spec: &ProcessSpec) -> Launch {
    let markers: Vec<_> = session.guardian.markers(session.id).collect();
    let is_marker =
        |key: &std::ffi::OsStr| markers.iter().any(|(marker, _)| key == marker.as_str());
    let mut env: Vec<_> = spec.env.iter().filter(|(key, _)| !is_marker(key)).cloned().collect();
    env.extend(markers.iter().map(|(key, value)| (key.into(), value.into())));
    Launch {
        path: path.to_owned(),
        name: spec.program.clone(),
        args: spec.args.clone(),
        env,
        directory: spec.directory.clone(),
    }
}

/// Why there is no exit to tell.
enum Broken {
    NotStarted(i32),
    GuardianGone { survivors: u32 },
}

/// A session with the guardian. While it is not over, dropping it kills its processes.
struct Session {
    guardian: Guardian,
    id: u64,
    reports: UnboundedReceiver<Report>,
    over: bool,
}

impl Session {
    fn begin(guardian: &Guardian) -> Self {
        let (id, reports) = guardian.enter();
        Self { guardian: guardian.clone(), id, reports, over: false }
    }

    fn end(&self, grace: Duration) {
        self.guardian.send(&Request::End { id: self.id, all: false, grace }, Vec::new());
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        if !self.over {
            self.end(Duration::ZERO);
        }
        self.guardian.leave(self.id);
    }
}

enum Wake {
    Streams,
    Report(Option<Report>),
    Time,
    Stop,
}

struct Watch {
    session: Session,
    streams: Streams,
    limits: TimeLimits,
    began: Instant,
    seen: Instant,
    next_tick: Instant,
    total_at: Option<Instant>,
    idle_at: Option<Instant>,
    /// When leftovers that hold a pipe are ended: the first is moved by every byte.
    quiet_at: Option<Instant>,
    linger_at: Option<Instant>,
    /// When an asked guardian counts as hung.
    answer_by: Option<Instant>,
    exited: Option<Exited>,
    ended: Option<(u32, Vec<String>)>,
    ended_by: Option<EndedBy>,
    leaky: bool,
}

struct Exited {
    code: Option<i32>,
    signal: Option<i32>,
    alone: bool,
    at: Instant,
}

impl Watch {
    fn new(session: Session, streams: Streams, limits: TimeLimits) -> Self {
        let now = Instant::now();
        let after = |span: Duration| (!span.is_zero()).then(|| now.checked_add(span)).flatten();
        Self {
            session,
            streams,
            limits,
            began: now,
            seen: now,
            next_tick: now + TICK,
            total_at: after(limits.total),
            idle_at: after(limits.idle),
            quiet_at: None,
            linger_at: None,
            answer_by: None,
            exited: None,
            ended: None,
            ended_by: None,
            leaky: false,
        }
    }

    async fn run(mut self, stop: &Stop, sink: &mut dyn OutputSink) -> Result<Exit, Broken> {
        let mut awaited = StopLevel::End;
        let mut reached = std::pin::pin!(stop.reached(awaited));
        let mut stopping = false;
        loop {
            let next_time = self.next_time();
            let wake = tokio::select! {
                report = self.session.reports.recv() => Wake::Report(report),
                () = self.streams.ready() => Wake::Streams,
                () = &mut reached, if !stopping => Wake::Stop,
                () = sleep_until(next_time) => Wake::Time,
            };
            self.look_at_the_clock();
            match wake {
                Wake::Streams => {
                    if self.streams.work(sink) {
                        self.something_came();
                    }
                }
                Wake::Report(Some(report)) => self.hear(report, sink)?,
                Wake::Report(None) => return Err(self.without_guardian().await),
                Wake::Stop if awaited == StopLevel::End => {
                    self.end_because(EndedBy::Stop, self.limits.grace);
                    awaited = StopLevel::Kill;
                    reached.set(stop.reached(awaited));
                }
                Wake::Stop => {
                    self.end_because(EndedBy::Stop, Duration::ZERO);
                    stopping = true;
                }
                Wake::Time => {
                    if self.on_time(sink) {
                        return Err(self.without_guardian().await);
                    }
                }
            }
            self.after_exit(sink);
            if self.is_over() {
                return Ok(self.finish(sink));
            }
        }
    }

    /// Moves the limits when this process was stopped, or the machine asleep, in between.
    fn look_at_the_clock(&mut self) {
        let now = Instant::now();
        let gap = now - self.seen;
        self.seen = now;
        if gap > SLEPT {
            for limit in [&mut self.total_at, &mut self.idle_at].into_iter().flatten() {
                *limit += gap;
            }
        }
    }

    fn something_came(&mut self) {
        if let Some(idle_at) = &mut self.idle_at {
            *idle_at = self.seen + self.limits.idle;
        }
        if let Some(quiet_at) = &mut self.quiet_at {
            *quiet_at = self.seen + QUIET;
        }
    }

    fn hear(&mut self, report: Report, sink: &mut dyn OutputSink) -> Result<(), Broken> {
        match report {
            Report::Failed { errno, .. } => {
                self.session.over = true;
                return Err(Broken::NotStarted(errno));
            }
            Report::Exited { code, signal, alone, .. } => {
                self.exited = Some(Exited { code, signal, alone, at: self.seen });
                (self.total_at, self.idle_at) = (None, None);
                self.streams.drain(sink);
                self.quiet_at = Some(self.seen + QUIET);
                self.linger_at = Some(self.seen + LINGER);
            }
            Report::Ended { survivors, names, .. } => {
                self.answer_by = None;
                self.ended = Some((survivors, names));
            }
        }
        Ok(())
    }

    /// Asks for the end of the session, or hurries it; the first reason is the one that is told.
    fn end_because(&mut self, why: EndedBy, grace: Duration) {
        if self.exited.is_none() {
            self.ended_by.get_or_insert(why);
            (self.total_at, self.idle_at) = (None, None);
        }
        self.ask_for_the_end(grace);
    }

    fn ask_for_the_end(&mut self, grace: Duration) {
        if self.ended.is_none() {
            self.session.end(grace);
            (self.quiet_at, self.linger_at) = (None, None);
            self.answer_by = self.seen.checked_add(grace.saturating_add(PATIENCE));
        }
    }

    /// What is due by now; says whether the guardian hangs.
    fn on_time(&mut self, sink: &mut dyn OutputSink) -> bool {
        let now = self.seen;
        let due = |at: Option<Instant>| at.is_some_and(|at| at <= now);
        if now >= self.next_tick {
            sink.tick();
            self.next_tick = now + TICK;
        }
        if due(self.total_at) {
            self.end_because(EndedBy::TotalLimit, self.limits.grace);
        } else if due(self.idle_at) {
            self.end_because(EndedBy::IdleLimit, self.limits.grace);
        }
        due(self.answer_by)
    }

    /// After the exit: ends the leftovers, at once, or when the pipes that they hold are quiet.
    fn after_exit(&mut self, sink: &mut dyn OutputSink) {
        let Some(exited) = &self.exited else { return };
        if self.quiet_at.is_none() {
            return;
        }
        let due = |at: Option<Instant>| at.is_some_and(|at| at <= self.seen);
        let held = !self.streams.at_end();
        if held && !due(self.quiet_at) && !due(self.linger_at) {
            return;
        }
        let alone = exited.alone;
        self.leaky = held;
        (self.quiet_at, self.linger_at) = (None, None);
        if alone {
            // Nobody is left to be ended; whoever holds the pipe is none of ours.
            self.streams.drain(sink);
            self.ended.get_or_insert_default();
        } else if self.answer_by.is_none() {
            self.ask_for_the_end(self.limits.grace.min(LEFTOVER_GRACE));
        }
    }

    fn is_over(&self) -> bool {
        match (&self.exited, &self.ended) {
            (Some(_), Some(_)) => self.answer_by.is_none(),
            // One that cannot be killed never exits.
            (None, Some((survivors, _))) => *survivors > 0,
            (_, None) => false,
        }
    }

    fn finish(mut self, sink: &mut dyn OutputSink) -> Exit {
        self.streams.drain(sink);
        sink.tick();
        self.session.over = true;
        let (survivors, leftovers) = self.ended.take().unwrap_or_default();
        let end = self.exited.as_ref().map_or(self.seen, |exited| exited.at);
        Exit {
            code: self.exited.as_ref().and_then(|exited| exited.code),
            signal: self.exited.as_ref().and_then(|exited| exited.signal),
            ended_by: self.ended_by,
            leftovers,
            survivors,
            leaky: self.leaky,
            duration: end - self.began,
        }
    }

    async fn without_guardian(&mut self) -> Broken {
        self.session.over = true;
        let grace = self.limits.grace.min(LEFTOVER_GRACE);
        let survivors = self.session.guardian.end_by_marker(Some(self.session.id), grace).await;
        Broken::GuardianGone { survivors }
    }

    fn next_time(&self) -> Instant {
        let times = [self.total_at, self.idle_at, self.quiet_at, self.linger_at, self.answer_by];
        times.into_iter().flatten().fold(self.next_tick, Instant::min)
    }
}
