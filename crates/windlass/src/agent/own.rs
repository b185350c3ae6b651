//! What of the user's files is an agent's own, and where its model is: what a sandbox leaves to it.
//! Does no I/O.

use std::{
    collections::BTreeMap,
    ffi::{OsStr, OsString},
    path::{Path, PathBuf},
};

/// What of the user's files is an agent's own, and where its model is.
///
/// An agent that can write all of its own state can plant what later runs outside: a hook in its
/// settings, a server in its list. So a sandbox gives it less where it can.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Own {
    /// Everything that it keeps, for sandboxes that cannot take it apart.
    pub state: Vec<PathBuf>,
    /// Of these, what it must be able to write for good: credentials that are renewed.
    pub kept: Vec<PathBuf>,
    /// What it reads only: settings, instructions, extensions.
    pub shown: Vec<PathBuf>,
    /// Small files that it reads and writes, of which it gets a copy that is thrown away.
    pub copied: Vec<PathBuf>,
    /// The hosts of its model and of its sign-in.
    pub hosts: Vec<String>,
}

impl Own {
    /// The hosts by their names.
    pub(super) fn with_hosts(mut self, hosts: &[&str]) -> Self {
        self.hosts = hosts.iter().map(|&host| host.to_owned()).collect();
        self
    }
}

/// Where programs keep their files, by the home and the environment that they get.
#[derive(Clone, Copy, Debug)]
pub struct Places<'a> {
    /// The user's home.
    pub home: &'a Path,
    /// The environment.
    pub env: &'a BTreeMap<OsString, OsString>,
}

impl Places<'_> {
    /// A path in the home.
    pub fn home(&self, path: &str) -> PathBuf {
        self.home.join(path)
    }

    /// The directory that a variable names, or else one in the home.
    pub fn named(&self, variable: &str, otherwise: &str) -> PathBuf {
        let named = self.env.get(OsStr::new(variable)).map(PathBuf::from);
        named.filter(|path| path.is_absolute()).unwrap_or_else(|| self.home(otherwise))
    }

    /// A path in the user's config directory.
    pub fn config(&self, path: &str) -> PathBuf {
        self.named("XDG_CONFIG_HOME", ".config").join(path)
    }

    /// A path in the user's data directory.
    pub fn data(&self, path: &str) -> PathBuf {
        self.named("XDG_DATA_HOME", ".local/share").join(path)
    }

    /// A path in the user's cache directory.
    pub fn cache(&self, path: &str) -> PathBuf {
        self.named("XDG_CACHE_HOME", ".cache").join(path)
    }
}

/// Each of `names` in a directory.
pub(super) fn each(directory: &Path, names: &[&str]) -> Vec<PathBuf> {
    names.iter().map(|name| directory.join(name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::{Agent, BUILT_IN};

    #[test]
    fn no_agent_is_given_what_is_anothers() {
        let env = BTreeMap::new();
        let places = Places { home: Path::new("/home/ada"), env: &env };
        let owns: Vec<Own> =
            BUILT_IN.iter().filter_map(|built_in| Some(built_in.agent()?.own(&places))).collect();
        for (at, own) in owns.iter().enumerate() {
            assert!(!own.hosts.is_empty() && !own.state.is_empty());
            let parts = own.kept.iter().chain(&own.shown).chain(&own.copied);
            for path in parts.chain(&own.state) {
                assert!(path.starts_with("/home/ada"), "{}", path.display());
                let others = owns.iter().enumerate().filter(|(other, _)| *other != at);
                let mut others = others.flat_map(|(_, other)| &other.state);
                assert!(!others.any(|other| path.starts_with(other)), "{}", path.display());
            }
        }
    }

    #[test]
    fn a_variable_moves_the_state_of_an_agent() {
        let env = BTreeMap::from([("CODEX_HOME".into(), "/data/codex".into())]);
        let places = Places { home: Path::new("/home/ada"), env: &env };
        let own = crate::agent::Codex.own(&places);
        assert_eq!(own.kept, [PathBuf::from("/data/codex/auth.json")]);
    }
}
