//! Where agents keep their files.

use std::{
    collections::BTreeMap,
    ffi::{OsStr, OsString},
    path::{Path, PathBuf},
};

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
    pub(crate) fn home(&self, path: &str) -> PathBuf {
        self.home.join(path)
    }

    /// The directory that a variable names, or else one in the home.
    pub(crate) fn named(&self, variable: &str, otherwise: &str) -> PathBuf {
        let named = self.env.get(OsStr::new(variable)).map(PathBuf::from);
        named.filter(|path| path.is_absolute()).unwrap_or_else(|| self.home(otherwise))
    }

    /// A path in the user's config directory.
    pub(crate) fn config(&self, path: &str) -> PathBuf {
        self.named("XDG_CONFIG_HOME", ".config").join(path)
    }

    /// A path in the user's data directory.
    pub(crate) fn data(&self, path: &str) -> PathBuf {
        self.named("XDG_DATA_HOME", ".local/share").join(path)
    }

    /// A path in the user's cache directory.
    pub(crate) fn cache(&self, path: &str) -> PathBuf {
        self.named("XDG_CACHE_HOME", ".cache").join(path)
    }
}

/// Each of `names` in a directory.
pub(crate) fn each(directory: &Path, names: &[&str]) -> Vec<PathBuf> {
    names.iter().map(|name| directory.join(name)).collect()
}

#[cfg(test)]
mod tests {
    use windlass_core::agent_files::AgentFiles;

    use super::*;
    use crate::{Agent, BUILT_IN};

    #[test]
    fn no_agent_is_given_what_is_anothers() {
        let env = BTreeMap::new();
        let places = Places { home: Path::new("/home/ada"), env: &env };
        let owns: Vec<AgentFiles> =
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
        let own = crate::Codex.own(&places);
        assert_eq!(own.kept, [PathBuf::from("/data/codex/auth.json")]);
    }
}
