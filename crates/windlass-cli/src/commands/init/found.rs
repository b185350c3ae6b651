//! What init finds out by itself: agents and their sign-in, the sandbox, the project's checks.

use std::{collections::BTreeMap, ffi::OsString, path::Path};

use windlass::{
    agent::{Billing, BuiltIn, DEFAULT, SignedIn},
    options::FoundCheck,
    system::Machine,
};

use super::{place::Place, trial};
use crate::{
    commands::{agents, block_on},
    host::{app::App, failure::Failure, program, sign_in},
};

/// What was found.
#[derive(Debug)]
pub(super) struct Found {
    /// The agents that are installed, in the order of `windlass agents`.
    pub(super) agents: Vec<String>,
    /// The one that is proposed.
    pub(super) agent: Option<String>,
    /// The one that the user's file names, where that is not installed.
    pub(super) not_installed: Option<String>,
    /// Whether each built-in agent is signed in.
    pub(super) sign_ins: Vec<sign_in::Asked>,
    /// The environment that agents get.
    pub(super) env: BTreeMap<OsString, OsString>,
    /// Why no sandbox works here, and what to do; `None` where one does.
    pub(super) no_sandbox: Option<(String, &'static str)>,
    /// The checks that loops would find.
    pub(super) checks: Vec<FoundCheck>,
    /// What prepares a new worktree, and the file that speaks for it.
    pub(super) setup: Option<(&'static str, &'static str)>,
}

/// Lock files, and the command that installs what each lists.
const SETUPS: [(&str, &str); 7] = [
    ("package-lock.json", "npm ci"),
    ("pnpm-lock.yaml", "pnpm install --frozen-lockfile"),
    ("yarn.lock", "yarn install --frozen-lockfile"),
    ("uv.lock", "uv sync"),
    ("poetry.lock", "poetry install"),
    ("Gemfile.lock", "bundle install"),
    ("composer.lock", "composer install"),
];

impl Found {
    /// Looks at everything. Agents are asked for their sign-in; nothing of the project runs.
    pub(super) fn look(app: &App, place: &Place) -> Result<Self, Failure> {
        let layers = app.layers()?;
        let listed = agents::list(app, layers.agents())?;
        let installed = listed.iter().filter(|agent| agent.found.is_some() && !agent.found_in_tree);
        let agents: Vec<String> = installed.map(|agent| agent.name.clone()).collect();
        let named = place.user.text_of("agent").map(name_of);
        let has_command = place.user.get("command").is_some();
        let named = named.or_else(|| has_command.then(|| "command".to_owned()));
        let (agent, not_installed) = match named {
            Some(name) if has_command || agents.contains(&name) => (Some(name), None),
            named => (proposed(&agents), named),
        };
        let env = sign_in::environment_of(app, &layers);
        let known: Vec<_> = listed.iter().filter_map(agents::Listed::built_in).collect();
        let asked: Vec<_> =
            known.into_iter().filter(|(known, _)| Some(known.name) == agent.as_deref()).collect();
        let sign_ins = if asked.is_empty() {
            Vec::new()
        } else {
            block_on(sign_in::ask(app, &env, asked))?.unwrap_or_default()
        };
        let machine = block_on(program::machine(app))?;
        let no_sandbox = match machine {
            Ok(machine) => no_sandbox(&machine),
            Err(why) => Some((why, "`windlass doctor` looks again")),
        };
        let checks = trial::find(app)?;
        let setup = SETUPS.into_iter().find(|(file, _)| place.root.join(Path::new(file)).is_file());
        let setup = setup.map(|(file, command)| (command, file));
        Ok(Self { agents, agent, not_installed, sign_ins, env, no_sandbox, checks, setup })
    }

    /// Whether an API key pays for an agent's sessions: its status says so, or there is a key in the
    /// environment.
    pub(super) fn has_api_key(&self, agent: &str) -> bool {
        let sign_in = BuiltIn::named(agent).and_then(BuiltIn::agent);
        let Some(sign_in) = sign_in.and_then(|agent| agent.sign_in()) else { return false };
        let asked = self.sign_ins.iter().find(|asked| asked.agent == agent);
        match asked.map(|asked| &asked.said) {
            Some(SignedIn::Yes(Some(billing))) => *billing == Billing::ApiKey,
            _ => sign_in.key_in(&self.env).is_some(),
        }
    }
}

/// An agent's name without its model.
pub(super) fn name_of(asked: &str) -> String {
    asked.split(':').next().unwrap_or_default().to_owned()
}

fn proposed(agents: &[String]) -> Option<String> {
    let default = agents.iter().find(|name| *name == DEFAULT);
    default.or_else(|| agents.first()).cloned()
}

/// `sandbox = "auto"` is bubblewrap, else Landlock.
fn no_sandbox(machine: &Machine) -> Option<(String, &'static str)> {
    match &machine.bwrap {
        Err(missing) if !machine.has_landlock() => {
            Some((format!("{}; there is no usable Landlock either", missing.why), missing.hint))
        }
        _ => None,
    }
}
