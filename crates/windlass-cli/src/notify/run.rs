//! Runs a notification program under a guardian, with a time limit. Nothing of it is left behind.

use std::{
    ffi::OsString,
    path::{Path, PathBuf},
    time::Duration,
};

use windlass::system::{Guardian, GuardianProgram};
use windlass_core::process::ProcessSpec;

use crate::host::{app::App, program};

/// How long the program may take.
const LIMIT: Duration = Duration::from_secs(9);

/// How much of what it prints is read.
const MOST: usize = 4096;

/// A program to run, by its whole path.
#[derive(Clone, Debug)]
pub(super) struct Call {
    pub(super) program: PathBuf,
    pub(super) args: Vec<OsString>,
    pub(super) stdin: Vec<u8>,
}

/// Runs a program with the user's own environment, but for what an agent has a say in; gives why it
/// failed.
pub(super) async fn run(app: &App, directory: &Path, call: Call) -> Result<(), String> {
    let env = program::trusted(app).environment(app.environment.all().clone());
    let spec = ProcessSpec {
        program: call.program.into(),
        args: call.args,
        env: env.into_iter().collect(),
        directory: directory.to_owned(),
        stdin: call.stdin,
    };
    let guardian = Guardian::start(&GuardianProgram::ThisProgram, None, Vec::new());
    let guardian = guardian.map_err(|error| error.to_string())?;
    let ran = guardian.output(spec, LIMIT, MOST).await;
    guardian.close().await;
    let output = ran.map_err(|error| error.to_string())?;
    match (output.timed_out, output.code) {
        (true, _) => Err("it took too long".to_owned()),
        (false, Some(0)) => Ok(()),
        (false, Some(code)) => Err(format!("it failed with exit code {code}")),
        (false, None) => Err("it was ended by a signal".to_owned()),
    }
}
