//! What every request may use: the program's surroundings, the store, and who follows which loop.

use std::{
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
};

use axum::http::StatusCode;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use windlass_store::store::Store;

use super::{Problem, follow::Hub};
use crate::host::{app::App, failure::Failure};

/// How many requests read the store at the same time; each has a connection of its own to it.
const READERS: usize = 8;
/// How many acts that take their time (a cancel, a start, a diff) are under way at the same time.
const ACTS: usize = 8;

/// What every request may use. Clones are the same.
#[derive(Clone)]
pub(crate) struct State(Arc<Inner>);

struct Inner {
    app: App,
    allowed: Vec<PathBuf>,
    idle: Mutex<Vec<Store>>,
    readers: Arc<Semaphore>,
    acts: Arc<Semaphore>,
    hub: Hub,
    ending: watch::Receiver<bool>,
}

impl State {
    /// The state of a server that may start loops in `allowed`, and that ends when `ending` says so.
    pub(crate) fn new(
        app: App,
        allowed: Vec<PathBuf>,
        store: Store,
        ending: watch::Receiver<bool>,
    ) -> Self {
        Self(Arc::new(Inner {
            app,
            allowed,
            idle: Mutex::new(vec![store]),
            readers: Arc::new(Semaphore::new(READERS)),
            acts: Arc::new(Semaphore::new(ACTS)),
            hub: Hub::default(),
            ending,
        }))
    }

    /// The program's surroundings.
    pub(crate) fn app(&self) -> &App {
        &self.0.app
    }

    /// The directories that loops may be started in, canonical.
    pub(crate) fn allowed(&self) -> &[PathBuf] {
        &self.0.allowed
    }

    /// Who follows which loop.
    pub(crate) fn hub(&self) -> &Hub {
        &self.0.hub
    }

    /// Turns true when the server ends.
    pub(crate) fn ending(&self) -> watch::Receiver<bool> {
        self.0.ending.clone()
    }

    /// What `work` reads from the store. It runs beside the server, which never waits for a disk.
    pub(crate) async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Store) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Problem> {
        let place = self.0.readers.clone().acquire_owned().await.map_err(|_| closed())?;
        self.aside(place, work).await
    }

    /// What `work` does, where that may take its time.
    pub(crate) async fn act<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Store) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Problem> {
        let place = self.0.acts.clone().acquire_owned().await.map_err(|_| closed())?;
        self.aside(place, work).await
    }

    async fn aside<T: Send + 'static>(
        &self,
        place: OwnedSemaphorePermit,
        work: impl FnOnce(&Store) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Problem> {
        let inner = self.0.clone();
        let done = tokio::task::spawn_blocking(move || {
            // It is done to its end even where nobody waits for it any more, and its place with it.
            let _place = place;
            let store = inner.store()?;
            let done = work(&store);
            inner.give_back(store);
            done
        });
        match done.await {
            Ok(done) => done.map_err(Problem::from),
            Err(_) => Err(Problem::new(
                StatusCode::INTERNAL_SERVER_ERROR,
                "this request met a bug of windlass",
            )
            .hint("what `windlass serve` printed to its standard error tells more")),
        }
    }
}

impl Inner {
    fn store(&self) -> Result<Store, Failure> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        idle.map_or_else(|| Ok(Store::open(&self.app.home)?), Ok)
    }

    fn give_back(&self, store: Store) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() < READERS {
            idle.push(store);
        }
    }
}

fn closed() -> Problem {
    Problem::new(StatusCode::SERVICE_UNAVAILABLE, "the server is about to end")
}
