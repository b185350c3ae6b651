//! What windlass takes from git configs, as data: who commits, and how bytes are converted.

use std::{
    collections::BTreeMap,
    ffi::OsStr,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use super::{TreeError, object_id::ObjectFormat, repository::Repository};
use crate::git::{Call, Git};

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
    /// How text is converted between the work tree and the repository.
    pub(super) conversion: Vec<(&'static str, String)>,
}

impl UserConfig {
    /// Reads the configs without their includes: an include may be a pipe that never ends.
    pub(super) async fn read(
        git: &Git,
        repository: &Repository,
        files: &UserFiles,
    ) -> Result<Self, TreeError> {
        let mut global = BTreeMap::new();
        for file in &files.configs {
            read_file(git, repository, file, &mut global).await?;
        }
        let excludes = global.get("core.excludesfile").map(|value| expand(value, files));
        let mut all = global;
        for file in
            [repository.common_dir.join("config"), repository.git_dir.join("config.worktree")]
        {
            read_file(git, repository, &file, &mut all).await?;
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
            conversion: conversion.iter().filter_map(|key| Some((*key, known(key)?))).collect(),
        })
    }
}

type Values = BTreeMap<String, Vec<u8>>;

async fn read_file(
    git: &Git,
    repository: &Repository,
    file: &Path,
    values: &mut Values,
) -> Result<(), TreeError> {
    if !file.is_file() {
        return Ok(());
    }
    // `--file` reads this one file; the git directory is a place where there is no repository.
    let call = Call::new(Path::new("/dev/null"), &repository.top)
        .args(["config", "--no-includes", "-z", "--list", "--file"])
        .arg(file)
        .accepting(&[0, 1, 128]);
    let output = git.run(call).await?;
    for entry in output.stdout.split(|byte| *byte == 0) {
        let mut parts = entry.splitn(2, |byte| *byte == b'\n');
        let key = parts.next().unwrap_or_default();
        // A key without a value means true.
        let value = parts.next().unwrap_or(b"true");
        values.insert(String::from_utf8_lossy(key).into_owned(), value.to_vec());
    }
    Ok(())
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
