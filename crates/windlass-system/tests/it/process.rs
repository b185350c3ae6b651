//! The supervisor against processes that do what real agents do on a bad day.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on must fail")]

mod ending;
mod guardian;
mod starting;
mod streams;

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::Command,
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, kill_process, test_kill_process};
use windlass_core::{
    ending::CancelledBy,
    ids::LoopId,
    process::{EndedBy, Exit, ProcessSpec},
};
use windlass_system::{
    process::{
        Chunk, Guardian, GuardianProgram, Lines, OutputSink, StartError, Stream, TimeLimits,
        end_marked,
    },
    stop::Stop,
};

/// Collects what comes: all bytes where they are few, their number and their end otherwise.
#[derive(Default)]
pub(crate) struct Sink {
    pub(crate) stdout: Vec<u8>,
    pub(crate) bytes: [u64; 2],
    ticks: u32,
}

impl OutputSink for Sink {
    fn output(&mut self, stream: Stream, chunk: &mut Chunk) {
        let bytes = chunk.bytes();
        self.bytes[usize::from(stream == Stream::Stderr)] += bytes.len() as u64;
        if stream == Stream::Stdout && self.stdout.len() < 64 * 1024 {
            self.stdout.extend_from_slice(bytes);
        }
    }

    fn tick(&mut self) {
        self.ticks += 1;
    }
}

pub(crate) const UNLIMITED: TimeLimits =
    TimeLimits { total: Duration::ZERO, idle: Duration::ZERO, grace: Duration::from_secs(5) };

pub(crate) fn program() -> GuardianProgram {
    GuardianProgram::At(PathBuf::from(env!("CARGO_BIN_EXE_guardian")))
}

pub(crate) fn guardian() -> Guardian {
    Guardian::start(&program(), Some(&LoopId::of_number(fastrand::u64(..))), Vec::new()).unwrap()
}

pub(crate) fn command(program: &str, args: &[&str]) -> ProcessSpec {
    ProcessSpec {
        program: program.into(),
        args: args.iter().map(Into::into).collect(),
        env: vec![("PATH".into(), "/usr/local/bin:/usr/bin:/bin".into())],
        directory: "/".into(),
        stdin: Vec::new(),
    }
}

pub(crate) fn sh(script: &str) -> ProcessSpec {
    command("/bin/sh", &["-c", script])
}

async fn run(spec: ProcessSpec) -> (Exit, Sink) {
    run_with(spec, UNLIMITED, &Stop::default()).await
}

async fn run_with(spec: ProcessSpec, limits: TimeLimits, stop: &Stop) -> (Exit, Sink) {
    let guardian = guardian();
    let mut sink = Sink::default();
    let exit = guardian.supervise(spec, limits, stop, &mut sink).await.unwrap();
    guardian.close().await;
    (exit, sink)
}

/// The processes whose command line has `word`, but for those of this test itself.
fn running(word: &str) -> Vec<i32> {
    let entries = fs::read_dir("/proc").unwrap();
    let numbers = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    numbers
        .filter(|pid: &i32| *pid != std::process::id() as i32)
        .filter(|pid| {
            let line = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
            String::from_utf8_lossy(&line).contains(word)
        })
        .collect()
}

/// A number of seconds that no other test sleeps, to find a sleeper again.
fn odd_seconds() -> String {
    format!("{}.{:09}", 300 + std::process::id() % 1000, rand())
}

fn rand() -> u32 {
    let id = LoopId::of_number(fastrand::u64(..));
    u32::from_str_radix(&id.as_str()[..7], 16).unwrap()
}

async fn until(mut what: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !what() {
        assert!(begun.elapsed() < Duration::from_secs(10), "it never came");
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
}

fn resident() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}
