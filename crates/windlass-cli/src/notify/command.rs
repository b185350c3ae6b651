//! `command:CMD`: a program of the user's own, which gets the message and the result as JSON on its
//! standard input.

use std::sync::{Arc, OnceLock};

use serde_json::json;
use windlass::system::{OwnCommand, StartError};

use super::{
    Channel, Message, Sending,
    run::{Call, run},
};
use crate::host::{app::App, program};

pub(super) fn open(rest: &str) -> Result<Arc<dyn Channel>, String> {
    let argv = shell_words::split(rest);
    let argv = argv.map_err(|error| format!("the command is not understood: {error}"))?;
    if argv.is_empty() {
        return Err("write `command:PROGRAM ARGUMENTS`".to_owned());
    }
    Ok(Arc::new(Command { argv, found: OnceLock::new() }))
}

#[derive(Debug)]
struct Command {
    argv: Vec<String>,
    found: OnceLock<Result<OwnCommand, StartError>>,
}

impl Command {
    fn found(&self, app: &App) -> &Result<OwnCommand, StartError> {
        let find = || OwnCommand::find(program::trusted(app), &self.argv, &app.directory);
        self.found.get_or_init(find)
    }
}

impl Channel for Command {
    fn name(&self) -> String {
        format!("the command `{}`", self.argv[0])
    }

    /// It runs with the user's rights, when an agent has been at work: what that could have written
    /// is not run so. One that is not there is told when there is something to tell.
    fn prepare(&self, app: &App) -> Result<(), String> {
        match self.found(app).as_ref().ok().and_then(OwnCommand::planted) {
            Some(file) => {
                Err(format!("{} runs `{}`, which the agent can write", self.name(), file.display()))
            }
            None => Ok(()),
        }
    }

    fn send<'a>(&'a self, app: &'a App, message: &'a Message) -> Sending<'a> {
        let mut json = json!(message);
        json["result"] = json!(message.result);
        Box::pin(async move {
            let found = self.found(app).clone().map_err(|error| error.to_string())?;
            let (program, args) = (found.program, found.args);
            let stdin = format!("{json}\n").into_bytes();
            run(app, &app.directory, Call { program, args, stdin }).await
        })
    }
}
