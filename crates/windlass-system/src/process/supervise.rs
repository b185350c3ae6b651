//! Watches one process from its start to the end of everything that it started.
//!
//! Every wait is bounded by one of the [`Clocks`]: no output for too long, too long altogether,
//! pipes that a leftover holds open, and the guardian's own answers.

use std::time::Duration;

use tokio::{
    sync::mpsc::UnboundedReceiver,
    time::{Instant, sleep_until},
};
use windlass_core::{
    process::{EndedBy, Exit, ProcessSpec, Survivor},
    stop::StopLevel,
    text::count::{agree, count},
};

use super::{
    Leader, OutputSink, StartError, TimeLimits, adopted,
    clocks::Clocks,
    guardian::{Guardian, PATIENCE},
    marked::Ended,
    protocol::{Launch, Report, Request},
    resolve,
    streams::Streams,
};
use crate::stop::Stop;

/// How long leftovers have between TERM and KILL, at most.
const LEFTOVER_GRACE: Duration = Duration::from_millis(300);

pub(super) async fn supervise(
    guardian: &Guardian,
    spec: ProcessSpec,
    leader: Leader,
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
            survivors: Vec::new(),
            leaky: false,
            duration: Duration::ZERO,
        });
    }
    let mut spec = spec;
    let path = resolve::program(&spec)?;
    let (streams, descriptors) = Streams::open(std::mem::take(&mut spec.stdin))?;
    let session = Session::begin(guardian);
    let start = Request::Start {
        id: session.id,
        launch: launch(guardian, session.id, &path, &spec, leader),
    };
    // Its time begins before it does: nothing that it does may seem shorter than it was.
    let watch = Watch::new(session, leader, streams, limits);
    guardian.send(&start, descriptors);
    match watch.run(stop, sink).await {
        Ok(exit) => Ok(exit),
        Err(Broken::NotStarted(errno)) => Err(resolve::explain(errno, &path, &spec)),
        Err(Broken::GuardianGone(ended)) if ended.survivors.is_empty() => {
            Err(StartError::Guardian { why: without_guardian(ended.met) })
        }
        Err(Broken::GuardianGone(ended)) => {
            Err(StartError::Survivors { survivors: ended.survivors })
        }
    }
}

/// What became of the processes of a guardian that was killed, as far as this process can know.
fn without_guardian(ended: usize) -> String {
    let what = match ended {
        0 => "nothing of it was left".to_owned(),
        n => format!("{} that it left {} ended", count(n, "process"), agree(n, "was", "were")),
    };
    let doubt = match adopted::adopts() {
        true => "",
        false => "; one that hides its origin may still run",
    };
    format!("it was killed before the process that it watched; {what}{doubt}")
}

pub(super) fn launch(
    guardian: &Guardian,
    id: u64,
    path: &std::path::Path,
    spec: &ProcessSpec,
    leader: Leader,
) -> Launch {
    let markers: Vec<_> = guardian.markers(id).collect();
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
        holds_another: leader == Leader::Holder,
    }
}

/// Why there is no exit to tell.
enum Broken {
    NotStarted(i32),
    GuardianGone(Ended),
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
        self.guardian.wake();
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
    leader: Leader,
    streams: Streams,
    grace: Duration,
    clocks: Clocks,
    exited: Option<Exited>,
    ended: Option<(Vec<Survivor>, Vec<String>)>,
    ended_by: Option<EndedBy>,
    leaky: bool,
}

struct Exited {
    code: Option<i32>,
    signal: Option<i32>,
    alone: bool,
    after: Duration,
}

impl Watch {
    fn new(session: Session, leader: Leader, streams: Streams, limits: TimeLimits) -> Self {
        let clocks = Clocks::start(limits, Instant::now());
        let (exited, ended, ended_by) = (None, None, None);
        let grace = limits.grace;
        Self { session, leader, streams, grace, clocks, exited, ended, ended_by, leaky: false }
    }

