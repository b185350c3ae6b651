//! Work that blocks, on a thread of its own; where the system has no thread left, right here.
//!
//! The runtime's own way panics there, and a full process table is no bug of ours.

use std::{
    sync::{Arc, Mutex, PoisonError},
    thread,
};

use tokio::sync::oneshot;

/// What `work` gives. It is done to its end even if nobody waits for it any more.
pub async fn aside<T, F>(work: F) -> T
where
    F: FnOnce() -> T + Send + 'static,
    T: Send + 'static,
{
    let ours = Arc::new(Mutex::new(Some(work)));
    let theirs = Arc::clone(&ours);
    let (done, result) = oneshot::channel();
    let thread = thread::Builder::new().name("windlass-aside".to_owned());
    let started = thread.spawn(move || {
        if let Some(work) = take(&theirs) {
            // Whoever asked may have gone.
            drop(done.send(work()));
        }
    });
    if started.is_err()
        && let Some(work) = take(&ours)
    {
        return work();
    }
    result.await.expect("what is done aside does not panic")
}

fn take<F>(work: &Mutex<Option<F>>) -> Option<F> {
    work.lock().unwrap_or_else(PoisonError::into_inner).take()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn work_is_done_on_another_thread() {
        let here = thread::current().id();
        assert_ne!(aside(move || thread::current().id()).await, here);
    }
}
