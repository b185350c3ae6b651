//! Hands messages over to the ways to tell people, each of which takes the time it takes beside the
//! loop, and is waited for only shortly at its end.

use std::{
    io,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::{sync::mpsc, task::JoinHandle, time::timeout};
use windlass::Reporter;
use windlass_core::{event::Event, result::LoopResult};

use super::{Message, Options, Way, When, message::Known};
use crate::host::{app::App, failure::Failure};

/// How long one message may take.
const LIMIT: Duration = Duration::from_secs(10);

/// How long what is under way is waited for when the loop is over.
const LAST_WAIT: Duration = Duration::from_secs(5);

/// So many messages may wait for a slow way; what comes after is left out.
const MOST_WAITING: usize = 16;

/// The reporter that tells people. Clones are the same one.
#[derive(Clone)]
pub(crate) struct Notifier(Arc<Mutex<Inner>>);

struct Inner {
    known: Known,
    on: Vec<When>,
    lanes: Vec<Lane>,
}

/// One way to tell people, and what goes to it.
struct Lane {
    name: String,
    queue: mpsc::Sender<Arc<Message>>,
    task: JoinHandle<Option<String>>,
    is_overrun: bool,
}

impl Notifier {
    /// Has all ways find what they need, before an agent can have a say in it.
    pub(crate) fn prepare(app: &App, options: &Options) -> Result<(), Failure> {
        let hint = "move it out of the work tree; or run it as a hook of the loop (`[on]`), which \
                    is run in the sandbox";
        let refused = |why| Failure::usage(why).hint(hint);
        options.notify.iter().try_for_each(|way| way.prepare(app).map_err(refused))
    }

    /// Starts all ways. Must be called inside a runtime.
    pub(crate) fn start(app: &App, options: &Options) -> Self {
        let lanes = options.notify.iter().map(|way| {
            let (queue, waiting) = mpsc::channel(MOST_WAITING);
            let task = tokio::spawn(deliver(app.clone(), way.clone(), waiting));
            Lane { name: way.name(), queue, task, is_overrun: false }
        });
        let (on, lanes) = (options.notify_on.clone(), lanes.collect());
        Self(Arc::new(Mutex::new(Inner { known: Known::default(), on, lanes })))
    }

    /// Takes in what happened before a loop was resumed, without telling anybody.
    pub(crate) fn seed(&self, history: &[Event]) {
        let mut inner = self.lock();
        history.iter().for_each(|event| drop(inner.known.observe(&event.kind)));
    }

    /// The loop is over, and this is what it came to.
    pub(crate) fn end(&self, result: &LoopResult) {
        let mut inner = self.lock();
        let message = inner.known.end(result);
        inner.hand_over(message);
    }

    /// The loop is over, and its ending could not be stored.
    pub(crate) fn failed(&self, why: &str) {
        let mut inner = self.lock();
        // Of one that was never there, nobody needs to be told.
        if !inner.known.name.is_empty() {
            let message = inner.known.failed(why);
            inner.hand_over(message);
        }
    }

    /// Waits a little for what is under way; says in a line each what did not arrive.
    pub(crate) async fn close(self) -> Vec<String> {
        let lanes = std::mem::take(&mut self.lock().lanes);
        let deadline = tokio::time::Instant::now() + LAST_WAIT;
        let mut troubles = Vec::new();
        for Lane { name, queue, mut task, is_overrun } in lanes {
            drop(queue);
            let why = match tokio::time::timeout_at(deadline, &mut task).await {
                Ok(Ok(None)) if is_overrun => Some("it is too slow".to_owned()),
                Ok(Ok(why)) => why,
                Ok(Err(error)) => Some(error.to_string()),
                Err(_) => {
                    task.abort();
                    // What it holds, such as a process, is let go of before the program ends.
                    drop(task.await);
                    Some(TOO_SLOW.to_owned())
                }
            };
            troubles.extend(why.map(|why| format!("nobody was notified by {name}: {why}")));
        }
        troubles
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

const TOO_SLOW: &str = "it does not answer in time";

impl Inner {
    fn hand_over(&mut self, message: Message) {
        if !self.on.contains(&message.event) {
            return;
        }
        let message = Arc::new(message);
        for lane in &mut self.lanes {
            // Never waits: the loop goes on whatever becomes of the message.
            lane.is_overrun |= lane.queue.try_send(Arc::clone(&message)).is_err();
        }
    }
}

impl Reporter for Notifier {
    fn report(&mut self, event: &Event) -> io::Result<()> {
        let mut inner = self.lock();
        if let Some(message) = inner.known.observe(&event.kind) {
            inner.hand_over(message);
        }
        Ok(())
    }
}

/// Sends what comes, one after the other; gives the first reason why something did not arrive.
async fn deliver(app: App, way: Way, mut waiting: mpsc::Receiver<Arc<Message>>) -> Option<String> {
    let mut trouble = None;
    while let Some(message) = waiting.recv().await {
        let sent = timeout(LIMIT, way.send(&app, &message)).await;
        let sent = sent.unwrap_or_else(|_| Err(TOO_SLOW.to_owned()));
        trouble = trouble.or(sent.err());
    }
    trouble
}
