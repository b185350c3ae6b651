//! The loops of a repository: those of its root and everything below, and of its other work trees.

use std::path::{Path, PathBuf};

use windlass::{places_of_repository, system::GuardianProgram};
use windlass_store::store::{LoopRecord, Store};

use crate::{
    commands::block_on,
    host::{app::App, failure::Failure},
};

/// A repository, or a directory outside of any.
pub(crate) struct Here {
    places: Vec<PathBuf>,
}

impl Here {
    /// The repository that the user stands in. Where git cannot tell, the directory.
    pub(crate) fn of(app: &App) -> Result<Self, Failure> {
        let (program, host) = (GuardianProgram::ThisProgram, app.environment.all().clone());
        let places = block_on(places_of_repository(&program, &app.home, host, &app.directory))?;
        let real = |place: PathBuf| place.canonicalize().unwrap_or(place);
        let places = places.unwrap_or_else(|_| vec![app.directory.clone()]);
        Ok(Self { places: places.into_iter().map(real).collect() })
    }

    /// Its root: that of the main work tree.
    pub(crate) fn root(&self) -> &Path {
        self.places.first().map_or(Path::new("/"), PathBuf::as_path)
    }

    /// Its loops, newest first.
    pub(crate) fn loops(&self, store: &Store) -> Result<Vec<LoopRecord>, Failure> {
        let mut loops = store.loops(None)?;
        loops.retain(|record| self.has(record));
        Ok(loops)
    }

    fn has(&self, record: &LoopRecord) -> bool {
        let is_here = |path: &PathBuf| self.places.iter().any(|place| path.starts_with(place));
        is_here(&record.directory) || record.worktree.as_ref().is_some_and(is_here)
    }
}
