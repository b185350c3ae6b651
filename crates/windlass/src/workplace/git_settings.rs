//! Where git looks for the user's own settings.

use std::{
    ffi::OsStr,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
};

use windlass_repo::tree::{UserFiles, plain_value};
use windlass_system::below::{self, Links, Root};

use super::Opening;

/// A git config of the user's that is larger is not looked into here.
const MOST_CONFIG: u64 = 1 << 20;

impl Opening {
    /// Where git looks for the user's own settings.
    pub(super) fn user_files(&self) -> UserFiles {
        let home = self.get("HOME").map(PathBuf::from);
        let config_home = self
            .get("XDG_CONFIG_HOME")
            .map(PathBuf::from)
            .or_else(|| home.as_ref().map(|home| home.join(".config")))
            .map(|config| config.join("git"));
        let configs = [
            config_home.as_ref().map(|git| git.join("config")),
            home.as_ref().map(|home| home.join(".gitconfig")),
        ];
        UserFiles {
            configs: configs.into_iter().flatten().collect(),
            excludes: config_home.map(|git| git.join("ignore")),
            home,
        }
    }

    /// The files of these settings, with the one that they name.
    pub(super) fn settings(&self) -> Vec<PathBuf> {
        let UserFiles { configs, excludes, home } = self.user_files();
        let named = configs.iter().filter_map(|config| excludes_file(config, home.as_deref()));
        let named: Vec<PathBuf> = named.collect();
        configs.into_iter().chain(excludes).chain(named).collect()
    }
}

/// The file that a config of the user's names for what is ignored everywhere.
fn excludes_file(config: &Path, home: Option<&Path>) -> Option<PathBuf> {
    let root = Root::open(config.parent()?).ok()?;
    let name = config.file_name()?.as_bytes();
    let text = below::read(root, name, Links::Inside, MOST_CONFIG).or_else(|_| {
        // A config may be a link to where the user keeps such files.
        let real = config.canonicalize()?;
        let root = Root::open(real.parent().unwrap_or(&real))?;
        let name = real.file_name().unwrap_or_default().as_bytes();
        below::read(root, name, Links::Refused, MOST_CONFIG)
    });
    let text = text.ok()?;
    let named = Path::new(OsStr::from_bytes(plain_value(&text, "core", "excludesfile")?));
    match (named.strip_prefix("~"), home) {
        (Ok(inner), Some(home)) => Some(home.join(inner)),
        _ => Some(named.to_owned()),
    }
}
