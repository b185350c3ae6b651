//! The handle of a loop on its guardian process: starts it, talks to it, and sees it off.

use std::{
    os::{
        fd::OwnedFd,
        unix::{net::UnixStream as StdStream, process::CommandExt},
    },
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};
use tokio::{
    sync::{mpsc, watch},
    time::timeout,
};
use windlass_core::{
    ids::LoopId,
    process::{ProcessSpec, Survivor},
};

use super::{
    Chunk, Leader, OutputSink, StartError, Stream, TimeLimits, adopted,
    aside::aside,
    link::Link,
    linux::{self, Process},
    marked::{Ended, Marker, end_found, with_marked},
    parts,
    protocol::{Report, Request},
    reports::Reports,
    shortage::Shortage,
    supervise,
    wire::MOST_DESCRIPTORS,
};
use crate::stop::Stop;

/// How much longer than it should a guardian may take to answer before it counts as hung.
pub(super) const PATIENCE: Duration = Duration::from_secs(15);

/// Which program plays the guardian.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum GuardianProgram {
    /// This one. Its `main` must have called [`play_if_asked()`](super::play_if_asked) first.
    #[default]
    ThisProgram,
    /// Another one, whose `main` calls [`play_if_asked()`](super::play_if_asked) first: a `windlass` binary, say.
    At(PathBuf),
}

impl GuardianProgram {
    /// The file to execute for a part of windlass's own.
    pub fn path(&self) -> Result<PathBuf, StartError> {
        match self {
            Self::ThisProgram if parts::was_called() => Ok(PathBuf::from(linux::THIS_PROGRAM)),
            Self::ThisProgram => {
                let why =
                    "this program cannot play it: call `windlass::init()` first thing in `main`";
                Err(StartError::Guardian { why: why.to_owned() })
            }
            Self::At(path) => Ok(path.clone()),
        }
    }

    /// The same as a path that means the same everywhere.
    pub(crate) fn file(&self) -> std::io::Result<PathBuf> {
        match self {
            Self::ThisProgram => std::fs::read_link(linux::THIS_PROGRAM)?.canonicalize(),
            Self::At(path) => path.canonicalize(),
        }
    }
}

/// The guardian of a loop: the parent of every process that the loop runs.
///
/// Clones are cheap, and several processes may run at once. When the last clone is dropped, or
/// this process dies, the guardian ends whatever is left and goes.
#[derive(Clone)]
pub struct Guardian(Arc<Inner>);

struct Inner {
    pid: u32,
    /// The loop that it serves: what marks the processes of it.
    loop_id: Option<LoopId>,
    link: Arc<Link>,
    reports: Arc<Reports>,
    next: AtomicU64,
    gone: watch::Receiver<bool>,
    handle: OwnedFd,
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.link.close();
    }
}

/// What a short command gave; see [`Guardian::output`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Output {
    /// Its exit code; `None` when a signal ended it.
    pub code: Option<i32>,
    /// The signal that ended it.
    pub signal: Option<i32>,
    /// Whether it took too long and was ended.
    pub timed_out: bool,
    /// The file that it waited at in vain, and was ended for.
    pub held_up_by: Option<PathBuf>,
    /// What it wrote to standard output, up to the limit.
    pub stdout: Vec<u8>,
    /// What it wrote to standard error, up to the limit.
    pub stderr: Vec<u8>,
    /// Whether more came than the limit allows.
    pub cut: bool,
}

impl Guardian {
    /// Starts a guardian. It keeps `hold` open as long as it lives: give it the loop's locks, and
    /// they are free only when nothing of the loop runs any more.
    ///
    /// Must be called inside a tokio runtime with its I/O and time drivers on.
    pub fn start(
        program: &GuardianProgram,
        loop_id: Option<&LoopId>,
        hold: Vec<OwnedFd>,
    ) -> Result<Self, StartError> {
        Self::start_in(Path::new(""), program, loop_id, hold)
    }

