//! Starts a program from inside of a sandbox, where there is no guardian: as the first process of
//! all, or in this process's place.

use std::{
    ffi::OsString,
    io::{self, Write},
    os::unix::process::CommandExt,
    path::PathBuf,
    process::Command,
};

use rustix::{
    io::Errno,
    process::{Pid, WaitOptions, WaitStatus, wait},
};

use super::{BY_SIGNAL, given_back};

/// The exit codes that shells have for a program that is not there, and one that cannot be run.
const NOT_THERE: i32 = 127;
const NOT_EXECUTABLE: i32 = 126;

/// A program to start with the environment and the directory of this process.
pub(crate) struct Held {
    pub(crate) program: PathBuf,
    /// What it is told that it is called.
    pub(crate) name: OsString,
    pub(crate) args: Vec<OsString>,
}

impl Held {
    fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.arg0(&self.name).args(&self.args);
        for (name, value) in std::env::vars_os() {
            if let Some(own) = given_back(&name) {
                command.env(own, value).env_remove(&name);
            }
        }
        command
    }
}

/// Starts the program, reaps whatever becomes an orphan, and gives the program's exit code: where a
/// signal ended it, the one that a shell would give. When this process ends, its namespace does.
pub(crate) fn hold(held: &Held) -> i32 {
    let child = match held.command().spawn() {
        Ok(child) => child,
        Err(error) => return failed(held, &error),
    };
    let program = Pid::from_child(&child);
    loop {
        match wait(WaitOptions::empty()) {
            Ok(Some((pid, status))) if pid == program => return code(status),
            Ok(_) | Err(Errno::INTR) => {}
            Err(_) => return BY_SIGNAL,
        }
    }
}

/// Becomes the program. Returns only where it cannot, with an exit code.
pub(crate) fn become_program(held: &Held) -> i32 {
    let error = held.command().exec();
    failed(held, &error)
}

fn code(status: WaitStatus) -> i32 {
    let by_signal = || BY_SIGNAL + status.terminating_signal().unwrap_or_default();
    status.exit_status().unwrap_or_else(by_signal)
}

fn failed(held: &Held, error: &io::Error) -> i32 {
    let program = held.program.display();
    // Where standard error is gone, the code is all that is left.
    drop(writeln!(io::stderr(), "windlass: `{program}` cannot be run in the sandbox: {error}"));
    match error.kind() {
        io::ErrorKind::NotFound => NOT_THERE,
        _ => NOT_EXECUTABLE,
    }
}
