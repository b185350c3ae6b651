//! The three standard streams of a process, from this side: feeds the one and reads the others.

use std::{io, os::fd::OwnedFd};

use rustix::{
    fs::{Mode, OFlags, fcntl_setfl, open},
    io::Errno,
    pipe::{PipeFlags, fcntl_setpipe_size, pipe_with},
};
use tokio::net::unix::pipe::{Receiver, Sender};

use super::{Chunk, OutputSink, StartError, Stream, ahead::Ahead, chunk::CHUNK, resolve};

/// How much a pipe holds where the system allows: a process that bursts need not wait for us.
const PIPE: usize = 1024 * 1024;
/// How many chunks are read before others get their turn.
const TURN: usize = 8;
/// After so many full chunks it is a flood, and the next ones are read while the last is worked on.
const FLOOD: u32 = 8;
/// How many chunks are more than what two full pipes hold.
const FULL_PIPE: usize = 4 * PIPE / CHUNK;

/// Our ends of the pipes.
pub(super) struct Streams {
    stdin: Option<Feed>,
    stdout: Option<Receiver>,
    stderr: Option<Receiver>,
    chunk: Chunk,
    ahead: Option<Ahead>,
    /// How many full chunks of standard output came.
    full: u32,
}

/// What is still to be written to the standard input.
struct Feed {
    pipe: Sender,
    bytes: Vec<u8>,
    written: usize,
}

impl Streams {
    /// Opens the streams; gives the process's ends beside them, in the order of their numbers.
    pub(super) fn open(input: Vec<u8>) -> Result<(Self, Vec<OwnedFd>), StartError> {
        Self::try_open(input).map_err(|errno| {
            let why = resolve::said(errno);
            resolve::out_of(errno)
                .unwrap_or(StartError::Other { program: "a pipe".to_owned(), why })
        })
    }

    fn try_open(input: Vec<u8>) -> rustix::io::Result<(Self, Vec<OwnedFd>)> {
        let (stdin, child_stdin) = if input.is_empty() {
            // Not a closed pipe: some tools take any pipe for data that is to come.
            (None, open("/dev/null", OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty())?)
        } else {
            let (theirs, ours) = pipe_with(PipeFlags::CLOEXEC)?;
            let pipe = Sender::from_owned_fd_unchecked(unblocked(ours)?).map_err(number)?;
            (Some(Feed { pipe, bytes: input, written: 0 }), theirs)
        };
        let (stdout, child_stdout) = pipe_with(PipeFlags::CLOEXEC)?;
        let (stderr, child_stderr) = pipe_with(PipeFlags::CLOEXEC)?;
        // Refused where the user has too many large pipes already, which does no harm.
        let _ = fcntl_setpipe_size(&stdout, PIPE);
        let streams = Self {
            stdin,
            stdout: Some(Receiver::from_owned_fd_unchecked(unblocked(stdout)?).map_err(number)?),
            stderr: Some(Receiver::from_owned_fd_unchecked(unblocked(stderr)?).map_err(number)?),
            chunk: Chunk::with_room(CHUNK),
            ahead: None,
            full: 0,
        };
        Ok((streams, vec![child_stdin, child_stdout, child_stderr]))
    }

    /// Whether both outputs came to their end.
    pub(super) fn at_end(&self) -> bool {
        self.stdout.is_none() && self.stderr.is_none()
    }

    /// Returns when some stream has something to do.
    pub(super) async fn ready(&self) {
        // What was read already makes no pipe ready.
        if self.is_read_ahead() {
            return;
        }
        async fn readable(pipe: Option<&Receiver>) {
            match pipe {
                // An error here shows up again when the stream is used.
                Some(pipe) => drop(pipe.readable().await),
                None => std::future::pending().await,
            }
        }
        async fn writable(feed: Option<&Feed>) {
            match feed {
                Some(feed) => drop(feed.pipe.writable().await),
                None => std::future::pending().await,
            }
        }
        tokio::select! {
            () = readable(self.stdout.as_ref()) => {}
            () = readable(self.stderr.as_ref()) => {}
            () = writable(self.stdin.as_ref()) => {}
        }
    }

