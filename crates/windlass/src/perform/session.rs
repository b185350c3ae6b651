//! Calls an agent, and hears what it says.

use std::{
    collections::VecDeque,
    fs::{self, OpenOptions},
    io::{self, Write},
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
};

use super::{Worker, survived};
use crate::{
    agent::{Ask, Decoder, Hired},
    claim::ClaimReading,
    event::EventKind,
    halt::Halt,
    home,
    ids::Place,
    journal::Journal,
    outcome::Outcome,
    process::{
        self, Block, Capture, Exit, Lines, OutputSink, StartError, Stream, StreamStats, TimeLimits,
    },
    said::{Said, Usage},
    step::{SessionReport, SessionStep},
    stop::Stop,
    store::Durability,
    time::millis,
};

/// Of what an agent says, so much of the beginning and of the end is kept.
const KEPT: usize = 8 * 1024 * 1024;

/// Standard error is passed on in pieces of at most this size.
const PIECE: usize = 32 * 1024;

/// Hears what an agent says while it works, and takes it down.
pub struct Listener<'a> {
    journal: &'a Journal,
    place: Place,
    /// How many bytes of the beginning may still be kept.
    room: usize,
    /// The end of what was said, once the beginning is full.
    end: VecDeque<Said>,
    end_bytes: usize,
    dropped: u64,
}

impl<'a> Listener<'a> {
    /// One for the session at that place.
    pub fn new(journal: &'a Journal, place: &Place) -> Self {
        let end = VecDeque::new();
        Self { journal, place: place.clone(), room: KEPT, end, end_bytes: 0, dropped: 0 }
    }

    fn hear(&mut self, said: Said) {
        let size = said.size();
        if size <= self.room {
            self.room -= size;
            self.take_down(said);
            return;
        }
        self.room = 0;
        self.end_bytes += size;
        self.end.push_back(said);
        while self.end_bytes > KEPT
            && let Some(oldest) = self.end.pop_front()
        {
            self.end_bytes -= oldest.size();
            self.dropped += oldest.size() as u64;
        }
    }

    fn take_down(&self, said: Said) {
        let size = said.size();
        let kind = EventKind::AgentSaid { place: self.place.clone(), said };
        // A failure has turned the knob; the supervisor ends the session.
        let _ = self.journal.emit_said(kind, size);
    }

    fn tick(&self, bytes: u64, last_line: String) {
        // A failure has turned the knob; the supervisor ends the session.
        let _ = self.journal.flush(Durability::Process);
        self.journal.show(EventKind::Ticked { place: self.place.clone(), bytes, last_line });
    }

    fn finish(mut self) {
        if self.dropped > 0 {
            let text = format!("[windlass: {} bytes were said here and not kept]", self.dropped);
            self.take_down(Said::Raw { text });
        }
        for said in std::mem::take(&mut self.end) {
            self.take_down(said);
        }
    }
}

pub(super) async fn perform(
    worker: &Worker,
    place: &Place,
    step: &SessionStep,
    stop: &Stop,
    listener: Listener<'_>,
) -> Result<SessionReport, Halt> {
    let Some(Hired { agent, wishes }) = worker.cast.get(&step.agent) else {
        let message = format!("no agent `{}` was hired for this loop", step.agent);
        return Err(Halt::Failed { message, code: 70 });
    };
    let prompt_file = PromptFile::path_for(worker, place);
    let ask = Ask {
        role: &step.role,
        iteration: place.iteration(),
        prompt: &step.prompt,
        directory: &worker.directory,
        env: &worker.env,
        proof: &worker.proof,
        wishes,
        is_root: process::is_root(),
        prompt_file: &prompt_file,
    };
    let _prompt_file = if agent.reads_prompt_file() {
        let written = PromptFile::write(&prompt_file, &agent.prompt_file_text(&ask));
        Some(written.map_err(|error| worker.failed("write the prompt file", &error))?)
    } else {
        None
    };
    let limits = TimeLimits {
        total: worker.pace.timeout.0,
        idle: worker.pace.idle_timeout.0,
        grace: worker.pace.grace.0,
    };
    let file = |stream: &str| {
        Capture::new(worker.output_directory.join(format!("{}.{stream}", place.file_name())))
    };
    let mut decoder = agent.decoder(&ask);
    decoder.started(&jiff::Zoned::now());
    let lines = Lines::with_limit(decoder.longest_line());
    let mut ear = Ear {
        decoder,
        lines,
        heard: Vec::new(),
        stderr: Vec::new(),
        last_line: String::new(),
        said: 0,
        stdout_file: file("stdout"),
        stderr_file: file("stderr"),
        listener,
    };
    let spec = agent.command(&ask);
    match worker.guardian.supervise(spec, limits, stop, &mut ear).await {
        Ok(exit) if exit.survivors > 0 => Err(survived(exit.survivors)),
        Ok(exit) => Ok(ear.finish(&exit)),
        Err(StartError::NoDirectory { .. }) => Err(worker.directory_gone()),
        Err(error @ StartError::Guardian { .. }) => Err(worker.start_failed(&error)),
        Err(error) => Ok(not_started(&error)),
    }
}

