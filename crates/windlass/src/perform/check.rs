//! Runs one command that must pass.

use std::{ffi::OsString, path::PathBuf, time::Duration};

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

use super::{Started, Worker, check_output::CheckOutput, survived, unless_killed};
use crate::{halt::Halt, workplace::hex};

/// How much of the end of a check's output is kept for the next prompt and the screens.
const TAIL: usize = 16 * 1024;

pub(super) async fn perform(
    worker: &Worker,
    place: &Place,
    step: &CheckStep,
    stop: &Stop,
) -> Result<CheckReport, Halt> {
    // Python compares whole seconds and sizes: a quick edit would look like the source of before.
    let also: &[(&str, &str)] =
        if step.is_baseline { &[("PYTHONDONTWRITEBYTECODE", "1")] } else { &[] };
    if step.is_baseline && worker.tree.is_none() {
        let kept = unless_killed(stop, async { Ok(worker.files.keep_start().await) }).await?;
        kept.map_err(|why| worker.could_not("keep the files as they are", &why))?;
    }
    perform_with(worker, place, step, stop, also).await
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
    if let Some(below) = step.found_in.as_deref().filter(|below| !worker.files.has_place(below)) {
        return Ok(without_directory(step, below));
    }
    let shell = worker.trusted.shell().map_err(|error| worker.start_failed(&error))?;
    let spec = ProcessSpec {
        program: shell.into(),
        args: vec!["-c".into(), step.command.clone().into()],
        env: environment(worker, step).into_iter().chain(also).collect(),
        directory: directory(worker, step),
        stdin: Vec::new(),
    };
    let at_most = step.at_most_ms.map_or(Duration::MAX, Duration::from_millis);
    let limits = TimeLimits {
        total: worker.check_timeout.0.min(at_most),
        idle: Duration::ZERO,
        grace: worker.pace.grace.0,
    };
    let path = worker.output_directory.join(format!("{}.check", place.file_name()));
    let mut sink = Sink {
        capture: Capture::new(path.clone(), &worker.secrets),
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
    let timed_out = exit.ended_by.is_some();
    let (tail, output_hash) = (sink.tail(), hex(&sink.hasher.finalize()));
    // Some runners end in good order when they are told to end: what they sum up then is not all.
    let told = if timed_out { CheckOutput::default() } else { CheckOutput::read(&path, &tail) };
    let no_test_failed = told.tests.as_ref().is_none_or(|tests| tests.failed == 0);
    Ok(CheckReport {
        command: step.command.clone(),
        passed: exit.code == Some(0) && !timed_out && no_test_failed,
        exit_code: exit.code,
        timed_out,
        tail,
        output_hash,
        tree: step.tree.clone(),
        duration_ms: millis(exit.duration),
        tests: told.tests,
        first_error: told.first_error,
    })
}

/// Where the check runs: one that windlass found runs where the file is that it comes from.
fn directory(worker: &Worker, step: &CheckStep) -> PathBuf {
    match &step.found_in {
        Some(below) => worker.files.place(below),
        None => worker.directory.clone(),
    }
}

/// Its environment. Test runners that would wait for changes do not where `CI` is set.
fn environment(worker: &Worker, step: &CheckStep) -> Vec<(OsString, OsString)> {
    let mut env = worker.env.clone();
    if step.found_in.is_some() {
        env.insert("CI".into(), "1".into());
    }
    env.into_iter().collect()
}

/// The agent has taken the directory away, or put a link in its place: that is no reason to end the
/// loop.
fn without_directory(step: &CheckStep, below: &str) -> CheckReport {
    let tail = format!("the directory `{below}` is not there any more, so the check cannot run");
    CheckReport {
        command: step.command.clone(),
        passed: false,
        exit_code: None,
        timed_out: false,
        output_hash: hex(&Sha256::digest(&tail)),
        tail,
        tree: step.tree.clone(),
        duration_ms: 0,
        tests: None,
        first_error: None,
    }
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
