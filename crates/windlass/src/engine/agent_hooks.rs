//! Hooks that the user gives for agents: read and found good before anything is changed, and frozen
//! with the loop, so that it goes on with the same ones when it is resumed.

use std::path::Path;

use windlass_agents::Cast;

use super::{LoopError, named_file};
use crate::kind::Kind;

/// Reads the file that the options name, and the settings that the loop's agent is given by its
/// arguments, which hooks are added to. Says whether the options have changed.
pub(super) fn freeze(kind: &mut Kind, cast: &Cast, directory: &Path) -> Result<bool, LoopError> {
    let options = &mut kind.common_mut().agent;
    let before = options.clone();
    if let Some(path) = &options.hooks_file {
        let path = directory.join(path);
        let text = named_file::read(directory, &path).map_err(|error| LoopError::NoHooksFile {
            path: path.clone(),
            why: error.to_string(),
        })?;
        options.hooks_text = Some(text);
    }
    if let Some(hooked) = cast.lead().agent.hooks() {
        let read =
            |path: &Path| named_file::read(directory, path).map_err(|error| error.to_string());
        hooked.take_in(&mut options.agent_args, &read)?;
    }
    let is_changed = *options != before;
    check(kind, cast)?;
    Ok(is_changed)
}

/// Says what is wrong with the hooks of the user's own.
pub(super) fn check(kind: &Kind, cast: &Cast) -> Result<(), LoopError> {
    let options = &kind.common().agent;
    let Some(text) = &options.hooks_text else { return Ok(()) };
    let path = || options.hooks_file.clone().unwrap_or_default();
    let mut hooked = cast.iter().filter_map(|(_, hired)| hired.agent.hooks()).peekable();
    if hooked.peek().is_none() {
        return Err(LoopError::HasNoHooks { agent: cast.lead_name().to_owned() });
    }
    hooked
        .try_for_each(|hooked| hooked.check(text))
        .map_err(|source| LoopError::BadHooksFile { path: path(), source })
}

/// What is told of agents that the user's hooks are not for.
pub(super) fn left_out(kind: &Kind, cast: &Cast) -> Option<String> {
    kind.common().agent.hooks_text.as_ref()?;
    let names = cast.iter().filter(|(_, hired)| hired.agent.hooks().is_none());
    let names: Vec<String> = names.map(|(name, _)| format!("`{name}`")).collect();
    match names.as_slice() {
        [] => None,
        [name] => Some(format!("{name} has no hooks: the hooks file is not for it")),
        _ => Some(format!("{} have no hooks: the hooks file is not for them", names.join(", "))),
    }
}
