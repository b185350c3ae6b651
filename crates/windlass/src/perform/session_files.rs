//! The files that an agent reads while its session runs: its prompt, where it reads that from a
//! file, and its hooks. They are windlass's own: in a sandbox they can be read, and nothing more.

use std::{
    fs::{self, OpenOptions},
    io::{self, Write},
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
};

use windlass_agents::{Agent, Ask};
use windlass_core::ids::Place;
use windlass_system::{home, sandbox::Sandbox};

use super::Worker;
use crate::halt::Halt;

/// The files of one session, there only while it runs.
#[derive(Default)]
pub(super) struct SessionFiles {
    prompt: Option<SessionFile>,
    hooks: Option<SessionFile>,
}

impl SessionFiles {
    /// Where the one called `what` stands for the session at that place.
    pub(super) fn path_for(
        worker: &Worker,
        sandbox: &Sandbox,
        place: &Place,
        what: &str,
    ) -> PathBuf {
        let directory = sandbox.files_directory().unwrap_or(&worker.run_directory);
        directory.join(format!("{}.{what}", place.file_name()))
    }

    /// Writes those that the agent reads; the hooks to `hooks_file`.
    pub(super) fn write(
        worker: &Worker,
        agent: &dyn Agent,
        ask: &Ask<'_>,
        hooks_file: &Path,
    ) -> Result<Self, Halt> {
        let own = worker.agent_hooks.as_deref();
        let hooks = agent.hooks().and_then(|hooked| hooked.text(ask, own));
        let mut files = Self::default();
        if agent.reads_prompt_file() || hooks.is_some() {
            let text = agent.prompt_file_text(ask);
            match SessionFile::write(ask.prompt_file, &text) {
                Ok(file) => files.prompt = Some(file),
                Err(error) if agent.reads_prompt_file() => {
                    return Err(worker.failed("write the prompt file", &error));
                }
                // Hooks only tell of it.
                Err(_) => (),
            }
        }
        match hooks.map(|text| SessionFile::write(hooks_file, &text)) {
            Some(Ok(file)) => files.hooks = Some(file),
            // An agent can do without the default set, but not without what the user asked for.
            Some(Err(error)) if own.is_some() => {
                return Err(worker.failed("write the hooks of the agent", &error));
            }
            Some(Err(_)) | None => (),
        }
        Ok(files)
    }

    /// Where the hooks stand, if there are any.
    pub(super) fn hooks(&self) -> Option<&Path> {
        self.hooks.as_ref().map(|file| file.0.as_path())
    }

    /// Where all of them stand.
    pub(super) fn paths(&self) -> Vec<&Path> {
        [&self.prompt, &self.hooks].into_iter().flatten().map(|file| file.0.as_path()).collect()
    }
}

/// A file that is readable by the user alone, and is removed with this.
struct SessionFile(PathBuf);

impl SessionFile {
    fn write(path: &Path, text: &str) -> io::Result<Self> {
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
        file.write_all(text.as_bytes())?;
        Ok(guard)
    }
}

impl Drop for SessionFile {
    fn drop(&mut self) {
        // Nothing can be done about a file that will not go; the next session overwrites it.
        drop(fs::remove_file(&self.0));
    }
}
