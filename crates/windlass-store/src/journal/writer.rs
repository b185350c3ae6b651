//! Writes what an agent says while it goes on talking, on a thread of its own.

use std::{
    sync::{
        Arc, OnceLock,
        mpsc::{Receiver, Sender, channel},
    },
    thread::{self, JoinHandle},
};

use tokio::runtime::Handle;

use super::pages::Pages;
use crate::store::Durability;

/// The thread that writes, once there was something for it to do. It ends with this.
#[derive(Default)]
pub(super) struct Writer(OnceLock<Option<Thread>>);

struct Thread {
    asked: Sender<Wish>,
    handle: JoinHandle<()>,
}

/// Up to which number facts are to be written, and how safely.
type Wish = (u64, Durability);

impl Writer {
    /// Has the facts up to that number written soon; says whether somebody is there to do it.
    pub(super) fn ask(&self, pages: &Arc<Pages>, up_to: u64, durability: Durability) -> bool {
        let thread = self.0.get_or_init(|| start(pages));
        thread.as_ref().is_some_and(|thread| thread.asked.send((up_to, durability)).is_ok())
    }

    /// Waits until it has written what it was asked to. If it panicked, so does this.
    pub(super) fn close(self) {
        if let Some(Thread { asked, handle }) = self.0.into_inner().flatten() {
            drop(asked);
            if let Err(panic) = handle.join() {
                std::panic::resume_unwind(panic);
            }
        }
    }
}

/// `None` where the system gives no thread, and then nothing is written beside.
fn start(pages: &Arc<Pages>) -> Option<Thread> {
    let (asked, asks) = channel();
    let pages = Arc::clone(pages);
    // Whoever is shown the facts may be used to a runtime around.
    let runtime = Handle::try_current().ok();
    let thread = thread::Builder::new().name("windlass-journal".to_owned());
    let serve = move || {
        let _around = runtime.as_ref().map(Handle::enter);
        serve(&pages, &asks);
    };
    let handle = thread.spawn(serve).ok()?;
    Some(Thread { asked, handle })
}

fn serve(pages: &Pages, asks: &Receiver<Wish>) {
    for asked in asks {
        let (up_to, durability) = asks
            .try_iter()
            .fold(asked, |(up_to, durability), next| (up_to.max(next.0), durability.max(next.1)));
        // A failure has turned the knob; whoever writes next is told too.
        let _ = pages.flush(up_to, durability);
    }
}