    /// The same for a loop that lives in `home`: by that and the loop others find the guardian.
    pub fn start_in(
        home: &Path,
        program: &GuardianProgram,
        loop_id: Option<&LoopId>,
        hold: Vec<OwnedFd>,
    ) -> Result<Self, StartError> {
        let (ours, theirs) = StdStream::pair().map_err(|error| gone(&error))?;
        ours.set_nonblocking(true).map_err(|error| gone(&error))?;
        let child = spawn(program, loop_id, home, theirs)?;
        let pid = child.id();
        let handle = pidfd_open(Pid::from_child(&child), PidfdFlags::empty())
            .map_err(|errno| gone(&errno.into()))?;
        let link = Link::open(ours).map_err(|error| gone(&error))?;
        let reports = Arc::new(Reports::default());
        let (went, is_gone) = watch::channel(false);
        tokio::spawn(hear(link.clone(), reports.clone(), child, went));
        let (loop_id, next) = (loop_id.cloned(), AtomicU64::new(1));
        let this =
            Self(Arc::new(Inner { pid, loop_id, link, reports, next, gone: is_gone, handle }));
        let mut hold = hold;
        while !hold.is_empty() {
            let batch = hold.split_off(hold.len().saturating_sub(MOST_DESCRIPTORS));
            this.0.link.send(&Request::Hold, batch);
        }
        Ok(this)
    }

    /// Runs a process to its end, and that of everything it started.
    ///
    /// Dropping the future kills them.
    pub async fn supervise(
        &self,
        spec: ProcessSpec,
        limits: TimeLimits,
        stop: &Stop,
        sink: &mut dyn OutputSink,
    ) -> Result<windlass_core::process::Exit, StartError> {
        self.supervise_led(spec, Leader::Program, limits, stop, sink).await
    }

    /// The same, for a process that may only hold the one that matters, as a sandbox does.
    pub async fn supervise_led(
        &self,
        spec: ProcessSpec,
        leader: Leader,
        limits: TimeLimits,
        stop: &Stop,
        sink: &mut dyn OutputSink,
    ) -> Result<windlass_core::process::Exit, StartError> {
        supervise::supervise(self, spec, leader, limits, stop, sink).await
    }

    /// Runs a short command of windlass's own, such as git, and gives what it wrote: of each stream
    /// `max_bytes`. Its program is given by its whole path, so that none is looked up where an agent
    /// can write.
    pub async fn output(
        &self,
        spec: ProcessSpec,
        timeout: Duration,
        max_bytes: usize,
    ) -> Result<Output, StartError> {
        if !Path::new(&spec.program).is_absolute() {
            let program = spec.program.to_string_lossy().into_owned();
            let why = "windlass starts programs by their whole path".to_owned();
            return Err(StartError::Other { program, why });
        }
        let mut output = Collected { output: Output::default(), max_bytes };
        let grace = Duration::from_secs(1);
        let limits = TimeLimits { total: timeout, idle: Duration::ZERO, grace };
        let mut shortage = Shortage::default();
        let exit = loop {
            let ran = self.supervise(spec.clone(), limits, &Stop::default(), &mut output).await;
            match ran.as_ref().err().and_then(|error| shortage.pause(error)) {
                Some(pause) => tokio::time::sleep(pause).await,
                None => break ran?,
            }
        };
        let timed_out = exit.ended_by.is_some();
        Ok(Output { code: exit.code, signal: exit.signal, timed_out, ..output.output })
    }

    /// Ends everything that the loop runs; gives the processes that resisted.
    pub async fn end_all(&self, grace: Duration) -> Vec<Survivor> {
        let (id, mut answers) = self.enter();
        self.0.link.send(&Request::End { id, all: true, grace }, Vec::new());
        self.wake();
        let answer = timeout(grace + PATIENCE, answers.recv()).await;
        self.0.reports.leave(id);
        match answer {
            Ok(Some(Report::Ended { survivors, .. })) => survivors,
            // The guardian is gone or hangs: what it started is known by the marker still.
            Ok(Some(_) | None) | Err(_) => self.end_without_it(None, grace).await.survivors,
        }
    }

    /// Ends what is left, and returns when the guardian is gone, or hangs for good.
    pub async fn close(self) {
        self.0.link.close();
        self.wake();
        let mut gone = self.0.gone.clone();
        if timeout(PATIENCE, gone.wait_for(|gone| *gone)).await.is_err() {
            // What is left of it was told, or nobody asked.
            self.end_without_it(None, Duration::ZERO).await;
        }
    }

    /// The number of the guardian process.
    pub fn pid(&self) -> u32 {
        self.0.pid
    }

    /// A new session: its id, and where the reports on it arrive.
    pub(super) fn enter(&self) -> (u64, mpsc::UnboundedReceiver<Report>) {
        let id = self.0.next.fetch_add(1, Ordering::Relaxed);
        (id, self.0.reports.enter(id))
    }

