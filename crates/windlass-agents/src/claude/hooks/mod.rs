//! Hooks of Claude Code. They reach it by `--settings`, which it adds to the user's own settings:
//! nothing of those is lost, and no file of the user's is written. Does no I/O.

mod default_set;
mod file;
mod settings;

use serde_json::{Map, Value};

use crate::{Ask, Hooked, HooksError, ReadSettings};

pub(super) use settings::without_settings;

/// The hooks of Claude Code.
#[derive(Clone, Copy, Debug)]
pub(super) struct ClaudeHooks;

impl Hooked for ClaudeHooks {
    fn check(&self, text: &str) -> Result<(), HooksError> {
        file::read(text).map(drop)
    }

    fn take_in(&self, args: &mut Vec<String>, read: &ReadSettings<'_>) -> Result<(), HooksError> {
        settings::take_in(args, read)
    }

    fn text(&self, ask: &Ask<'_>, own: Option<&str>) -> Option<String> {
        let hooks = match own {
            Some(text) => file::read(text).ok()?,
            None => default_set::of(ask),
        };
        let settings = match settings::given(&ask.wishes.extra_args) {
            Some(text) => serde_json::from_str(text).ok()?,
            None => Map::new(),
        };
        let settings = add(settings, hooks)?;
        (!settings.is_empty()).then(|| Value::Object(settings).to_string())
    }
}

/// Settings with these hooks after those that they have already; `None` where theirs are of another
/// form, which the agent will say.
fn add(mut settings: Map<String, Value>, more: Map<String, Value>) -> Option<Map<String, Value>> {
    if more.is_empty() {
        return Some(settings);
    }
    let hooks = settings.entry("hooks").or_insert_with(|| Value::Object(Map::new()));
    let hooks = hooks.as_object_mut()?;
    for (event, mut added) in more {
        let groups = hooks.entry(event).or_insert_with(|| Value::Array(Vec::new()));
        groups.as_array_mut()?.append(added.as_array_mut()?);
    }
    Some(settings)
}

#[cfg(test)]
mod tests;
