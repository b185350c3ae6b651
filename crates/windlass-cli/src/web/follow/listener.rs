//! One who listens to a loop: catches up from the store, then hears the feed, and catches up again
//! where they were too slow for it.

use std::time::Duration;

use axum::{
    body::Bytes,
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use tokio::{
    sync::{broadcast::error::RecvError, mpsc},
    time::{Instant, sleep_until},
};
use windlass_core::ids::LoopId;

use super::{batch::Batch, body::growing, hub::News};
use crate::web::{Problem, State};

/// How many events are read at once by somebody who catches up.
const PAGE: usize = 128;
/// After how long without an event it is said that the server is still there.
const SIGN_OF_LIFE: Duration = Duration::from_secs(10);

/// The events of a loop after number `seen`, as they happen.
pub(crate) fn listen(state: &State, id: LoopId, seen: u64) -> Response {
    let Some(place) = state.hub().place() else {
        return Problem::new(StatusCode::SERVICE_UNAVAILABLE, "too many listen already")
            .hint("close some of the pages that show a loop, and try again")
            .into_response();
    };
    let (feed, body) = growing(place);
    let listener = Listener { state: state.clone(), id, seen, feed };
    tokio::spawn(listener.run());
    // A proxy in between must not wait until it has more.
    let headers =
        [(header::CONTENT_TYPE, "text/event-stream"), (header::CACHE_CONTROL, "no-store")];
    (headers, [("x-accel-buffering", "no")], body).into_response()
}

struct Listener {
    state: State,
    id: LoopId,
    /// The number of the last event that they got.
    seen: u64,
    feed: mpsc::Sender<Bytes>,
}

/// Why somebody stops hearing the feed.
enum Turn {
    /// They missed something.
    CatchUp,
    /// There is nothing more to hear, or nobody to hear it.
    Leave,
}

impl Listener {
    async fn run(mut self) {
        // The first bytes at once, so that whoever listens knows that they are heard.
        if self.feed.send(Bytes::from_static(b": windlass\n\n")).await.is_err() {
            return;
        }
        loop {
            let mut news = self.state.hub().subscribe(&self.state, &self.id);
            if self.catch_up().await.is_none() {
                return;
            }
            match self.hear(&mut news).await {
                Turn::CatchUp => {}
                Turn::Leave => return,
            }
        }
    }

    /// Sends what is in the store; `None` where it cannot be read or nobody takes it.
    async fn catch_up(&mut self) -> Option<()> {
        loop {
            let (id, seen) = (self.id.clone(), self.seen);
            let read = self.state.read(move |store| Batch::of(&store.events(&id, seen, PAGE)?));
            let Some(batch) = read.await.ok()? else { return Some(()) };
            self.give(&batch).await?;
        }
    }

    async fn hear(&mut self, news: &mut tokio::sync::broadcast::Receiver<News>) -> Turn {
        let mut ending = self.state.ending();
        loop {
            let heard = tokio::select! {
                heard = news.recv() => heard,
                () = self.feed.closed() => return Turn::Leave,
                _ = ending.changed() => return Turn::Leave,
                () = sleep_until(Instant::now() + SIGN_OF_LIFE) => {
                    if self.feed.send(Bytes::from_static(b": still here\n\n")).await.is_err() {
                        return Turn::Leave;
                    }
                    continue;
                }
            };
            match heard {
                Ok(News::Events(batch)) if batch.follows(self.seen) => {
                    if self.give(&batch).await.is_none() {
                        return Turn::Leave;
                    }
                }
                Ok(News::Over(last)) if last <= self.seen => return Turn::Leave,
                Ok(News::Events(_) | News::Over(_))
                | Err(RecvError::Lagged(_) | RecvError::Closed) => {
                    return Turn::CatchUp;
                }
            }
        }
    }

    async fn give(&mut self, batch: &Batch) -> Option<()> {
        let part = batch.after(self.seen);
        self.seen = self.seen.max(batch.last());
        match part.is_empty() {
            true => Some(()),
            false => self.feed.send(part).await.ok(),
        }
    }
}
