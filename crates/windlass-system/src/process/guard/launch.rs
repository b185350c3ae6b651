//! Starts one process, in a group of its own, with everything given and nothing inherited.

use std::{
    os::{fd::OwnedFd, unix::process::CommandExt},
    process::{Command, Stdio},
    thread,
    time::Duration,
};

use rustix::{
    io::Errno,
    process::{Pid, Signal, kill_process},
};

use crate::process::protocol::Launch;

/// How often a program that is just being written is tried again, and how long between.
const BUSY_TRIES: u32 = 10;
const BUSY_PAUSE: Duration = Duration::from_millis(5);

/// Starts the process; gives its number and its pidfd, or the system's error number.
pub(super) fn start(launch: Launch, descriptors: Vec<OwnedFd>) -> Result<(i32, OwnedFd), i32> {
    let Ok([stdin, stdout, stderr]) = <[OwnedFd; 3]>::try_from(descriptors) else {
        return Err(Errno::BADF.raw_os_error());
    };
    // No `pre_exec`: it would cost the fast path of the standard library.
    let mut command = Command::new(&launch.path);
    command
        .arg0(&launch.name)
        .args(&launch.args)
        .env_clear()
        .envs(launch.env)
        .current_dir(&launch.directory)
        .process_group(0)
        .stdin(Stdio::from(stdin))
        .stdout(Stdio::from(stdout))
        .stderr(Stdio::from(stderr));
    let mut tries = 0;
    let child = loop {
        match command.spawn() {
            Ok(child) => break child,
            Err(error) => {
                let errno = error.raw_os_error().unwrap_or(Errno::INVAL.raw_os_error());
                if errno != Errno::TXTBSY.raw_os_error() || tries == BUSY_TRIES {
                    return Err(errno);
                }
                tries += 1;
                thread::sleep(BUSY_PAUSE);
            }
        }
    };
    let pid = Pid::from_child(&child);
    match super::open_child(pid) {
        Ok(handle) => Ok((pid.as_raw_pid(), handle)),
        Err(errno) => {
            // It is not reaped yet, so the number is still its own.
            let _ = kill_process(pid, Signal::KILL);
            Err(errno.raw_os_error())
        }
    }
}
