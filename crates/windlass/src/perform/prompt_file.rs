//! The file that a prompt stands in while the session runs, for agents that read it from there.

use std::{
    fs::{self, OpenOptions},
    io::{self, Write},
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
};

use super::Worker;
use crate::{home, ids::Place, sandbox::Sandbox};

/// A file with the prompt, readable by the user alone, there only while the session runs.
pub(super) struct PromptFile(PathBuf);

impl PromptFile {
    /// Where it stands for the session at that place.
    pub(super) fn path_for(worker: &Worker, sandbox: &Sandbox, place: &Place) -> PathBuf {
        let directory = sandbox.prompt_directory().unwrap_or(&worker.run_directory);
        directory.join(format!("{}.prompt", place.file_name()))
    }

    /// Writes it.
    pub(super) fn write(path: &Path, prompt: &str) -> io::Result<Self> {
        if let Some(directory) = path.parent() {
            home::create_private(directory)?;
        }
        // One may be left over from a session that was cut off.
        match fs::remove_file(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => (),
        }
        let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
        let guard = Self(path.to_owned());
        file.write_all(prompt.as_bytes())?;
        Ok(guard)
    }
}

impl Drop for PromptFile {
    fn drop(&mut self) {
        // Nothing can be done about a file that will not go; the next session overwrites it.
        drop(fs::remove_file(&self.0));
    }
}
