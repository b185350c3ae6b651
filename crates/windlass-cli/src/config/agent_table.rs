//! What a table `[agents.NAME]` of a config file must be beyond its form.

use windlass::agent::{BuiltIn, ConfiguredAgent, PromptMode};

/// What cannot be an agent's name in a config file, and why.
pub(super) fn refuse_name(name: &str) -> Option<&'static str> {
    if BuiltIn::named(name).is_some() {
        Some("an agent of this name is built in")
    } else if name.is_empty() || name.contains(|c: char| c == ':' || c.is_whitespace()) {
        Some("an agent's name has no space and no colon")
    } else {
        None
    }
}

/// Says why the parts of an agent do not go together, if they do not.
pub(super) fn refuse(agent: &ConfiguredAgent) -> Option<&'static str> {
    let names_file = agent.command.iter().skip(1).any(|part| part.contains("{prompt_file}"));
    let lost = agent.prompt == PromptMode::File && !names_file;
    lost.then_some("takes its prompt from a file, so its `command` must have `{prompt_file}`")
}
