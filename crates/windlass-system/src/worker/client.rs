//! The handle on a confined helper: starts it when it is needed, asks it, and kills it when it
//! takes too long or nobody waits any more.

use std::{
    fs::File,
    io,
    os::{fd::OwnedFd, unix::net::UnixStream as StdStream},
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use tokio::{
    net::UnixStream,
    sync::Mutex,
    time::{sleep, timeout},
};
use windlass_core::process::ProcessSpec;

use super::{Frame, Rights};
use crate::process::{Guardian, GuardianProgram, Service, Shortage, StartError};

/// What a helper is started with.
#[derive(Clone, Debug)]
pub struct WorkerStart {
    /// The program that plays it.
    pub program: GuardianProgram,
    /// The first argument that asks for the role.
    pub role: &'static str,
    /// What it is told once, as JSON.
    pub orders: Vec<u8>,
    /// What it may reach.
    pub rights: Rights,
}

/// A confined helper. It lives as long as this, unless it is killed; then the next request starts
/// another.
pub struct Worker {
    guardian: Guardian,
    start: WorkerStart,
    live: Mutex<Option<Live>>,
    /// Whether the last request had no answer in time.
    is_silent: AtomicBool,
}

/// A request under way; dropped without an answer, it marks the helper as silent.
struct Request<'a> {
    is_silent: &'a AtomicBool,
    is_answered: bool,
}

impl Drop for Request<'_> {
    fn drop(&mut self) {
        self.is_silent.store(!self.is_answered, Ordering::Relaxed);
    }
}

/// A helper that runs; dropping it kills it.
struct Live {
    socket: UnixStream,
    process: Service,
}

impl Live {
    /// Sends something and waits for the answer.
    async fn exchange(&mut self, request: &Frame) -> Result<Frame, WorkerError> {
        let exchanged = async {
            request.send(&mut self.socket).await?;
            Frame::receive(&mut self.socket).await
        };
        match exchanged.await {
            Ok(answer) => Ok(answer),
            Err(_) => Err(WorkerError::Gone { why: self.process.end().await? }),
        }
    }
}

/// Why a helper gave no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WorkerError {
    /// It could not be started.
    #[error("the process that looks after the work tree could not be started: {0}")]
    Start(#[from] StartError),
    /// It took too long, and was killed.
    #[error("the work tree did not answer within {seconds} s")]
    TimedOut {
        /// The limit.
        seconds: u64,
    },
    /// It went away.
    #[error("the process that looks after the work tree ended: {why}")]
    Gone {
        /// What is known of it.
        why: String,
    },
}

impl Worker {
    /// A helper that `guardian` is the parent of, with the answer to its orders. A guardian that
    /// also runs agents would take an orphan of the one for one of the other.
    pub async fn start(
        guardian: Guardian,
        start: WorkerStart,
        limit: Duration,
    ) -> Result<(Self, Frame), WorkerError> {
        let (live, told) = bounded(limit, begin_in_time(&guardian, &start)).await?;
        let is_silent = AtomicBool::new(false);
        Ok((Self { guardian, start, live: Mutex::new(Some(live)), is_silent }, told))
    }

    /// Whether the last request took too long, or its caller stopped waiting.
    pub fn is_silent(&self) -> bool {
        self.is_silent.load(Ordering::Relaxed)
    }

    /// Asks for something; an answer that takes longer than `limit` is not waited for. Dropping the
    /// future kills the helper.
    pub async fn ask(&self, request: &Frame, limit: Duration) -> Result<Frame, WorkerError> {
        let mut slot = self.live.lock().await;
        let mut asked = Request { is_silent: &self.is_silent, is_answered: false };
        // Taken out while it works: a caller that stops waiting leaves no helper in mid-request.
        let mut live = match slot.take() {
            Some(live) => live,
            // It is large, and rarely needed.
            None => bounded(limit, Box::pin(begin_in_time(&self.guardian, &self.start))).await?.0,
        };
        let answer = bounded(limit, live.exchange(request)).await;
        // One that went away did not keep anybody waiting.
        asked.is_answered = !matches!(answer, Err(WorkerError::TimedOut { .. }));
        let answer = answer?;
        *slot = Some(live);
        Ok(answer)
    }
}

/// Begins, and waits where the system is out of processes for a moment.
async fn begin_in_time(
    guardian: &Guardian,
    start: &WorkerStart,
) -> Result<(Live, Frame), WorkerError> {
    let mut shortage = Shortage::default();
    loop {
        let begun = begin(guardian, start).await;
        let pause = match &begun {
            Err(WorkerError::Start(error)) => shortage.pause(error),
            Ok(_) | Err(WorkerError::TimedOut { .. } | WorkerError::Gone { .. }) => None,
        };
        match pause {
            Some(pause) => sleep(pause).await,
            None => return begun,
        }
    }
}

async fn begin(guardian: &Guardian, start: &WorkerStart) -> Result<(Live, Frame), WorkerError> {
    let (ours, theirs) = StdStream::pair().map_err(|error| gone(&error))?;
    ours.set_nonblocking(true).map_err(|error| gone(&error))?;
    let socket = UnixStream::from_std(ours).map_err(|error| gone(&error))?;
    let nowhere = || File::options().read(true).write(true).open("/dev/null").map(OwnedFd::from);
    let outputs = nowhere().and_then(|out| Ok((out, nowhere()?))).map_err(|error| gone(&error))?;
    let spec = ProcessSpec {
        program: start.program.path()?.into(),
        args: vec![start.role.into()],
        env: Vec::new(),
        directory: "/".into(),
        stdin: Vec::new(),
    };
    let process = guardian.serve(&spec, vec![theirs.into(), outputs.0, outputs.1])?;
    let rights = serde_json::to_vec(&start.rights)
        .map_err(|error| WorkerError::Gone { why: error.to_string() })?;
    let first = Frame { text: start.orders.clone(), bytes: rights };
    let mut live = Live { socket, process };
    let told = live.exchange(&first).await?;
    Ok((live, told))
}

async fn bounded<T>(
    limit: Duration,
    work: impl Future<Output = Result<T, WorkerError>>,
) -> Result<T, WorkerError> {
    match timeout(limit, work).await {
        Ok(result) => result,
        Err(_) => Err(WorkerError::TimedOut { seconds: limit.as_secs() }),
    }
}

fn gone(error: &io::Error) -> WorkerError {
    WorkerError::Gone { why: error.to_string() }
}
