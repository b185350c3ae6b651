//! `command:CMD`: a program of the user's own, which gets the message and the result as JSON on its
//! standard input.

use std::sync::Arc;

use serde_json::json;

use super::{Channel, Message, Sending, run::run};
use crate::host::app::App;

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
        let mut json = json!(message);
        json["result"] = json!(message.result);
        Box::pin(run(app, &self.argv, format!("{json}\n").into_bytes()))
    }
}
