//! What a dead process left: a note in the loop's directory says which engine to ask, and a label
//! says which containers are the loop's.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use bollard::errors::Error;
use serde::{Deserialize, Serialize};
use windlass_core::{ids::LoopId, options::SandboxName};

use super::engine::{Engine, words};

/// The name of the note.
const NAME: &str = "containers.json";

/// How the directories begin that were shown to containers.
pub(super) const SHARED: &str = "container-";

/// Which engine a loop's containers are with.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Note {
    pub(super) engine: SandboxName,
    pub(super) socket: PathBuf,
}

impl Note {
    /// Writes it into the loop's directory.
    pub(super) fn write(&self, run_directory: &Path) -> io::Result<()> {
        fs::write(run_directory.join(NAME), serde_json::to_vec(self)?)
    }

    /// Takes it away: there is nothing left.
    pub(super) fn forget(run_directory: &Path) {
        // Whoever reads it once more finds nothing.
        drop(fs::remove_file(run_directory.join(NAME)));
        // Only where nothing else is in it.
        drop(fs::remove_dir(run_directory));
    }

    fn read(run_directory: &Path) -> Option<Self> {
        serde_json::from_slice(&fs::read(run_directory.join(NAME)).ok()?).ok()
    }
}

/// Removes the containers of a loop that no process drives any more; gives how many there were.
/// Without `act` it only counts. It blocks; an engine that does not answer is an error.
pub fn remove_left_over(run_directory: &Path, id: &LoopId, act: bool) -> Result<u64, String> {
    let Some(note) = Note::read(run_directory) else { return Ok(0) };
    // A thread of its own, for the caller may be inside of a runtime already.
    let removed = std::thread::scope(|scope| {
        let work = || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            let runtime = runtime.map_err(|error| error.to_string())?;
            runtime.block_on(async {
                let engine = Engine::connect(note.engine, &note.socket).await;
                let engine = engine.map_err(|missing| missing.why)?;
                let removed = remove_of_loop(&engine, id, act).await;
                removed.map_err(|error| words(&error))
            })
        };
        scope.spawn(work).join().unwrap_or_else(|_| Err("it failed".to_owned()))
    })?;
    if act {
        for entry in fs::read_dir(run_directory).into_iter().flatten().flatten() {
            if entry.file_name().to_string_lossy().starts_with(SHARED) {
                // What stays is removed when the loop is.
                drop(fs::remove_dir_all(entry.path()));
            }
        }
        Note::forget(run_directory);
    }
    Ok(removed)
}

/// Removes all containers of a loop; gives how many there were.
async fn remove_of_loop(engine: &Engine, id: &LoopId, act: bool) -> Result<u64, Error> {
    let found = engine.of_loop(id).await?;
    if act {
        for container in &found {
            engine.remove(&container.id).await?;
        }
    }
    Ok(found.len() as u64)
}

/// Removes the container of a loop that has a name which is needed again.
pub(super) async fn remove_earlier(engine: &Engine, id: &LoopId, name: &str) -> Result<(), Error> {
    for container in engine.of_loop(id).await? {
        if container.name == name {
            engine.remove(&container.id).await?;
        }
    }
    Ok(())
}
