//! Reads the next chunk of a flood on a thread of its own, while the last one is worked on.
//!
//! The pipe does not block, so that every read comes back at once: nothing here can hang.

use std::{
    io,
    os::fd::{AsFd, OwnedFd},
    sync::{
        Mutex, PoisonError,
        mpsc::{Receiver, SyncSender, sync_channel},
    },
    thread,
};

use super::Chunk;

/// A thread that reads from a pipe when it is asked to. It ends when this is dropped.
pub(super) struct Ahead {
    ask: SyncSender<Chunk>,
    /// Never locked: it lets those who wait for a stream share what has this.
    got: Mutex<Receiver<(Chunk, io::Result<usize>)>>,
    spare: Option<Chunk>,
}

impl Ahead {
    /// Starts the thread; `None` where the system gives none, and then there is no reading ahead.
    pub(super) fn start(pipe: impl AsFd, size: usize) -> Option<Self> {
        let pipe = pipe.as_fd().try_clone_to_owned().ok()?;
        let (ask, asked) = sync_channel(1);
        let (give, got) = sync_channel(1);
        let thread = thread::Builder::new().name("windlass-ahead".to_owned());
        drop(thread.spawn(move || serve(&pipe, &asked, &give)).ok()?);
        Some(Self { ask, got: Mutex::new(got), spare: Some(Chunk::with_room(size)) })
    }

    /// Has the next chunk read.
    pub(super) fn ask(&mut self) {
        if let Some(spare) = self.spare.take() {
            drop(self.ask.send(spare));
        }
    }

    /// What was asked for, in the place of `chunk`; `None` where nothing was.
    pub(super) fn take(&mut self, chunk: &mut Chunk) -> Option<io::Result<usize>> {
        if self.spare.is_some() {
            return None;
        }
        let got = self.got.get_mut().unwrap_or_else(PoisonError::into_inner);
        let (mut next, count) = got.recv().ok()?;
        std::mem::swap(chunk, &mut next);
        self.spare = Some(next);
        Some(count)
    }
}

fn serve(pipe: &OwnedFd, asked: &Receiver<Chunk>, give: &SyncSender<(Chunk, io::Result<usize>)>) {
    for mut chunk in asked {
        let count = chunk.fill(|room| rustix::io::read(pipe, room)).map_err(io::Error::from);
        if give.send((chunk, count)).is_err() {
            return;
        }
    }
}
