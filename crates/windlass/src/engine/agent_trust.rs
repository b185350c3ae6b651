//! Which of the things that a repository has agents run or obey may act. Nothing of it is asked where a
//! sandbox keeps it from the network; else each entry needs trust before the first session.

mod admit;
mod known;
mod running;

use std::path::{Path, PathBuf};

use windlass_core::{
    event::ConfigEntry,
    options::{NetworkMode, SandboxName, SandboxOptions},
};
use windlass_repo::tree::Repository;
use windlass_store::store::Store;

pub(super) use self::{
    admit::{Admitted, admit},
    running::Running,
};
use super::{
    LoopError,
    repo_config::{self, Entry},
    setup::work_tree,
};

/// What a repository's files have any agent run or obey, for its user to look at and to trust.
#[derive(Debug)]
pub struct AgentConfig {
    root: PathBuf,
    entries: Vec<(Entry, bool)>,
    refused: Vec<(String, ConfigEntry)>,
}

impl AgentConfig {
    /// Looks at the files from a directory up to the root of its repository, and at what loops in it
    /// were refused for.
    pub fn find(home: &Path, directory: &Path) -> Result<Self, LoopError> {
        let root = repository(directory);
        let store = Store::open_existing(home)?;
        let (trusted, mut refused) = match store {
            Some(store) => (store.trusted_entries(&root)?, store.refused_entries(&root)?),
            None => Default::default(),
        };
        let is_trusted = |entry: Entry| {
            let is_trusted = trusted.contains(&entry.digest);
            (entry, is_trusted)
        };
        let directory = directory.canonicalize().unwrap_or_else(|_| directory.to_owned());
        let entries = repo_config::of_all_agents(&directory).into_iter().map(is_trusted);
        let entries: Vec<(Entry, bool)> = entries.collect();
        refused.retain(|(digest, _)| entries.iter().all(|(entry, _)| entry.digest != *digest));
        Ok(Self { root, entries, refused })
    }

    /// The repository whose trust it is: linked worktrees share it.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// What is there, each with whether it is trusted.
    pub fn entries(&self) -> impl Iterator<Item = (&ConfigEntry, bool)> {
        self.entries.iter().map(|(one, is_trusted)| (&one.entry, *is_trusted))
    }

    /// What the last loop was refused for, and is not here: it is in a worktree, or in the head of a
    /// pull request.
    pub fn elsewhere(&self) -> impl Iterator<Item = &ConfigEntry> {
        self.refused.iter().map(|(_, entry)| entry)
    }

    /// Lets all of it act.
    pub fn trust(&self, home: &Path) -> Result<(), LoopError> {
        let here = self.entries.iter().map(|(one, _)| one.digest.as_str());
        let elsewhere = self.refused.iter().map(|(digest, _)| digest.as_str());
        Ok(Store::open(home)?.trust_entries(&self.root, here.chain(elsewhere))?)
    }

    /// Takes back all trust in a repository's entries; says how many were trusted.
    pub fn revoke(home: &Path, directory: &Path) -> Result<usize, LoopError> {
        match Store::open_existing(home)? {
            Some(store) => Ok(store.distrust_entries(&repository(directory))?),
            None => Ok(0),
        }
    }

    /// Lets exactly that act which the last loop in a directory's repository was refused for.
    pub fn trust_refused(store: &Store, directory: &Path) -> Result<(), LoopError> {
        let root = repository(directory);
        let refused = store.refused_entries(&root)?;
        Ok(store.trust_entries(&root, refused.iter().map(|(digest, _)| digest.as_str()))?)
    }

    /// What the last loop in a directory's repository was refused for.
    pub fn refused(store: &Store, directory: &Path) -> Result<Vec<ConfigEntry>, LoopError> {
        let refused = store.refused_entries(&repository(directory))?;
        Ok(refused.into_iter().map(|(_, entry)| entry).collect())
    }
}

/// The repository that a directory is in, as trust knows it: where its main work tree is, whichever
/// worktree the directory is in. Outside of one it is the directory.
fn repository(directory: &Path) -> PathBuf {
    let directory = directory.canonicalize().unwrap_or_else(|_| directory.to_owned());
    let Ok(Some(found)) = Repository::discover(&directory) else { return work_tree(&directory) };
    match found.common_dir.parent() {
        Some(top) if found.common_dir.ends_with(".git") => top.to_owned(),
        _ => found.common_dir,
    }
}

/// Whether a loop is confined so well that what the repository brings needs no trust: it can neither
/// do harm outside of the tree nor send anything away.
fn is_confined(options: &SandboxOptions) -> bool {
    let has_sandbox = !matches!(options.sandbox, None | Some(SandboxName::None));
    has_sandbox && matches!(options.network, Some(NetworkMode::Model | NetworkMode::None))
}
