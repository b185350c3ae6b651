//! Reads the next chunks of a flood on a thread of its own, while the last one is worked on.
//!
//! The pipe does not block, and what is waited for is waited for only so long: nothing here can hang.

use std::{
    io,
    os::fd::{AsFd, OwnedFd},
    sync::{
        Mutex, PoisonError,
        mpsc::{Receiver, SyncSender, sync_channel},
    },
    thread,
    time::{Duration, Instant},
};

use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    io::Errno,
};

use super::Chunk;

/// How many chunks are read ahead. With fewer, whoever writes and whoever reads wake each other for
/// every chunk, and take turns on one processor where they could work side by side on two.
const DEEP: usize = 4;

/// How long a chunk may take to become full. Whoever writes is about as fast as whoever reads, and a
/// piece that is taken as it is leaves them to wake each other for every piece.
const PATIENCE: Duration = Duration::from_millis(2);

/// A thread that reads from a pipe when it is asked to. It ends when this is dropped.
pub(super) struct Ahead {
    ask: SyncSender<Chunk>,
    /// Never locked: it lets those who wait for a stream share what has this.
    got: Mutex<Receiver<(Chunk, io::Result<usize>)>>,
    spare: Vec<Chunk>,
    /// How many were asked for and not taken yet.
    asked: usize,
}

impl Ahead {
    /// Starts the thread; `None` where the system gives none, and then there is no reading ahead.
    pub(super) fn start(pipe: impl AsFd, size: usize) -> Option<Self> {
        let pipe = pipe.as_fd().try_clone_to_owned().ok()?;
        let (ask, asked) = sync_channel(DEEP);
        let (give, got) = sync_channel(DEEP);
        let thread = thread::Builder::new().name("windlass-ahead".to_owned());
        drop(thread.spawn(move || serve(&pipe, &asked, &give)).ok()?);
        let spare = (0..DEEP).map(|_| Chunk::with_room(size)).collect();
        Some(Self { ask, got: Mutex::new(got), spare, asked: 0 })
    }

    /// Has the next chunks read.
    pub(super) fn ask(&mut self) {
        for spare in self.spare.drain(..) {
            if self.ask.send(spare).is_ok() {
                self.asked += 1;
            }
        }
    }

    /// Whether something was asked for that is not taken yet.
    pub(super) fn is_asked(&self) -> bool {
        self.asked > 0
    }

    /// The first of what was asked for, in the place of `chunk`; `None` where nothing was.
    pub(super) fn take(&mut self, chunk: &mut Chunk) -> Option<io::Result<usize>> {
        self.asked = self.asked.checked_sub(1)?;
        let got = self.got.get_mut().unwrap_or_else(PoisonError::into_inner);
        let (mut next, count) = got.recv().ok()?;
        std::mem::swap(chunk, &mut next);
        self.spare.push(next);
        Some(count)
    }
}

fn serve(pipe: &OwnedFd, asked: &Receiver<Chunk>, give: &SyncSender<(Chunk, io::Result<usize>)>) {
    for mut chunk in asked {
        let count = chunk.fill(|room| fill(pipe, room)).map_err(io::Error::from);
        if give.send((chunk, count)).is_err() {
            return;
        }
    }
}

/// Reads until the room is full, nothing more comes, or it has taken long enough.
fn fill(pipe: &OwnedFd, room: &mut [u8]) -> Result<usize, Errno> {
    let begin = Instant::now();
    let mut filled = 0;
    while filled < room.len() {
        match rustix::io::read(pipe, &mut room[filled..]) {
            Ok(0) => return Ok(filled),
            Ok(count) => filled += count,
            Err(Errno::AGAIN) if comes_more(pipe, PATIENCE.saturating_sub(begin.elapsed())) => {}
            // What came before is told first; the error comes again.
            Err(_) if filled > 0 => return Ok(filled),
            Err(errno) => return Err(errno),
        }
    }
    Ok(filled)
}

/// Waits for so long until the pipe has something to say.
fn comes_more(pipe: &OwnedFd, patience: Duration) -> bool {
    let Ok(patience) = Timespec::try_from(patience) else { return false };
    let mut pipes = [PollFd::new(pipe, PollFlags::IN)];
    poll(&mut pipes, Some(&patience)).is_ok_and(|ready| ready > 0)
}

#[cfg(test)]
mod tests {
    use rustix::pipe::{PipeFlags, pipe_with};

    use super::*;

    #[test]
    fn a_chunk_is_filled_from_many_pieces_and_a_pause_ends_it() {
        let (ours, theirs) = pipe_with(PipeFlags::CLOEXEC | PipeFlags::NONBLOCK).unwrap();
        assert_eq!(fill(&ours, &mut [0; 8]), Err(Errno::AGAIN));
        let writer = thread::spawn(move || {
            for _ in 0..1000 {
                while rustix::io::write(&theirs, &[b'x'; 100]) == Err(Errno::AGAIN) {}
            }
        });
        let (mut room, mut came, mut pieces) = ([0; 10_000], 0, 0);
        while came < 100_000 {
            came += fill(&ours, &mut room).unwrap_or(0);
            pieces += 1;
        }
        writer.join().unwrap();
        assert_eq!(fill(&ours, &mut room), Ok(0), "its end");
        assert!(pieces < 500, "{pieces} pieces where 10 would do");
    }

    #[test]
    fn one_that_trickles_does_not_keep_anybody() {
        let (ours, theirs) = pipe_with(PipeFlags::CLOEXEC | PipeFlags::NONBLOCK).unwrap();
        let writer = thread::spawn(move || {
            for _ in 0..400 {
                rustix::io::write(&theirs, b"x").unwrap();
                thread::sleep(Duration::from_millis(1));
            }
        });
        let came = fill(&ours, &mut [0; 10_000]).unwrap_or(0);
        assert!(came < 390, "{came} bytes");
        writer.join().unwrap();
    }
}