    pub(super) fn leave(&self, id: u64) {
        self.0.reports.leave(id);
    }

    pub(super) fn send(&self, request: &Request, descriptors: Vec<OwnedFd>) {
        self.0.link.send(request, descriptors);
    }

    /// The variables that mark the processes of a session.
    pub(super) fn markers(&self, id: u64) -> impl Iterator<Item = (String, String)> {
        let session = ("WINDLASS_SESSION".to_owned(), format!("{}.{id}", self.0.pid));
        let of_loop =
            self.0.loop_id.as_ref().map(|id| ("WINDLASS_LOOP".to_owned(), id.to_string()));
        of_loop.into_iter().chain([session])
    }

    /// Ends the processes of a session, or of the whole loop, without the guardian's help: those
    /// below it, those that came to this process as orphans when it died, and those that are marked.
    pub(super) async fn end_without_it(&self, session: Option<u64>, grace: Duration) -> Ended {
        let (pid, loop_id) = (self.0.pid, self.0.loop_id.clone());
        let marker = match session {
            Some(id) => Marker::Session { pid, id },
            None => Marker::Guardian { loop_id, pid },
        };
        let below = self.take_its_tree();
        let mut gone = self.0.gone.clone();
        // It hangs up before its children come to another parent.
        drop(timeout(Duration::from_secs(2), gone.wait_for(|gone| *gone)).await);
        aside(move || {
            let mut below = Some(below);
            end_found(grace, &mut |met| {
                let roots = below.take().unwrap_or_default().into_iter().chain(adopted::orphans());
                with_marked(&marker, roots.collect(), met)
            })
        })
        .await
    }

    /// Kills the guardian, and gives what was below it. Were it only stopped, it would come back
    /// and act on what is long over.
    fn take_its_tree(&self) -> Vec<Process> {
        let itself = Process::child(self.0.pid.cast_signed());
        let stop = &mut |process: &Process| process.signal(Signal::STOP);
        let mut below = linux::with_descendants(itself, stop);
        below.retain(|process| process.pid != self.0.pid.cast_signed());
        let _ = pidfd_send_signal(&self.0.handle, Signal::KILL);
        below
    }

    /// Wakes the guardian, in case that somebody has stopped it: nothing would ever end then.
    pub(super) fn wake(&self) {
        let _ = pidfd_send_signal(&self.0.handle, Signal::CONT);
    }
}

/// Hands on what the guardian says until it is gone, then reaps it.
async fn hear(link: Arc<Link>, reports: Arc<Reports>, mut child: Child, went: watch::Sender<bool>) {
    link.hear(|report| reports.give(report)).await;
    reports.give_up();
    link.close();
    // It hangs up with its last breath, so this is short.
    drop(
        aside(move || {
            let ended = child.wait();
            adopted::waited_for(child.id());
            ended
        })
        .await,
    );
    let _ = went.send(true);
}

fn spawn(
    program: &GuardianProgram,
    loop_id: Option<&LoopId>,
    home: &Path,
    control: StdStream,
) -> Result<Child, StartError> {
    let mut command = Command::new(program.path()?);
    command
        .arg0("windlass")
        .arg(parts::GUARDIAN)
        .arg(loop_id.map_or("", LoopId::as_str))
        .arg(home)
        .env_clear()
        .current_dir("/")
        .stdin(Stdio::from(OwnedFd::from(control)))
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    adopted::start(&mut command).map_err(|error| gone(&error))
}

fn gone(error: &std::io::Error) -> StartError {
    let limit = error
        .raw_os_error()
        .and_then(|errno| super::resolve::out_of(rustix::io::Errno::from_raw_os_error(errno)));
    limit.unwrap_or_else(|| StartError::Guardian { why: error.to_string() })
}

struct Collected {
    output: Output,
    max_bytes: usize,
}

impl OutputSink for Collected {
    fn output(&mut self, stream: Stream, chunk: &mut Chunk) {
        let bytes = chunk.bytes();
        let kept = match stream {
            Stream::Stdout => &mut self.output.stdout,
            Stream::Stderr => &mut self.output.stderr,
        };
        let room = self.max_bytes.saturating_sub(kept.len());
        self.output.cut |= bytes.len() > room;
        kept.extend_from_slice(&bytes[..bytes.len().min(room)]);
    }

    fn tick(&mut self) {}
}
