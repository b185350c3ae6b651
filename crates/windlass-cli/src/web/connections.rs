//! How many may be connected. When all places are taken, whoever has not shown the token and has
//! been here longest makes room: strangers cannot keep those out who may come in.

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use rustix::process::{Resource, getrlimit};
use tokio::task::AbortHandle;

/// The most connections at the same time.
const MOST: u64 = 1024;
/// How many open files are left for everything else.
const OTHER_FILES: u64 = 160;

/// Everyone who is connected, in the order in which they came.
#[derive(Clone, Debug)]
pub(super) struct Connections {
    most: usize,
    places: Arc<Mutex<Places>>,
}

#[derive(Debug, Default)]
struct Places {
    next: u64,
    taken: BTreeMap<u64, Place>,
}

#[derive(Debug)]
struct Place {
    known: Arc<AtomicBool>,
    task: Option<AbortHandle>,
}

/// A place that is taken until it is dropped.
#[derive(Debug)]
pub(super) struct Seat {
    number: u64,
    known: Arc<AtomicBool>,
    places: Arc<Mutex<Places>>,
}

impl Connections {
    /// As many places as the system's limit on open files leaves.
    pub(super) fn new() -> Self {
        let files = getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX);
        let most = files.saturating_sub(OTHER_FILES).clamp(16, MOST);
        Self::with(usize::try_from(most).unwrap_or(usize::MAX))
    }

    fn with(most: usize) -> Self {
        Self { most, places: Arc::default() }
    }

    /// A place for one more; `None` where everybody here has the token.
    pub(super) fn seat(&self) -> Option<Seat> {
        let mut places = lock(&self.places);
        if places.taken.len() >= self.most && !places.make_room() {
            return None;
        }
        let number = places.next;
        places.next += 1;
        let known = Arc::new(AtomicBool::new(false));
        places.taken.insert(number, Place { known: known.clone(), task: None });
        Some(Seat { number, known, places: self.places.clone() })
    }

    /// Makes room, where somebody is here who has not shown the token.
    pub(super) fn make_room(&self) {
        lock(&self.places).make_room();
    }

    /// How many are connected.
    pub(super) fn count(&self) -> usize {
        lock(&self.places).taken.len()
    }
}

impl Places {
    fn make_room(&mut self) -> bool {
        let stranger = self
            .taken
            .iter()
            .find(|(_, place)| place.task.is_some() && !place.known.load(Ordering::Relaxed))
            .map(|(number, _)| *number);
        let Some(place) = stranger.and_then(|number| self.taken.remove(&number)) else {
            return false;
        };
        if let Some(task) = place.task {
            task.abort();
        }
        true
    }
}

impl Seat {
    /// Whoever sits here has shown the token.
    pub(super) fn is_known(&self) {
        self.known.store(true, Ordering::Relaxed);
    }

    /// What to end when somebody else needs the place.
    pub(super) fn held_by(number: u64, connections: &Connections, task: AbortHandle) {
        if let Some(place) = lock(&connections.places).taken.get_mut(&number) {
            place.task = Some(task);
        }
    }

    /// Its number.
    pub(super) fn number(&self) -> u64 {
        self.number
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        lock(&self.places).taken.remove(&self.number);
    }
}

fn lock(places: &Mutex<Places>) -> std::sync::MutexGuard<'_, Places> {
    places.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_oldest_stranger_makes_room_and_nobody_else() {
        let connections = Connections::with(3);
        let mut tasks = Vec::new();
        for known in [true, false, false] {
            let seat = connections.seat().unwrap();
            if known {
                seat.is_known();
            }
            let number = seat.number();
            let task = tokio::spawn(async move {
                let _seat = seat;
                std::future::pending::<()>().await;
            });
            Seat::held_by(number, &connections, task.abort_handle());
            tasks.push(task);
        }
        let fourth = connections.seat().unwrap();
        fourth.is_known();
        assert!(tasks.remove(1).await.unwrap_err().is_cancelled(), "the oldest stranger");
        let fifth = connections.seat().unwrap();
        fifth.is_known();
        assert!(tasks.remove(1).await.unwrap_err().is_cancelled(), "then the other");
        assert!(connections.seat().is_none(), "all that are left have the token");
        drop(fourth);
        assert!(connections.seat().is_some());
        tasks[0].abort();
    }
}
