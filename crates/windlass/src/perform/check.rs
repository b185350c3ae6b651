//! Runs one command that must pass.

use sha2::{Digest, Sha256};
use tokio::time::sleep;
use windlass_core::{
    ids::Place,
    process::{EndedBy, ProcessSpec},
    step::{CheckReport, CheckStep},
    time::millis,
};
use windlass_repo::tree::Who;
use windlass_system::{
    process::{Capture, Chunk, OutputSink, Shortage, Stream, TimeLimits},
    stop::Stop,
};

use super::{Started, Worker, survived, unless_killed};
use crate::{halt::Halt, workplace::hex};

/// How much of the end of a check's output is kept for the next prompt and the screens.
const TAIL: usize = 16 * 1024;

pub(super) async fn perform(
    worker: &Worker,
    place: &Place,
    step: &CheckStep,
    stop: &Stop,
) -> Result<CheckReport, Halt> {
    perform_with(worker, place, step, stop, &[]).await
}

/// The same with these variables, too.
pub(super) async fn perform_with(
    worker: &Worker,
    place: &Place,
    step: &CheckStep,
    stop: &Stop,
    also: &[(&str, &str)],
) -> Result<CheckReport, Halt> {
    let also = also.iter().map(|(name, value)| ((*name).into(), (*value).into()));
    let shell = worker.trusted.shell().map_err(|error| worker.start_failed(&error))?;
    let spec = ProcessSpec {
        program: shell.into(),
        args: vec!["-c".into(), step.command.clone().into()],
        env: worker.env.clone().into_iter().chain(also).collect(),
        directory: worker.directory.clone(),
        stdin: Vec::new(),
    };
    let limits = TimeLimits {
        total: worker.check_timeout.0,
        idle: std::time::Duration::ZERO,
        grace: worker.pace.grace.0,
    };
    let path = worker.output_directory.join(format!("{}.check", place.file_name()));
    let mut sink = Sink {
        capture: Capture::new(path, &worker.secrets),
        hasher: Sha256::new(),
        tail: Vec::new(),
    };
    let sandbox = worker.sandboxes.lead();
    unless_killed(stop, worker.enter(sandbox, Who::Check)).await?;
    let mut shortage = Shortage::default();
    let ended = loop {
        let started = Started { spec: spec.clone(), files: &[] };
        let ended = worker.supervise(sandbox, started, limits, stop, &mut sink).await;
        match ended.as_ref().err().and_then(|error| shortage.pause(error)) {
            Some(pause) => sleep(pause).await,
            None => break ended,
        }
    };
    unless_killed(stop, worker.leave(sandbox, Who::Check)).await?;
    let exit = ended.map_err(|error| worker.start_failed(&error))?;
    if !exit.survivors.is_empty() {
        return Err(survived(&exit.survivors));
    }
    if exit.ended_by == Some(EndedBy::Stop) {
        return Err(Halt::Stopped);
    }
    sink.capture.finish();
    Ok(CheckReport {
        command: step.command.clone(),
        passed: exit.code == Some(0) && exit.ended_by.is_none(),
        exit_code: exit.code,
        timed_out: exit.ended_by.is_some(),
        tail: sink.tail(),
        output_hash: hex(&sink.hasher.finalize()),
        tree: step.tree.clone(),
        duration_ms: millis(exit.duration),
        tests: None,
        first_error: None,
    })
}

/// Keeps the raw output, its hash and its end.
struct Sink {
    capture: Capture,
    hasher: Sha256,
    tail: Vec<u8>,
}

impl Sink {
    fn tail(&self) -> String {
        let start = self.tail.len().saturating_sub(TAIL);
        let text = String::from_utf8_lossy(&self.tail[start..]);
        let is_cut = self.hasher_saw_more_than(self.tail.len()) || start > 0;
        // The first line is likely cut in the middle; it goes.
        match text.split_once('\n') {
            Some((_, rest)) if is_cut => rest.trim_end().to_owned(),
            _ => text.trim_end().to_owned(),
        }
    }

    fn hasher_saw_more_than(&self, kept: usize) -> bool {
        self.capture.stats().bytes > kept as u64
    }
}

impl OutputSink for Sink {
    fn output(&mut self, _stream: Stream, chunk: &mut Chunk) {
        let bytes = chunk.bytes();
        self.hasher.update(bytes);
        if bytes.len() >= TAIL {
            self.tail.clear();
            self.tail.extend_from_slice(&bytes[bytes.len() - TAIL..]);
        } else {
            self.tail.extend_from_slice(bytes);
            if self.tail.len() > 4 * TAIL {
                let cut = self.tail.len() - TAIL;
                self.tail.drain(..cut);
            }
        }
        self.capture.keep(chunk);
    }

    fn tick(&mut self) {
        self.capture.tick();
    }
}
