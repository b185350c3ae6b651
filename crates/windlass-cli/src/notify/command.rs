//! `command:CMD`: a program of the user's own, which gets the message and the result as JSON on its
//! standard input. Nothing of it is left behind.

use std::{sync::Arc, time::Duration};

use serde_json::json;
use windlass::system::{Guardian, GuardianProgram};
use windlass_core::process::ProcessSpec;

use super::{Channel, Message, Sending};
use crate::app::App;

/// How long the program may take.
const LIMIT: Duration = Duration::from_secs(9);

/// How much of what it prints is read.
const MOST: usize = 4096;

pub(super) fn open(rest: &str) -> Result<Arc<dyn Channel>, String> {
    let argv = shell_words::split(rest);
    let argv = argv.map_err(|error| format!("the command is not understood: {error}"))?;
    if argv.is_empty() {
        return Err("write `command:PROGRAM ARGUMENTS`".to_owned());
    }
    Ok(Arc::new(Command { argv }))
}

#[derive(Debug)]
struct Command {
    argv: Vec<String>,
}

impl Channel for Command {
    fn name(&self) -> String {
        format!("the command `{}`", self.argv[0])
    }

    fn send<'a>(&'a self, app: &'a App, message: &'a Message) -> Sending<'a> {
        Box::pin(self.run(app, message))
    }
}

impl Command {
    async fn run(&self, app: &App, message: &Message) -> Result<(), String> {
        let mut json = json!(message);
        json["result"] = json!(message.result);
        let spec = ProcessSpec {
            program: self.argv[0].clone().into(),
            args: self.argv[1..].iter().map(Into::into).collect(),
            // The user's own program gets the user's own environment.
            env: app.environment.all().clone().into_iter().collect(),
            directory: app.directory.clone(),
            stdin: format!("{json}\n").into_bytes(),
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
}
