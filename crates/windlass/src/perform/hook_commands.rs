//! The programs of the user's own that run at moments of a loop, found before its first session.

use std::{collections::BTreeMap, path::Path};

use windlass_core::options::{Hooks, Moment};
use windlass_system::{
    process::{OwnCommand, Programs, StartError},
    sandbox::{Sandbox, Sandboxes},
};

/// How one command is run.
#[derive(Clone, Debug)]
pub(crate) enum Hook {
    /// As the user wrote it, with the user's rights.
    Outside(OwnCommand),
    /// In the sandbox of the loop's own agent, for it runs what that agent can write.
    Inside,
}

/// All commands of a loop, each by its words.
#[derive(Debug, Default)]
pub(crate) struct HookCommands(BTreeMap<Vec<String>, Result<Hook, StartError>>);

impl HookCommands {
    /// Finds them. Of what an agent can write, and no sandbox holds, a copy is made in `kept`.
    pub(crate) fn find(
        hooks: &Hooks,
        programs: &Programs,
        directory: &Path,
        sandboxes: &Sandboxes,
        kept: &Path,
    ) -> Self {
        let is_confined = !matches!(sandboxes.lead(), Sandbox::None);
        let mut found = BTreeMap::new();
        for (at, moment) in Moment::ALL.into_iter().enumerate() {
            let words = hooks.at(moment);
            if words.is_empty() || found.contains_key(words) {
                continue;
            }
            let command = OwnCommand::find(programs, words, directory);
            let hook = command.and_then(|command| match command.planted() {
                None => Ok(Hook::Outside(command)),
                Some(_) if is_confined => Ok(Hook::Inside),
                Some(_) => kept_in(command, &kept.join(at.to_string())).map(Hook::Outside),
            });
            found.insert(words.to_vec(), hook);
        }
        Self(found)
    }

    /// How a command is run, or why it cannot be.
    pub(super) fn get(&self, words: &[String]) -> Result<&Hook, StartError> {
        match self.0.get(words) {
            Some(found) => found.as_ref().map_err(Clone::clone),
            None => {
                let program = words.first().cloned().unwrap_or_default();
                Err(StartError::NotFound { program })
            }
        }
    }
}

fn kept_in(command: OwnCommand, folder: &Path) -> Result<OwnCommand, StartError> {
    let program = command.program.display().to_string();
    command.kept_in(folder).map_err(|error| StartError::Other { program, why: error.to_string() })
}
