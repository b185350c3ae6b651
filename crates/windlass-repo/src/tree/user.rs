//! What windlass takes from git configs, as data: who commits, and how bytes are converted.

use std::{
    collections::BTreeMap,
    ffi::OsStr,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use super::{
    TreeError, config_file::config_entries, object_id::ObjectFormat, repository::Repository,
};
use crate::git::Git;

/// Files of the user's own that windlass is told of; it does not look for them itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct UserFiles {
    /// The user's global git configs, the weakest first.
    #[serde(with = "crate::wire::paths")]
    pub configs: Vec<PathBuf>,
    /// The user's global excludes file, unless a config names another.
    #[serde(with = "crate::wire::maybe_path")]
    pub excludes: Option<PathBuf>,
    /// What `~` stands for in a config.
    #[serde(with = "crate::wire::maybe_path")]
    pub home: Option<PathBuf>,
}

/// The few values of the configs that matter here.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct UserConfig {
    pub(super) name: Option<String>,
    pub(super) email: Option<String>,
    pub(super) excludes: Option<PathBuf>,
    pub(super) format: ObjectFormat,
    /// Whether commits are to be signed.
    pub(super) signs: bool,
    /// Where hooks stand, if not in the git directory.
    pub(super) hooks_path: Option<PathBuf>,
    /// How text is converted between the work tree and the repository.
    pub(super) conversion: Vec<(&'static str, String)>,
}

impl UserConfig {
    /// Reads the configs; what a later one says counts.
    pub(super) async fn read(
        git: &Git,
        repository: &Repository,
        files: &UserFiles,
    ) -> Result<Self, TreeError> {
        let mut global = BTreeMap::new();
        for file in &files.configs {
            global.extend(config_entries(git, file).await?);
        }
        let excludes = global.get("core.excludesfile").map(|value| expand(value, files));
        let mut all = global;
        for file in
            [repository.common_dir.join("config"), repository.git_dir.join("config.worktree")]
        {
            all.extend(config_entries(git, &file).await?);
        }
        let text =
            |key: &str| all.get(key).map(|value| String::from_utf8_lossy(value).into_owned());
        let known = |key: &str| text(key).filter(|value| is_plain(value));
        let conversion = ["core.autocrlf", "core.eol", "core.filemode", "core.ignorecase"];
        Ok(Self {
            name: text("user.name").and_then(|name| person(&name)),
            email: text("user.email").and_then(|email| person(&email)),
            excludes: excludes.or_else(|| files.excludes.clone()).filter(|path| path.is_file()),
            format: match text("extensions.objectformat").as_deref() {
                Some("sha256") => ObjectFormat::Sha256,
                _ => ObjectFormat::Sha1,
            },
            signs: text("commit.gpgsign").is_some_and(|value| {
                matches!(&*value.to_lowercase(), "true" | "yes" | "on" | "1" | "")
            }),
            hooks_path: all.get("core.hookspath").map(|value| expand(value, files)),
            conversion: conversion.iter().filter_map(|key| Some((*key, known(key)?))).collect(),
        })
    }
}

fn is_plain(value: &str) -> bool {
    matches!(
        value,
        "true" | "false" | "input" | "lf" | "crlf" | "native" | "yes" | "no" | "1" | "0"
    )
}

/// A name as a commit can hold it; `None` when nothing is left.
fn person(value: &str) -> Option<String> {
    let kept: String =
        value.chars().filter(|c| !c.is_control() && *c != '<' && *c != '>').collect();
    let kept = kept.trim();
    (kept.chars().any(char::is_alphanumeric)).then(|| kept.to_owned())
}

fn expand(value: &[u8], files: &UserFiles) -> PathBuf {
    let path = Path::new(OsStr::from_bytes(value));
    match (path.strip_prefix("~"), &files.home) {
        (Ok(rest), Some(home)) => home.join(rest),
        _ => path.to_owned(),
    }
}