    async fn run(mut self, stop: &Stop, sink: &mut dyn OutputSink) -> Result<Exit, Broken> {
        let mut awaited = StopLevel::End;
        let mut reached = std::pin::pin!(stop.reached(awaited));
        let mut stopping = false;
        loop {
            let next_look = self.clocks.next();
            let wake = tokio::select! {
                report = self.session.reports.recv() => Wake::Report(report),
                () = self.streams.ready() => Wake::Streams,
                () = &mut reached, if !stopping => Wake::Stop,
                () = sleep_until(next_look) => Wake::Time,
            };
            self.clocks.look(Instant::now());
            match wake {
                Wake::Streams => {
                    if self.streams.work(sink) {
                        self.clocks.output_came();
                    }
                    if self.ended_by.is_none() && sink.is_hopeless() {
                        self.end_because(EndedBy::Hopeless, self.grace);
                    }
                }
                Wake::Report(Some(report)) => self.hear(report, sink)?,
                Wake::Report(None) => return Err(self.without_guardian().await),
                Wake::Stop if awaited == StopLevel::End => {
                    self.end_because(EndedBy::Stop, self.grace);
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

    fn hear(&mut self, report: Report, sink: &mut dyn OutputSink) -> Result<(), Broken> {
        match report {
            Report::Failed { errno, .. } => {
                self.session.over = true;
                return Err(Broken::NotStarted(errno));
            }
            Report::Exited { code, signal, alone, .. } => {
                let (code, signal) = self.leader.told(code, signal);
                self.exited = Some(Exited { code, signal, alone, after: self.clocks.elapsed() });
                self.streams.drain(sink);
                self.clocks.linger();
            }
            Report::Ended { survivors, names, .. } => {
                self.clocks.answered();
                self.ended = Some((survivors, names));
            }
        }
        Ok(())
    }

    /// Asks for the end of the session, or hurries it; the first reason is the one that is told.
    fn end_because(&mut self, why: EndedBy, grace: Duration) {
        if self.exited.is_none() {
            self.ended_by.get_or_insert(why);
            self.clocks.stop_limits();
        }
        self.ask_for_the_end(grace);
    }

    fn ask_for_the_end(&mut self, grace: Duration) {
        if self.ended.is_none() {
            self.session.end(grace);
            self.clocks.stop_lingering();
            self.clocks.await_answer(grace.saturating_add(PATIENCE));
        }
    }

    /// What is due by now; says whether the guardian hangs.
    fn on_time(&mut self, sink: &mut dyn OutputSink) -> bool {
        if self.clocks.tick() {
            sink.tick();
            // An agent may have stopped it. To one that runs, this is nothing.
            self.session.guardian.wake();
        }
        if self.clocks.total_is_over() {
            self.end_because(EndedBy::TotalLimit, self.grace);
        } else if self.clocks.idle_is_over() {
            self.end_because(EndedBy::IdleLimit, self.grace);
        }
        self.clocks.answer_is_late()
    }

    /// After the exit: ends the leftovers, at once, or when the pipes that they hold are quiet.
    fn after_exit(&mut self, sink: &mut dyn OutputSink) {
        let Some(exited) = &self.exited else { return };
        let held = !self.streams.at_end();
        if !self.clocks.is_lingering() || (held && !self.clocks.has_lingered()) {
            return;
        }
        let alone = exited.alone;
        self.leaky = held;
        self.clocks.stop_lingering();
        if alone {
            // Nobody is left to be ended; whoever holds the pipe is none of ours.
            self.streams.drain(sink);
            self.ended.get_or_insert_default();
        } else if !self.clocks.awaits_answer() {
            self.ask_for_the_end(self.grace.min(LEFTOVER_GRACE));
        }
    }

    fn is_over(&self) -> bool {
        match (&self.exited, &self.ended) {
            (Some(_), Some(_)) => !self.clocks.awaits_answer(),
            // One that cannot be killed never exits.
            (None, Some((survivors, _))) => !survivors.is_empty(),
            (_, None) => false,
        }
    }

    fn finish(mut self, sink: &mut dyn OutputSink) -> Exit {
        self.streams.drain(sink);
        self.session.over = true;
        let (survivors, leftovers) = self.ended.take().unwrap_or_default();
        Exit {
            code: self.exited.as_ref().and_then(|exited| exited.code),
            signal: self.exited.as_ref().and_then(|exited| exited.signal),
            ended_by: self.ended_by,
            leftovers,
            survivors,
            leaky: self.leaky,
            duration: self.exited.as_ref().map_or(self.clocks.elapsed(), |exited| exited.after),
        }
    }

    async fn without_guardian(&mut self) -> Broken {
        self.session.over = true;
        let grace = self.grace.min(LEFTOVER_GRACE);
        let ended = self.session.guardian.end_without_it(Some(self.session.id), grace).await;
        Broken::GuardianGone(ended)
    }
}
