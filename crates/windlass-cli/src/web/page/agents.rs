//! The agents that this machine can run: the built-in ones that are installed, and those that the loop
//! took from its config.

use std::sync::Arc;

use serde::Deserialize;
use windlass::agent::{BUILT_IN, ConfiguredAgent};
use windlass_store::store::LoopRecord;

use crate::host::{app::App, program};

/// The agents that can continue a loop in place of its own, by name.
pub(super) fn others(app: &App, record: &LoopRecord) -> Vec<String> {
    // Programs that an agent can write, in the loop's directory say, do not count.
    let directory = record.directory.clone();
    let app = App { directory, programs: Arc::default(), ..app.clone() };
    let programs = program::trusted(&app);
    let is_there =
        |name: &str| program::find(&app, programs, name).is_some_and(|found| !found.is_an_agents);
    let built_in = BUILT_IN.iter().filter(|agent| agent.install.is_some() && is_there(agent.name));
    let mut names: Vec<String> = built_in.map(|agent| agent.name.to_owned()).collect();
    let configured = record.options["agents"].as_object().into_iter().flatten();
    let configured = configured.filter(|(_, table)| {
        let table = ConfiguredAgent::deserialize(*table).ok();
        table.and_then(|table| table.command.first().cloned()).is_some_and(|name| is_there(&name))
    });
    names.extend(configured.map(|(name, _)| name.clone()));
    names.retain(|name| *name != record.agent);
    names.sort_unstable();
    names.dedup();
    names
}
