//! `windlass agents`: which agents there are, whether and in which version each is installed, how
//! it is called, and what it can be asked for.

use std::path::{Path, PathBuf};

use serde::Serialize;
use windlass::agent::{Abilities, BUILT_IN, BuiltIn, ConfiguredAgent, PromptMode};

use super::block_on;
use crate::{
    commands::config,
    config::Origin,
    host::{app::App, failure::Failure, program},
};

/// List the agents that windlass can run
///
/// Shows for each: whether it is installed, where and in which version, how windlass calls it,
/// which of --model, --append-system-prompt, --skip-permissions and --hooks-file it supports, and
/// what it reports about a session. windlass asks only programs that it knows for their version; it
/// does not run others.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Print one JSON array
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  windlass agents                 list agents, installed or not
  windlass agents --json          the same as JSON

Define your own agents in a config file; `windlass config --default` shows an example.";

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
    /// Whether an agent can write it, so that its version is not asked.
    pub(crate) found_in_tree: bool,
    /// Its version, where it is installed and told.
    pub(crate) version: Option<String>,
    /// How it is installed, where windlass knows.
    install: Option<&'static str>,
    /// What it can be asked for, and what it tells.
    supports: Abilities,
}

/// All agents: those that are built in, then those of the config.
pub(crate) fn list(
    app: &App,
    config: impl IntoIterator<Item = (String, (ConfiguredAgent, Origin))>,
) -> Result<Vec<Listed>, Failure> {
    let programs = program::trusted(app);
    let look = |name: &str| program::find(app, programs, name);
    let built_in = BUILT_IN.iter().map(|built_in| Listed {
        name: built_in.name.to_owned(),
        origin: BUILT_IN_ORIGIN.to_owned(),
        call: built_in.call.to_owned(),
        program: built_in.install.map(|_| built_in.name.to_owned()),
        found: None,
        found_in_tree: false,
        version: None,
        install: built_in.install,
        supports: built_in.abilities,
    });
    let config = config.into_iter().map(|(name, (table, origin))| Listed {
        name,
        origin: origin.to_string(),
        call: call(&table),
        found: None,
        found_in_tree: false,
        program: table.command.first().cloned(),
        version: None,
        install: None,
        supports: table.abilities(),
    });
    let mut agents: Vec<Listed> = built_in.chain(config).collect();
    for agent in &mut agents {
        if let Some(found) = agent.program.as_deref().and_then(look) {
            (agent.found, agent.found_in_tree) = (Some(found.path), found.is_an_agents);
        }
    }
    ask_versions(app, &mut agents)?;
    Ok(agents)
}

/// Asks the programs that are known to answer. Another one might take it for its prompt.
fn ask_versions(app: &App, agents: &mut [Listed]) -> Result<(), Failure> {
    let known: Vec<(usize, PathBuf)> = agents
        .iter()
        .enumerate()
        .filter(|(_, agent)| !agent.found_in_tree)
        .filter_map(|(at, agent)| Some((at, agent.found.clone()?)))
        .filter(|(_, path)| is_known(path))
        .collect();
    if known.is_empty() {
        return Ok(());
    }
    let programs = known.iter().map(|(_, path)| path.clone()).collect();
    // Where no process can be started, that is for `doctor` to tell.
    let versions = block_on(program::versions(app, programs))?.unwrap_or_default();
    for ((at, _), version) in known.into_iter().zip(versions) {
        let version = version.ok();
        agents[at].version =
            version.and_then(|version| program::number_in(&version).map(str::to_owned));
    }
    Ok(())
}

fn is_known(program: &Path) -> bool {
    let name = program.file_name().and_then(|name| name.to_str());
    name.and_then(BuiltIn::named).is_some_and(|built_in| built_in.install.is_some())
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
    let agents = list(app, layers.agents())?;
    if args.json {
        app.printer.json(&agents)?;
        return Ok(0);
    }
    let width = agents.iter().map(|agent| agent.name.chars().count()).max().unwrap_or(0);
    for agent in &agents {
        let mut lines = agent.lines().into_iter();
        let first = lines.next().unwrap_or_default();
        app.printer.line(&format!("{:width$}  {first}", agent.name))?;
        for line in lines {
            app.printer.line(&format!("{:width$}  {line}", ""))?;
        }
    }
    Ok(0)
}

impl Listed {
    /// The built-in agent and its program, where that is installed and no agent can write it.
    pub(crate) fn built_in(&self) -> Option<(&'static BuiltIn, PathBuf)> {
        let is_meant = self.origin == BUILT_IN_ORIGIN && !self.found_in_tree;
        let path = self.found.clone().filter(|_| is_meant)?;
        Some((BuiltIn::named(&self.name)?, path))
    }

    /// What is shown beside its name.
    fn lines(&self) -> Vec<String> {
        let Some(program) = &self.program else { return vec![self.call.clone()] };
        let state = match (&self.found, &self.version, self.install) {
            (Some(path), Some(version), _) => format!("{version}, {}", path.display()),
            (Some(path), None, _) if is_known(path) && self.found_in_tree => {
                format!("version not asked, for an agent can write it: {}", path.display())
            }
            (Some(path), None, _) if is_known(path) => {
                format!("version unknown, {}", path.display())
            }
            (Some(path), None, _) => path.display().to_string(),
            (None, _, Some(install)) => format!("not installed: {install}"),
            (None, _, None) => format!("`{program}` was not found"),
        };
        let mut lines = vec![state, self.call.clone()];
        lines.extend(self.asked_for());
        lines
    }

    fn asked_for(&self) -> Option<String> {
        let Abilities {
            model,
            append_system_prompt,
            skip_permissions,
            hooks,
            tokens,
            cost,
            reset_time,
        } = self.supports;
        let supports = words(&[
            (model, "model"),
            (append_system_prompt, "system prompt"),
            (skip_permissions, "permissions"),
            (hooks, "hooks"),
        ]);
        let reports = words(&[(tokens, "tokens"), (cost, "cost"), (reset_time, "limits")]);
        let supports = supports.map(|words| format!("supports: {words}"));
        let reports = reports.map(|words| format!("reports: {words}"));
        let both: Vec<_> = supports.into_iter().chain(reports).collect();
        (!both.is_empty()).then(|| both.join(" / "))
    }
}

fn words(all: &[(bool, &str)]) -> Option<String> {
    let words: Vec<&str> = all.iter().filter(|(is, _)| *is).map(|(_, word)| *word).collect();
    (!words.is_empty()).then(|| words.join(", "))
}