/// The report of a session whose program could not be started: a failure like others, for the
/// next try may work.
fn not_started(error: &StartError) -> SessionReport {
    SessionReport {
        outcome: Outcome::NotFound,
        final_text: String::new(),
        claim: ClaimReading::default(),
        problem: Some(error.to_string()),
        usage: Usage::default(),
        model: None,
        tools: 0,
        denied: 0,
        session_id: None,
        said: 0,
        exit_code: None,
        stdout: StreamStats::default(),
        stderr: StreamStats::default(),
        leftovers: Vec::new(),
        duration_ms: 0,
    }
}

/// Takes the bytes of a session apart: raw to files, lines to the decoder, words to the listener.
struct Ear<'a> {
    decoder: Box<dyn Decoder + Send>,
    lines: Lines,
    heard: Vec<Said>,
    stderr: Vec<u8>,
    last_line: String,
    /// How many characters the agent itself said.
    said: u64,
    stdout_file: Capture,
    stderr_file: Capture,
    listener: Listener<'a>,
}

impl OutputSink for Ear<'_> {
    fn output(&mut self, stream: Stream, bytes: &[u8]) {
        match stream {
            Stream::Stdout => {
                self.stdout_file.write(bytes);
                let (decoder, heard) = (&mut self.decoder, &mut self.heard);
                self.lines.push_blocks(bytes, |block| match block {
                    Block::Line(line) => decoder.line(line.bytes, line.cut, heard),
                    Block::Lines(lines) => decoder.lines(lines, heard),
                });
            }
            Stream::Stderr => {
                self.stderr_file.write(bytes);
                self.stderr.extend_from_slice(bytes);
                if self.stderr.len() >= PIECE {
                    self.give_stderr();
                }
            }
        }
        self.pass_on();
    }

    fn tick(&mut self) {
        self.decoder.flush(&mut self.heard);
        self.give_stderr();
        self.pass_on();
        let bytes = self.stdout_file.stats().bytes + self.stderr_file.stats().bytes;
        self.listener.tick(bytes, self.last_line.clone());
    }

    fn is_hopeless(&self) -> bool {
        self.decoder.is_hopeless()
    }
}

impl Ear<'_> {
    fn give_stderr(&mut self) {
        if !self.stderr.is_empty() {
            let text = String::from_utf8_lossy(&self.stderr).into_owned();
            self.stderr.clear();
            self.heard.push(Said::Stderr { text });
        }
    }

    fn pass_on(&mut self) {
        for said in self.heard.drain(..) {
            let line = match &said {
                Said::Text { text } | Said::Stderr { text } => text.trim_end().lines().next_back(),
                Said::ToolUse { summary, .. } => Some(summary.as_str()),
                _ => None,
            };
            self.said += own_words(&said);
            if let Some(line) = line {
                self.last_line = line.chars().take(400).collect();
            }
            self.listener.hear(said);
        }
    }

    fn finish(mut self, exit: &Exit) -> SessionReport {
        let (decoder, heard) = (&mut self.decoder, &mut self.heard);
        self.lines.finish(|line| decoder.line(line.bytes, line.cut, heard));
        self.give_stderr();
        self.pass_on();
        let error_line = self.last_line.clone();
        let reading = self.decoder.finish(exit, &mut self.heard);
        for said in self.heard.drain(..) {
            self.said += own_words(&said);
            self.listener.hear(said);
        }
        self.listener.finish();
        let problem = reading.problem.or_else(|| {
            let says = reading.outcome.is_failure() && !error_line.trim().is_empty();
            says.then_some(error_line)
        });
        SessionReport {
            outcome: reading.outcome,
            final_text: reading.final_text,
            claim: reading.claim,
            problem,
            usage: reading.usage,
            model: reading.model,
            tools: reading.tools,
            denied: reading.denied,
            session_id: reading.session_id,
            said: self.said,
            exit_code: exit.code,
            stdout: self.stdout_file.finish(),
            stderr: self.stderr_file.finish(),
            leftovers: exit.leftovers.clone(),
            duration_ms: millis(exit.duration),
        }
    }
}

/// How many characters of it are the agent's own.
fn own_words(said: &Said) -> u64 {
    match said {
        Said::Text { text } => text.len() as u64,
        _ => 0,
    }
}

/// A file with the prompt, readable by the user alone, there only while the session runs.
struct PromptFile(PathBuf);

impl PromptFile {
    fn path_for(worker: &Worker, place: &Place) -> PathBuf {
        worker.run_directory.join(format!("{}.prompt", place.file_name()))
    }

    fn write(path: &Path, prompt: &str) -> io::Result<Self> {
        if let Some(directory) = path.parent() {
            home::create_private(directory)?;
        }
        // One may be left over from a session that was cut off.
        match fs::remove_file(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => (),
        }
        let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
        let guard = Self(path.to_owned());
        file.write_all(prompt.as_bytes())?;
        Ok(guard)
    }
}

impl Drop for PromptFile {
    fn drop(&mut self) {
        // Nothing can be done about a file that will not go; the next session overwrites it.
        drop(fs::remove_file(&self.0));
    }
}
