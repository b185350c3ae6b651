//! A feed a followed loop: the one task that looks at the store for all who listen to it.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore, broadcast},
    time::sleep,
};
use windlass_core::ids::LoopId;

use super::batch::Batch;
use crate::web::State;

/// The most who listen at the same time.
const MOST: usize = 600;
/// How often a loop is looked at.
const PAUSE: Duration = Duration::from_millis(150);
/// How many events are read at once.
const PAGE: usize = 256;
/// How many batches are kept for those who are slow. Whoever is slower reads the store.
const KEPT: usize = 16;
/// After how many looks without news it is asked whether the loop is still there.
const LOOKS: u32 = 20;

/// What a feed sends.
#[derive(Clone, Debug)]
pub(super) enum News {
    /// Events, in order and without gaps.
    Events(Arc<Batch>),
    /// The loop is over, and this was its last event.
    Over(u64),
}

/// Who follows which loop.
#[derive(Debug)]
pub(crate) struct Hub {
    feeds: Mutex<HashMap<LoopId, broadcast::Sender<News>>>,
    places: Arc<Semaphore>,
}

impl Default for Hub {
    fn default() -> Self {
        Self { feeds: Mutex::default(), places: Arc::new(Semaphore::new(MOST)) }
    }
}

impl Hub {
    /// A place to listen; `None` where all are taken.
    pub(super) fn place(&self) -> Option<OwnedSemaphorePermit> {
        self.places.clone().try_acquire_owned().ok()
    }

    /// The news of a loop from here on. Whoever then reads the store has missed nothing.
    pub(super) fn subscribe(&self, state: &State, id: &LoopId) -> broadcast::Receiver<News> {
        let mut feeds = self.feeds();
        if let Some(feed) = feeds.get(id) {
            return feed.subscribe();
        }
        let (feed, receiver) = broadcast::channel(KEPT);
        feeds.insert(id.clone(), feed.clone());
        tokio::spawn(tell(state.clone(), id.clone(), feed));
        receiver
    }

    /// Closes the feed, unless somebody has come in the meantime who would miss the end.
    fn close(&self, id: &LoopId, feed: &broadcast::Sender<News>, last: Option<News>) -> bool {
        let mut feeds = self.feeds();
        if last.is_none() && feed.receiver_count() > 0 {
            return false;
        }
        feeds.remove(id);
        if let Some(last) = last {
            // Nobody may be there to hear it.
            drop(feed.send(last));
        }
        true
    }

    fn feeds(&self) -> MutexGuard<'_, HashMap<LoopId, broadcast::Sender<News>>> {
        self.feeds.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What one look at the store came to.
enum Look {
    /// Something happened; whether there is more at once.
    News(Batch, bool),
    Nothing,
    Over,
}

/// Looks at the store and tells what is new, until nobody listens or the loop is over.
async fn tell(state: State, id: LoopId, feed: broadcast::Sender<News>) {
    let mut ending = state.ending();
    // Those who listen read for themselves what was before.
    let mut seen = last_of(&state, &id).await;
    let mut quiet = 0;
    loop {
        if *ending.borrow() {
            state.hub().close(&id, &feed, Some(News::Over(0)));
            return;
        }
        if feed.receiver_count() == 0 && state.hub().close(&id, &feed, None) {
            return;
        }
        match look(&state, &id, seen, quiet % LOOKS == 0).await {
            Some(Look::News(batch, more)) => {
                quiet = 0;
                seen = batch.last();
                // Nobody may be there to hear it.
                drop(feed.send(News::Events(Arc::new(batch))));
                if more {
                    continue;
                }
            }
            Some(Look::Over) => {
                state.hub().close(&id, &feed, Some(News::Over(seen)));
                return;
            }
            Some(Look::Nothing) => quiet += 1,
            // A store that cannot be read now may be read later.
            None => {}
        }
        tokio::select! {
            () = sleep(PAUSE) => {}
            _ = ending.changed() => {}
        }
    }
}

/// The number of the last event that there is.
async fn last_of(state: &State, id: &LoopId) -> u64 {
    let id = id.clone();
    let last = state.read(move |store| Ok(store.get(&id)?.map(|record| record.last_seq)));
    last.await.ok().flatten().unwrap_or(0)
}

/// Looks once. `and_whether_over` costs more, and is asked when nothing has happened for a while.
async fn look(state: &State, id: &LoopId, seen: u64, and_whether_over: bool) -> Option<Look> {
    let id = id.clone();
    let looked = state.read(move |store| {
        let events = store.events(&id, seen, PAGE)?;
        if let Some(batch) = Batch::of(&events)? {
            return Ok(Look::News(batch, events.len() == PAGE));
        }
        if !and_whether_over {
            return Ok(Look::Nothing);
        }
        // One that was resumed in the meantime has more events than were seen.
        Ok(match store.get(&id)? {
            Some(record) if record.ending.is_none() || record.last_seq > seen => Look::Nothing,
            Some(_) | None => Look::Over,
        })
    });
    looked.await.ok()
}