    /// Feeds and reads what there is, for one turn; says whether anything came.
    pub(super) fn work(&mut self, sink: &mut dyn OutputSink) -> bool {
        if self.stdin.as_mut().is_some_and(Feed::write) {
            self.stdin = None;
        }
        self.pull(TURN, false, sink)
    }

    /// Reads all that is in the pipes by now.
    pub(super) fn drain(&mut self, sink: &mut dyn OutputSink) {
        self.stdin = None;
        // A leftover that writes without end is no reason to stay here for ever.
        self.pull(FULL_PIPE, true, sink);
    }

    fn pull(&mut self, turns: usize, force: bool, sink: &mut dyn OutputSink) -> bool {
        let out = self.pull_stdout(turns, force, sink);
        let error = self.pull_stderr(turns, force, sink);
        out || error
    }

    fn pull_stdout(&mut self, turns: usize, force: bool, sink: &mut dyn OutputSink) -> bool {
        let mut came = false;
        for _ in 0..turns {
            let Some(pipe) = &self.stdout else { break };
            let ahead = self.ahead.as_mut().and_then(|ahead| ahead.take(&mut self.chunk));
            let count = ahead.unwrap_or_else(|| read(pipe, &mut self.chunk, force));
            match Came::of(count) {
                Came::Bytes(count) => {
                    came = true;
                    if count == CHUNK {
                        self.read_ahead();
                    }
                    sink.output(Stream::Stdout, &mut self.chunk);
                }
                // What was asked for after it may have come since.
                Came::Nothing if self.is_read_ahead() => {}
                Came::Nothing => break,
                Came::Again => {}
                Came::End => self.stdout = None,
            }
        }
        came
    }

    fn pull_stderr(&mut self, turns: usize, force: bool, sink: &mut dyn OutputSink) -> bool {
        let mut came = false;
        for _ in 0..turns {
            let Some(pipe) = &self.stderr else { break };
            match Came::of(read(pipe, &mut self.chunk, force)) {
                Came::Bytes(_) => {
                    came = true;
                    sink.output(Stream::Stderr, &mut self.chunk);
                }
                Came::Nothing => break,
                Came::Again => {}
                Came::End => self.stderr = None,
            }
        }
        came
    }

    fn is_read_ahead(&self) -> bool {
        self.stdout.is_some() && self.ahead.as_ref().is_some_and(Ahead::is_asked)
    }

    fn read_ahead(&mut self) {
        self.full = self.full.saturating_add(1);
        if self.full == FLOOD {
            self.ahead = self.stdout.as_ref().and_then(|pipe| Ahead::start(pipe, CHUNK));
        }
        if let Some(ahead) = &mut self.ahead {
            ahead.ask();
        }
    }
}

/// What one read gave.
enum Came {
    Bytes(usize),
    Nothing,
    Again,
    End,
}

impl Came {
    fn of(read: io::Result<usize>) -> Self {
        match read {
            Ok(0) => Self::End,
            Ok(count) => Self::Bytes(count),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => Self::Nothing,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Self::Again,
            Err(_) => Self::End,
        }
    }
}

impl Feed {
    /// Writes what fits; says whether the stream can be closed.
    fn write(&mut self) -> bool {
        while self.written < self.bytes.len() {
            let rest = &self.bytes[self.written..];
            match self.pipe.try_write(rest) {
                Ok(count) => self.written += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                // A process that closes its input without reading it is in its right.
                Err(error) => return error.kind() != io::ErrorKind::WouldBlock,
            }
        }
        true
    }
}

/// Reads a chunk. With `force` it does so before the runtime has heard that there is one: after
/// the exit every byte is here, and nothing needs to be waited for.
fn read(pipe: &Receiver, chunk: &mut Chunk, force: bool) -> io::Result<usize> {
    chunk.fill(|room| if force { Ok(rustix::io::read(pipe, room)?) } else { pipe.try_read(room) })
}

fn unblocked(pipe: OwnedFd) -> rustix::io::Result<OwnedFd> {
    // A fresh end of a pipe has no other flag that could be lost.
    fcntl_setfl(&pipe, OFlags::NONBLOCK)?;
    Ok(pipe)
}

fn number(error: io::Error) -> Errno {
    Errno::from_io_error(&error).unwrap_or(Errno::INVAL)
}
