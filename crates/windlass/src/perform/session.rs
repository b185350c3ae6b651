//! Calls an agent, and hears what it says.

use windlass_agents::{Ask, Decoder, Hired, Wishes};
use windlass_core::{
    claim::ClaimReading,
    ids::Place,
    outcome::Outcome,
    process::{Exit, StreamStats},
    role,
    said::{Said, Usage},
    secrets::Secrets,
    step::{SessionReport, SessionStep},
    time::millis,
};
use windlass_repo::tree::Who;
use windlass_system::{
    process::{self, Block, Capture, Chunk, Lines, OutputSink, StartError, Stream, TimeLimits},
    sandbox::Sandbox,
    stop::Stop,
};

use super::{Listener, Started, Worker, session_files::SessionFiles, survived, unless_killed};
use crate::halt::Halt;

/// So many bytes are shown of the line that an agent said last.
const LAST_LINE: usize = 400;

/// So much of a line of standard error is looked at.
const ERROR_LINE: usize = 64 * 1024;

/// Standard error is passed on in pieces of at most this size.
const PIECE: usize = 32 * 1024;

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
    let sandbox = worker.sandboxes.of(&step.agent);
    let prompt_file = SessionFiles::path_for(worker, sandbox, place, "prompt");
    let hooks_file = SessionFiles::path_for(worker, sandbox, place, "hooks.json");
    let ask = Ask {
        role: &step.role,
        iteration: place.iteration(),
        prompt: &step.prompt,
        directory: &worker.directory,
        env: &worker.env,
        claiming: &worker.claiming,
        wishes: &for_session(wishes, step.lesson.as_deref(), sandbox),
        is_root: process::is_root() || sandbox.is_root_inside(),
        prompt_file: &prompt_file,
        hooks_file: None,
    };
    let files = SessionFiles::write(worker, agent.as_ref(), &ask, &hooks_file)?;
    let ask = Ask { hooks_file: files.hooks(), ..ask };
    let limits = TimeLimits {
        total: worker.pace.timeout.0,
        idle: worker.pace.idle_timeout.0,
        grace: worker.pace.grace.0,
    };
    let file = |stream: &str| {
        let name = format!("{}.{stream}", place.file_name());
        Capture::new(worker.output_directory.join(name), &worker.secrets)
    };
    let mut decoder = agent.decoder(&ask);
    decoder.started(&jiff::Zoned::now());
    let lines = Lines::with_limit(decoder.longest_line());
    let mut ear = Ear {
        decoder,
        lines,
        error_lines: Lines::with_limit(ERROR_LINE),
        heard: Vec::new(),
        stderr: Vec::new(),
        last_line: String::new(),
        said: 0,
        stdout_file: file("stdout"),
        stderr_file: file("stderr"),
        secrets: &worker.secrets,
        listener,
    };
    let mut spec = agent.command(&ask);
    if !sandbox.has_programs_of_its_own()
        && let Some(path) = worker.programs.get(&spec.program)
    {
        spec.program = path.clone().into();
    }
    let started = Started { spec, files: &files.paths() };
    unless_killed(stop, worker.enter(sandbox, Who::Agent)).await?;
    let ended = worker.supervise(sandbox, started, limits, stop, &mut ear).await;
    unless_killed(stop, worker.leave(sandbox, Who::Agent)).await?;
    match ended {
        Ok(exit) if !exit.survivors.is_empty() => Err(survived(&exit.survivors)),
        Ok(exit) => {
            let report = unless_silent(&step.role, ear.finish(&exit));
            worker.note_refusal(agent.as_ref(), &report.outcome);
            let is_unchecked = step.role == role::AGENT && !worker.has_checks;
            Ok(if is_unchecked { report.without_unchecked_claim() } else { report })
        }
        Err(StartError::NoDirectory { .. }) => Err(worker.directory_gone()),
        Err(
            error @ (StartError::Guardian { .. }
            | StartError::Survivors { .. }
            | StartError::Sandbox { .. }),
        ) => Err(worker.start_failed(&error)),
        Err(error) => Ok(not_started(&error)),
    }
}

/// Silence of one who must answer is a failure, however the program exited.
fn unless_silent(role: &str, mut report: SessionReport) -> SessionReport {
    let is_silent = report.final_text.trim().is_empty();
    if is_silent && role::must_answer(role) && report.outcome == Outcome::Finished {
        report.outcome = Outcome::NoResult;
    }
    report
}

