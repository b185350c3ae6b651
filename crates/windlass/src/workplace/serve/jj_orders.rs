//! What the helper is told about Jujutsu.

use std::{
    collections::BTreeMap,
    ffi::{OsStr, OsString},
    os::unix::ffi::{OsStrExt, OsStringExt},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use windlass_repo::jj::Jj;
use windlass_system::process::StartError;

use crate::workplace::call::RawPath;

/// Jujutsu, where the place is one of its repositories.
#[derive(Debug, Serialize, Deserialize)]
pub(in crate::workplace) struct JjOrders {
    #[serde(with = "windlass_repo::wire::path")]
    pub(in crate::workplace) top: PathBuf,
    /// Its program; one that is not there is told when it is needed.
    pub(super) program: Result<RawPath, StartError>,
    /// Variables of the user's environment, as bytes.
    env: Vec<(Vec<u8>, Vec<u8>)>,
}

impl JjOrders {
    pub(in crate::workplace) fn new(
        top: PathBuf,
        program: Result<PathBuf, StartError>,
        env: impl IntoIterator<Item = (OsString, OsString)>,
    ) -> Self {
        let env = env.into_iter().filter(|(name, _)| Jj::of_the_user(name));
        let env = env.map(|(name, value)| (name.into_vec(), value.into_vec())).collect();
        Self { top, program: program.map(RawPath), env }
    }

    /// Its program, if it is there.
    pub(in crate::workplace) fn program(&self) -> Option<&Path> {
        self.program.as_ref().ok().map(|RawPath(path)| path.as_path())
    }

    pub(super) fn env(&self) -> BTreeMap<OsString, OsString> {
        let text = |bytes: &[u8]| OsStr::from_bytes(bytes).to_owned();
        self.env.iter().map(|(name, value)| (text(name), text(value))).collect()
    }

    /// Where Jujutsu looks for the user's own settings.
    pub(in crate::workplace) fn settings(&self) -> Vec<PathBuf> {
        let env = self.env();
        let get = |name: &str| env.get(OsStr::new(name)).map(PathBuf::from);
        let config_home =
            get("XDG_CONFIG_HOME").or_else(|| get("HOME").map(|home| home.join(".config")));
        let places = [
            get("JJ_CONFIG"),
            get("HOME").map(|home| home.join(".jjconfig.toml")),
            config_home.map(|config| config.join("jj")),
        ];
        places.into_iter().flatten().collect()
    }
}
