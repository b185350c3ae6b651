//! A program that runs while the test goes on. It is killed when the test lets go of it.

use std::{
    fs,
    os::unix::process::ExitStatusExt,
    path::PathBuf,
    process::{Child, ExitStatus},
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, kill_process};

use crate::{Masks, Ran, waiting::holds_within};

/// A program that runs.
#[derive(Debug)]
#[must_use = "it is killed when it is dropped"]
pub struct Background {
    child: Child,
    line: String,
    out: PathBuf,
    err: PathBuf,
    started: Instant,
    limit: Duration,
    masks: Masks,
}

impl Background {
    pub(crate) fn new(
        child: Child,
        line: String,
        out: PathBuf,
        err: PathBuf,
        limit: Duration,
        masks: Masks,
    ) -> Self {
        Self { child, line, out, err, started: Instant::now(), limit, masks }
    }

    /// Its number.
    pub fn pid(&self) -> i32 {
        self.child.id().cast_signed()
    }

    /// What it has printed so far.
    pub fn stdout(&self) -> String {
        String::from_utf8_lossy(&fs::read(&self.out).unwrap_or_default()).into_owned()
    }

    /// What it has printed to standard error so far.
    pub fn stderr(&self) -> String {
        String::from_utf8_lossy(&fs::read(&self.err).unwrap_or_default()).into_owned()
    }

    /// Whether it still runs.
    pub fn is_running(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// Sends it a signal.
    #[track_caller]
    pub fn signal(&self, signal: Signal) {
        let pid = Pid::from_raw(self.pid()).expect("a child has a number");
        kill_process(pid, signal).expect("a child that was not waited for can be signalled");
    }

    /// Kills it and it alone with SIGKILL, and waits until it is gone.
    pub fn kill9(mut self) -> Ran {
        self.child.kill().expect("a child that was not waited for can be killed");
        self.wait()
    }

    /// Waits until `holds` does for what it has printed so far, standard output first; fails the
    /// test when it does not within `limit`, or when the program ends before.
    #[track_caller]
    pub fn wait_until(&mut self, limit: Duration, holds: impl Fn(&str, &str) -> bool) {
        let mut ended = false;
        let held = holds_within(limit, || {
            ended = !self.is_running();
            ended || holds(&self.stdout(), &self.stderr())
        });
        if !held || (ended && !holds(&self.stdout(), &self.stderr())) {
            let why = if ended { "it ended before" } else { "it took too long" };
            panic!("`{}`: {why}\n{}{}", self.line, self.stdout(), self.stderr());
        }
    }

    /// Waits for its end. A program that takes too long is killed, and fails the test.
    #[must_use = "say how it should have ended: `success()` or `code(n)`"]
    #[track_caller]
    pub fn wait(mut self) -> Ran {
        let left = self.limit.saturating_sub(self.started.elapsed());
        let mut status = None;
        let ended = holds_within(left, || {
            status = self.child.try_wait().expect("a child can be waited for");
            status.is_some()
        });
        if !ended {
            let (out, err) = (self.stdout(), self.stderr());
            panic!(
                "`{}` took longer than {:?}\n--- stdout\n{out}--- stderr\n{err}",
                self.line, self.limit
            );
        }
        self.ran(status.expect("it ended"))
    }

    fn ran(&self, status: ExitStatus) -> Ran {
        Ran {
            line: self.line.clone(),
            stdout: self.stdout(),
            stderr: self.stderr(),
            raw_stdout: fs::read(&self.out).unwrap_or_default(),
            code: status.code(),
            signal: status.signal(),
            duration: self.started.elapsed(),
            masks: self.masks.learn(),
        }
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        // Both fail only where it is gone already.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
