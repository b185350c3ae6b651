//! Git directories of submodules that an agent removed, or made: told once, and left where they are.

use std::{collections::BTreeSet, io, os::fd::OwnedFd};

use rustix::fs::Dir;
use windlass_system::below;

use super::super::{super::TreeError, counterpart::Counterpart, parts::Parts, state::State};

/// What is told in the place of a ref's name.
const GONE: &str = "gone";

/// So many directories of the agent's are looked into.
const MOST: usize = 1000;

/// So many are told.
const MOST_TOLD: usize = 20;

impl Counterpart {
    /// Says, once, that the agent removed it.
    pub(super) fn removed(&self, mut state: State) -> Result<Option<String>, TreeError> {
        let Some(name) = self.submodule.as_ref().filter(|_| !state.told(GONE)) else {
            return Ok(None);
        };
        state.told.push(GONE.to_owned());
        state.write(self).map_err(TreeError::io("write", &self.state()))?;
        Ok(Some(format!(
            "the agent removed the git directory of the submodule `{name}` from its own; you have \
             yours still"
        )))
    }
}

impl Parts<'_> {
    /// Says, once each, which submodules the agent added: the user has none of them.
    pub(super) fn added(&self) -> Result<Vec<String>, TreeError> {
        let (tree, whole) = &self.whole;
        let Some(mut state) = State::read(whole) else { return Ok(Vec::new()) };
        let inner = format!("{}modules", tree.inner());
        let known: BTreeSet<String> = self
            .submodules
            .iter()
            .map(|(_, part)| part.inner.to_string_lossy().into_owned())
            .collect();
        // What cannot be looked into holds nothing that is told.
        let mut found = Vec::new();
        if let Ok(Some(stage)) = whole.open() {
            drop(modules(&stage, &inner, &mut MOST.clone(), &mut found));
        }
        let new: Vec<String> =
            found.into_iter().filter(|path| !known.contains(path) && !state.told(path)).collect();
        if new.is_empty() {
            return Ok(Vec::new());
        }
        state.told.extend(new.iter().cloned());
        state.write(whole).map_err(TreeError::io("write", &whole.state()))?;
        let told = new.iter().take(MOST_TOLD).map(|path| {
            let name = path.rsplit_once("modules/").map_or(path.as_str(), |(_, name)| name);
            format!(
                "the agent added the submodule `{name}`, whose git directory is only in its own: \
                 what it commits there is not brought over; where your git says `not a git \
                 repository`, remove the `.git` file of that submodule"
            )
        });
        Ok(told.collect())
    }
}

/// The git directories below a directory of modules, by their paths.
fn modules(
    stage: &OwnedFd,
    path: &str,
    left: &mut usize,
    found: &mut Vec<String>,
) -> io::Result<()> {
    let directory = below::open_dir(stage, path.as_bytes())?;
    for entry in Dir::read_from(&directory)? {
        let entry = entry?;
        let Ok(name) = entry.file_name().to_str() else { continue };
        if name == "." || name == ".." || *left == 0 {
            continue;
        }
        *left -= 1;
        let path = format!("{path}/{name}");
        let is_git = below::kind(&directory, format!("{name}/HEAD").as_bytes()).is_ok();
        if is_git {
            found.push(path.clone());
        }
        let deeper = if is_git { format!("{path}/modules") } else { path };
        // Most have none, and what is no directory has none either.
        drop(modules(stage, &deeper, left, found));
    }
    Ok(())
}
