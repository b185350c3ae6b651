//! `windlass agents`: which agents there are, how each is called, and whether its program is
//! there. Nothing is run.

use std::path::PathBuf;

use serde::Serialize;

use windlass::agent::{BUILT_IN, ConfiguredAgent, PromptMode};

use crate::{app::App, commands::config, config::Origin, failure::Failure, program};

/// List the agents that windlass can run
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// As one JSON array
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  windlass agents                 what is there, and what was not found

An agent of your own is a table in a config file; `windlass config --default` shows one.";

/// Where agents come from that need no config.
pub(crate) const BUILT_IN_ORIGIN: &str = "built in";

/// One agent, as it is listed.
#[derive(Debug, Serialize)]
pub(crate) struct Listed {
    /// The name that people type.
    pub(crate) name: String,
    /// `built in`, or the file that it comes from.
    pub(crate) origin: String,
    /// How it is called.
    call: String,
    /// The program that it needs; `None` where the user names one.
    pub(crate) program: Option<String>,
    /// Where that program is.
    pub(crate) found: Option<PathBuf>,
}

/// All agents: those that are built in, then those of the config.
pub(crate) fn list(
    app: &App,
    config: impl IntoIterator<Item = (String, (ConfiguredAgent, Origin))>,
) -> Vec<Listed> {
    let built_in = BUILT_IN.iter().map(|built_in| Listed {
        name: built_in.name.to_owned(),
        origin: BUILT_IN_ORIGIN.to_owned(),
        call: built_in.call.to_owned(),
        program: built_in.install.map(|_| built_in.name.to_owned()),
        found: built_in.install.and_then(|_| program::find(app, built_in.name)),
    });
    let config = config.into_iter().map(|(name, (table, origin))| Listed {
        name,
        origin: origin.to_string(),
        call: call(&table),
        found: table.command.first().and_then(|program| program::find(app, program)),
        program: table.command.first().cloned(),
    });
    built_in.chain(config).collect()
}

fn call(table: &ConfiguredAgent) -> String {
    let command = shell_words::join(&table.command);
    match table.prompt {
        PromptMode::Arg => format!("{command} PROMPT"),
        PromptMode::Stdin => format!("{command} < PROMPT"),
        PromptMode::Env => format!("PROMPT=… {command}"),
        PromptMode::File => command,
    }
}

pub(crate) fn run(app: &App, args: &Args) -> Result<u8, Failure> {
    let layers = app.layers()?;
    config::warn(app, &layers);
    let agents = list(app, layers.agents());
    if args.json {
        app.printer.json(&agents)?;
        return Ok(0);
    }
    let width = agents.iter().map(|agent| agent.name.chars().count()).max().unwrap_or(0);
    for agent in &agents {
        let state = match (&agent.program, &agent.found) {
            (None, _) => "built in".to_owned(),
            (Some(_), Some(path)) => format!("found {}", path.display()),
            (Some(program), None) => format!("`{program}` was not found"),
        };
        let name = &agent.name;
        app.printer.line(&format!("{name:width$}  {}  ({state})", agent.call))?;
    }
    Ok(0)
}
