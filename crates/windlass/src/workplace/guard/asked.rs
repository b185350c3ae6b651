//! What is guarded, as the helper is asked about it.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use windlass_core::step::guarded::GuardStep;
use windlass_proof::{
    CheckFiles, check_files,
    guard::{Guard, Policy, Request},
};
use windlass_repo::tree::{CONFIG_FILE, REVIEW_FILE, TASK_LIST};

use super::manifest::Manifest;
use crate::workplace::{call::RawPath, fingerprints::scripts};

/// What is guarded in a loop, with what only its process knows.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Asked {
    pub(crate) step: GuardStep,
    /// Directories that `PATH` leads to and an agent can write.
    pub(in crate::workplace) path_directories: Vec<RawPath>,
    /// Names of programs that `PATH` leads to; only where the start is recorded.
    pub(in crate::workplace) programs: Vec<String>,
}

impl Asked {
    pub(crate) fn new(step: GuardStep, directories: &[PathBuf], programs: Vec<String>) -> Self {
        let path_directories = directories.iter().map(|path| RawPath::of(path)).collect();
        Self { step, path_directories, programs }
    }

    /// The guard, with what was known at the start: a script is one even if the agent made a program
    /// of it since.
    pub(super) fn guard(
        &self,
        root: &Path,
        directory: &Path,
        manifest: &Manifest,
    ) -> Result<Guard, String> {
        let mut request = self.request(root, directory);
        request.scripts.extend(manifest.scripts.iter().cloned());
        request.path_directories.extend(manifest.path_directories.iter().cloned());
        Guard::new(request).map_err(|error| error.to_string())
    }

    /// The guard as it would be if no finding released files; `None` where none does.
    pub(super) fn unreleased(
        &self,
        root: &Path,
        directory: &Path,
        manifest: &Manifest,
    ) -> Result<Option<Guard>, String> {
        if self.step.released.is_empty() {
            return Ok(None);
        }
        let mut asked = self.clone();
        asked.step.released.clear();
        asked.guard(root, directory, manifest).map(Some)
    }

    /// What a guard is made of, with paths and globs from the root. Globs are tried from where the
    /// checks run, too.
    pub(super) fn request(&self, root: &Path, directory: &Path) -> Request {
        let inner = directory.strip_prefix(root).unwrap_or(Path::new(""));
        let inner = inner.to_string_lossy().into_owned();
        let both = |globs: &[String]| -> Vec<String> {
            let inside = globs.iter().map(|glob| below(&inner, glob));
            globs.iter().cloned().chain(inside).collect()
        };
        let checks = self.step.checks.clone();
        let programs = check_files(&checks).programs.into_iter().collect();
        let mut never = both(&self.step.never);
        never.extend(both(&self.step.released));
        never.extend([TASK_LIST, REVIEW_FILE, CONFIG_FILE].map(str::to_owned));
        Request {
            policy: if self.step.locks { Policy::Lock } else { Policy::Guard },
            guard: both(&self.step.guard),
            unguard: both(&self.step.unguard),
            scripts: scripts(root, root, programs),
            never,
            path_directories: self.directories_in(root),
            checks,
        }
    }

    /// The files in the tree that links lead to which a check runs: they are as much the check as the
    /// links.
    pub(super) fn behind_links(&self, root: &Path) -> Vec<String> {
        let CheckFiles { files, programs } = check_files(&self.step.checks);
        let named = files.into_iter().chain(programs);
        let behind = named.filter_map(|file| {
            let real = root.join(&file).canonicalize().ok()?;
            let inner = real.strip_prefix(root).ok()?.to_string_lossy().into_owned();
            (inner != file).then_some(inner)
        });
        behind.collect()
    }

    fn directories_in(&self, root: &Path) -> Vec<String> {
        let inside = self.path_directories.iter().filter_map(|RawPath(path)| {
            let real = path.canonicalize().unwrap_or_else(|_| path.clone());
            Some(real.strip_prefix(root).ok()?.to_string_lossy().into_owned())
        });
        inside.collect()
    }
}

fn below(inner: &str, glob: &str) -> String {
    match inner {
        "" => glob.to_owned(),
        inner => format!("{inner}/{}", glob.trim_start_matches("./")),
    }
}
