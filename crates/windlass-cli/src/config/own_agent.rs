//! Settings that go with an agent: where flags choose another one than the config does, what the
//! config says for its own agent is set aside.

use std::collections::BTreeMap;

use windlass::agent::{BuiltIn, ConfiguredAgent};

use super::layer::{Entries, Origin};

/// What only the agent that it was written for understands.
const OF_ONE_AGENT: [&str; 2] = ["model", "agent_args"];

/// What an agent of the config and a command have no flags for.
const OF_REAL_AGENTS: [&str; 2] = ["append_system_prompt", "skip_permissions"];

/// What only agents with hooks take.
const OF_HOOKED_AGENTS: &str = "hooks_file";

/// Sets aside what `entries`, which has the flags, took over from `below`, which has not, and what
/// is meant for another agent.
pub(super) fn set_aside(
    entries: &mut Entries,
    below: &Entries,
    agents: &BTreeMap<String, ConfiguredAgent>,
) {
    match (is_typed(entries, "agent"), is_typed(entries, "command")) {
        (true, false) => drop(entries.remove("command")),
        (false, true) => drop(entries.remove("agent")),
        _ => {}
    }
    let chosen = chosen(entries);
    if chosen != self::chosen(below) {
        OF_ONE_AGENT.iter().for_each(|key| remove_untyped(entries, key));
    }
    let Some(name) = &chosen else { return };
    let built_in = BuiltIn::named(name).filter(|_| !agents.contains_key(name));
    if built_in.is_none_or(|built_in| built_in.install.is_none()) {
        OF_REAL_AGENTS.iter().for_each(|key| remove_untyped(entries, key));
    }
    // An agent that the config itself asks for is told that it has none.
    let is_same = chosen == self::chosen(below);
    if !is_same && !built_in.is_some_and(|built_in| built_in.abilities.hooks) {
        remove_untyped(entries, OF_HOOKED_AGENTS);
    }
}

/// The name of the agent that is chosen, without its model.
fn chosen(entries: &Entries) -> Option<String> {
    match (entries.get("agent"), entries.get("command")) {
        (Some(agent), _) => agent.value.as_str()?.split(':').next().map(str::to_owned),
        (None, Some(_)) => Some("command".to_owned()),
        (None, None) => None,
    }
}

fn is_typed(entries: &Entries, key: &str) -> bool {
    entries.get(key).is_some_and(|setting| matches!(setting.origin, Origin::Flag(_)))
}

fn remove_untyped(entries: &mut Entries, key: &str) {
    if !is_typed(entries, key) {
        entries.remove(key);
    }
}
