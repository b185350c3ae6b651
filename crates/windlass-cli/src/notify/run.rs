//! Runs a notification program under a guardian, with a time limit. Nothing of it is left behind.

use std::time::Duration;

use windlass::system::{Guardian, GuardianProgram};
use windlass_core::process::ProcessSpec;

use crate::host::app::App;

/// How long the program may take.
const LIMIT: Duration = Duration::from_secs(9);

/// How much of what it prints is read.
const MOST: usize = 4096;

/// Runs a program with the user's own environment; gives why it failed.
pub(super) async fn run(app: &App, argv: &[String], stdin: Vec<u8>) -> Result<(), String> {
    let spec = ProcessSpec {
        program: argv[0].clone().into(),
        args: argv[1..].iter().map(Into::into).collect(),
        env: app.environment.all().clone().into_iter().collect(),
        directory: app.directory.clone(),
        stdin,
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