/// What is wished of an agent in one session: with the lesson in its system prompt, and its permissions
/// decided by the sandbox that it really runs in.
fn for_session(wishes: &Wishes, lesson: Option<&str>, sandbox: &Sandbox) -> Wishes {
    let mut wishes = wishes.clone();
    let is_confined = !matches!(sandbox, Sandbox::None);
    wishes.skip_permissions = wishes.skip_permissions.decided(is_confined);
    if let Some(lesson) = lesson {
        let words = wishes.append_system_prompt.take();
        let words = words.map(|words| format!("{}\n\n{lesson}", words.trim_end()));
        wishes.append_system_prompt = Some(words.unwrap_or_else(|| lesson.to_owned()));
    }
    wishes
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
        denied_tools: Vec::new(),
        session_id: None,
        said: 0,
        exit_code: None,
        stdout: StreamStats::default(),
        stderr: StreamStats::default(),
        leftovers: Vec::new(),
        lost_background: Vec::new(),
        overage: None,
        duration_ms: 0,
    }
}

/// Takes the bytes of a session apart: raw to files, lines to the decoder, words to the listener.
struct Ear<'a> {
    decoder: Box<dyn Decoder + Send>,
    lines: Lines,
    error_lines: Lines,
    heard: Vec<Said>,
    stderr: Vec<u8>,
    last_line: String,
    /// How many characters the agent itself said.
    said: u64,
    stdout_file: Capture,
    stderr_file: Capture,
    secrets: &'a Secrets,
    listener: Listener<'a>,
}

impl OutputSink for Ear<'_> {
    fn output(&mut self, stream: Stream, chunk: &mut Chunk) {
        match stream {
            Stream::Stdout => {
                let (decoder, heard) = (&mut self.decoder, &mut self.heard);
                self.lines.push_blocks(chunk.bytes(), |block| match block {
                    Block::Line(line) => decoder.line(line.bytes, line.cut, heard),
                    Block::Lines(lines) => decoder.lines(lines, heard),
                });
                self.stdout_file.keep(chunk);
            }
            Stream::Stderr => {
                let decoder = &mut self.decoder;
                self.error_lines.push_blocks(chunk.bytes(), |block| match block {
                    Block::Line(line) => decoder.error_lines(line.bytes),
                    Block::Lines(lines) => decoder.error_lines(lines),
                });
                self.stderr.extend_from_slice(chunk.bytes());
                self.stderr_file.keep(chunk);
                if self.stderr.len() >= PIECE {
                    self.give_stderr(self.secrets.settled(&self.stderr));
                }
            }
        }
        self.pass_on();
    }

    fn tick(&mut self) {
        self.give_out();
        let files = [&mut self.stdout_file, &mut self.stderr_file];
        let bytes = files.iter().map(|file| file.stats().bytes).sum();
        files.into_iter().for_each(Capture::tick);
        self.listener.tick(bytes, self.last_line.clone());
    }

    fn is_hopeless(&self) -> bool {
        self.decoder.is_hopeless()
    }
}

impl Ear<'_> {
    /// Gives out what was held back for more to come.
    fn give_out(&mut self) {
        self.decoder.flush(&mut self.heard);
        // Standard error comes cut anywhere, and may be cut off in a secret.
        self.give_stderr(self.secrets.settled(&self.stderr));
        self.pass_on();
    }

    fn give_stderr(&mut self, length: usize) {
        if length > 0 {
            let text = String::from_utf8_lossy(&self.stderr[..length]).into_owned();
            self.stderr.drain(..length);
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
                self.last_line.clear();
                self.last_line.push_str(&line[..line.floor_char_boundary(LAST_LINE)]);
            }
            self.listener.hear(said);
        }
    }

    fn finish(mut self, exit: &Exit) -> SessionReport {
        self.give_out();
        let (decoder, heard) = (&mut self.decoder, &mut self.heard);
        self.lines.finish(|line| decoder.line(line.bytes, line.cut, heard));
        self.error_lines.finish(|line| decoder.error_lines(line.bytes));
        self.give_stderr(self.stderr.len());
        self.pass_on();
        let error_line = self.last_line.clone();
        // The files take their time, and so do the words.
        self.listener.write_meanwhile();
        // Before the last words, so that the memory of both is not taken at once.
        let (stdout, stderr) = (self.stdout_file.finish(), self.stderr_file.finish());
        if let Some(decoder) = self.decoder.better() {
            self.listener.suggest(decoder);
        }
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
            denied_tools: reading.denied_tools,
            session_id: reading.session_id,
            said: self.said,
            exit_code: exit.code,
            stdout,
            stderr,
            leftovers: exit.leftovers.clone(),
            lost_background: reading.lost_background,
            overage: reading.overage,
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
