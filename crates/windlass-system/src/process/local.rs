//! Runs a short command from inside a confined helper, where there is no guardian: the command has
//! the helper's rights, and ends with it.

use std::{
    fs::File,
    io::{self, Read, Write},
    os::{
        fd::{AsFd, OwnedFd},
        unix::process::{CommandExt, ExitStatusExt},
    },
    path::PathBuf,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    fs::{OFlags, fcntl_getfl, fcntl_setfl},
    process::{Pid, PidfdFlags, Signal, kill_process_group, pidfd_open},
};
use windlass_core::process::ProcessSpec;

use super::{Output, Shortage, StartError, resolve};

/// How much is read or written at once.
const PIECE: usize = 64 * 1024;

/// How long pipes are read that something else holds open after the command has ended.
const LINGER: Duration = Duration::from_secs(1);

/// After so long it is asked what holds a command up.
const SLOW: Duration = Duration::from_secs(2);

/// Runs a command to its end, for at most `limit`, keeping at most `max_bytes` of each stream. Where
/// it takes long, `held_up` is asked once for a file that it waits at in vain; it is ended if there
/// is one. It blocks.
pub fn run_locally(
    spec: &ProcessSpec,
    limit: Duration,
    max_bytes: usize,
    held_up: &dyn Fn() -> Option<PathBuf>,
) -> Result<Output, StartError> {
    let path = resolve::program(spec)?;
    let failed = |error: &io::Error| match error.raw_os_error() {
        Some(errno) => resolve::explain(errno, &path, spec),
        None => StartError::Other { program: path.display().to_string(), why: error.to_string() },
    };
    let mut command = Command::new(&path);
    command.args(&spec.args).env_clear().envs(spec.env.iter().cloned());
    command.current_dir(&spec.directory).process_group(0);
    let stdin = if spec.stdin.is_empty() { Stdio::null() } else { Stdio::piped() };
    command.stdin(stdin).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut shortage = Shortage::default();
    let mut child = loop {
        let error = match command.spawn() {
            Ok(child) => break child,
            Err(error) => failed(&error),
        };
        match shortage.pause(&error) {
            Some(pause) => thread::sleep(pause),
            None => return Err(error),
        }
    };
    let ran =
        Run::of(&mut child, &spec.stdin, max_bytes).and_then(|run| run.complete(limit, held_up));
    let mut output = match ran {
        Ok(output) => output,
        Err(error) => {
            end(&child);
            drop(child.wait());
            return Err(failed(&error));
        }
    };
    if output.timed_out || output.held_up_by.is_some() {
        end(&child);
    }
    let status = child.wait().map_err(|error| failed(&error))?;
    (output.code, output.signal) = (status.code(), status.signal());
    Ok(output)
}

/// Kills the command with what it started. It was not waited for yet, so the number is its own.
fn end(child: &Child) {
    let _ = kill_process_group(Pid::from_child(child), Signal::KILL);
}

/// A command that runs, with our ends of its pipes.
struct Run<'a> {
    exit: OwnedFd,
    stdin: Option<(File, &'a [u8])>,
    stdout: Option<File>,
    stderr: Option<File>,
    output: Output,
    max_bytes: usize,
}

impl<'a> Run<'a> {
    fn of(child: &mut Child, input: &'a [u8], max_bytes: usize) -> io::Result<Self> {
        let open = |end: OwnedFd| {
            fcntl_setfl(&end, fcntl_getfl(&end)? | OFlags::NONBLOCK)?;
            io::Result::Ok(File::from(end))
        };
        let stdin = child.stdin.take().map(|end| open(end.into())).transpose()?;
        Ok(Self {
            exit: pidfd_open(Pid::from_child(child), PidfdFlags::empty())?,
            stdin: stdin.map(|pipe| (pipe, input)),
            stdout: child.stdout.take().map(|end| open(end.into())).transpose()?,
            stderr: child.stderr.take().map(|end| open(end.into())).transpose()?,
            output: Output::default(),
            max_bytes,
        })
    }

    fn complete(
        mut self,
        limit: Duration,
        held_up: &dyn Fn() -> Option<PathBuf>,
    ) -> io::Result<Output> {
        let began = Instant::now();
        let mut until = began + limit;
        let mut slow = Some(began + SLOW);
        let mut has_ended = false;
        let mut buffer = vec![0; PIECE];
        while !has_ended || self.stdout.is_some() || self.stderr.is_some() {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                self.output.timed_out = !has_ended;
                break;
            }
            if slow.is_some_and(|slow| slow <= Instant::now()) && !has_ended {
                slow = None;
                self.output.held_up_by = held_up();
                if self.output.held_up_by.is_some() {
                    break;
                }
            }
            let to_slow = slow.map_or(left, |slow| slow.saturating_duration_since(Instant::now()));
            let ended = self.wait(left.min(to_slow), has_ended)?;
            self.feed();
            let kept = self.max_bytes;
            let Output { stdout, stderr, cut, .. } = &mut self.output;
            drain(&mut self.stdout, stdout, kept, cut, &mut buffer);
            drain(&mut self.stderr, stderr, kept, cut, &mut buffer);
            if ended && !has_ended {
                has_ended = true;
                self.stdin = None;
                until = until.min(Instant::now() + LINGER);
            }
        }
        Ok(self.output)
    }

    /// Waits until there is something to do; says whether the command has ended.
    fn wait(&self, left: Duration, has_ended: bool) -> io::Result<bool> {
        let mut entries = Vec::with_capacity(4);
        if !has_ended {
            entries.push(PollFd::new(&self.exit, PollFlags::IN));
        }
        for pipe in self.stdout.iter().chain(&self.stderr) {
            entries.push(PollFd::from_borrowed_fd(pipe.as_fd(), PollFlags::IN));
        }
        if let Some((pipe, _)) = &self.stdin {
            entries.push(PollFd::from_borrowed_fd(pipe.as_fd(), PollFlags::OUT));
        }
        let timeout = Timespec {
            tv_sec: i64::try_from(left.as_secs()).unwrap_or(i64::MAX),
            tv_nsec: left.subsec_nanos().into(),
        };
        match poll(&mut entries, Some(&timeout)) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(errno) => return Err(errno.into()),
        }
        Ok(!has_ended && !entries[0].revents().is_empty())
    }

    fn feed(&mut self) {
        let Some((pipe, rest)) = &mut self.stdin else { return };
        while !rest.is_empty() {
            match pipe.write(&rest[..rest.len().min(PIECE)]) {
                Ok(count) => *rest = &rest[count..],
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                // It does not want more.
                Err(_) => break,
            }
        }
        self.stdin = None;
    }
}

/// Reads what is there; closes the pipe at its end.
fn drain(
    pipe: &mut Option<File>,
    to: &mut Vec<u8>,
    most: usize,
    cut: &mut bool,
    buffer: &mut [u8],
) {
    let Some(file) = pipe else { return };
    loop {
        match file.read(buffer) {
            Ok(0) => break,
            Ok(count) => {
                let room = most.saturating_sub(to.len());
                *cut |= count > room;
                to.extend_from_slice(&buffer[..count.min(room)]);
            }
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => return,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => break,
        }
    }
    *pipe = None;
}
