//! The line to a container's first process: while it is held, the container lives, and by it the
//! container is told to tidy up.

use std::{io, pin::Pin, time::Duration};

use bollard::{
    container::{AttachContainerResults, LogOutput},
    errors::Error,
};
use futures_util::{Stream, StreamExt};
use tokio::{
    io::{AsyncWrite, AsyncWriteExt},
    time::timeout,
};

/// How long it may take to tidy up.
const PATIENCE: Duration = Duration::from_secs(5);

/// More than this is no answer.
const LONGEST: usize = 4096;

/// What is to be tidied up.
#[derive(Clone, Copy, Debug)]
pub(super) enum Tidy<'a> {
    /// Nothing: it only says that it is there.
    Nothing,
    /// Everything: nobody is at work.
    All,
    /// What has the mark of one session.
    One(&'a str),
}

/// The line.
pub(super) struct Lifeline {
    input: Pin<Box<dyn AsyncWrite + Send>>,
    output: Pin<Box<dyn Stream<Item = Result<LogOutput, Error>> + Send>>,
    asked: u64,
    heard: Vec<u8>,
}

impl Lifeline {
    pub(super) fn new(attached: AttachContainerResults) -> Self {
        let AttachContainerResults { output, input } = attached;
        Self { input, output, asked: 0, heard: Vec::new() }
    }

    /// Asks for it to be done; gives how many processes the memory limit has ended so far.
    pub(super) async fn ask(&mut self, what: Tidy<'_>) -> io::Result<u64> {
        let late = || io::Error::new(io::ErrorKind::TimedOut, "the container does not answer");
        timeout(PATIENCE, self.ask_and_wait(what)).await.map_err(|_| late())?
    }

    async fn ask_and_wait(&mut self, what: Tidy<'_>) -> io::Result<u64> {
        self.asked += 1;
        let number = self.asked;
        let line = match what {
            Tidy::Nothing => format!("{number} nothing\n"),
            Tidy::All => format!("{number} all\n"),
            Tidy::One(mark) => format!("{number} one {mark}\n"),
        };
        self.input.write_all(line.as_bytes()).await?;
        self.input.flush().await?;
        loop {
            while let Some(line) = self.next_line() {
                // What is late, or planted by another process, is no answer to this.
                let mut words = line.split(' ');
                if words.next().and_then(|word| word.parse().ok()) == Some(number) {
                    let killed = words.next().and_then(|word| word.parse().ok());
                    return Ok(killed.unwrap_or(0));
                }
            }
            match self.output.next().await {
                Some(Ok(LogOutput::StdOut { message })) => self.heard.extend_from_slice(&message),
                Some(Ok(_)) => (),
                Some(Err(error)) => return Err(io::Error::other(error)),
                None => return Err(io::ErrorKind::UnexpectedEof.into()),
            }
            if self.heard.len() > LONGEST {
                self.heard.clear();
            }
        }
    }

    fn next_line(&mut self) -> Option<String> {
        let end = self.heard.iter().position(|byte| *byte == b'\n')?;
        let line: Vec<u8> = self.heard.drain(..=end).collect();
        Some(String::from_utf8_lossy(&line).trim().to_owned())
    }
}

impl std::fmt::Debug for Lifeline {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Lifeline").field("asked", &self.asked).finish_non_exhaustive()
    }
}
