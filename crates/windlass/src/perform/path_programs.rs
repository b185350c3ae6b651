//! Records the programs that checks find on their `PATH` and an agent can write.

use std::path::PathBuf;

use windlass_core::step::{Fingerprints, StepResult};
use windlass_proof::differing;

use super::Worker;
use crate::halt::Halt;

impl Worker {
    /// All of them.
    pub(super) async fn path_programs(&self) -> Result<StepResult, Halt> {
        let files = self.programs_in(&self.program_directories()).await?;
        Ok(StepResult::Programs { files })
    }

    /// The directories of `PATH` whose programs are recorded with each snapshot: none until those of
    /// the loop's start are known.
    pub(super) fn watched_directories(&self) -> Vec<PathBuf> {
        match self.programs_at_start.get() {
            Some(_) => self.program_directories(),
            None => Vec::new(),
        }
    }

    /// Those of `now` that differ from the loop's start.
    pub(super) fn since_start(&self, now: Fingerprints) -> Fingerprints {
        match self.programs_at_start.get() {
            // A loop that is resumed with another `PATH` finds none: that does not make them gone.
            Some(before) if !self.has_no_programs_in_the_tree() => differing(before, now),
            _ => Fingerprints::new(),
        }
    }

    /// The programs in these directories, outside a repository.
    pub(super) async fn programs_in(&self, directories: &[PathBuf]) -> Result<Fingerprints, Halt> {
        if directories.is_empty() {
            return Ok(Fingerprints::new());
        }
        let found = self.files.path_programs(directories).await;
        found.map_err(|why| self.could_not("look at the programs of the work tree", &why))
    }

    /// Whether no check can find a program that an agent can write by its name.
    pub(crate) fn has_no_programs_in_the_tree(&self) -> bool {
        self.trusted.writable().is_empty() || self.sandboxes.lead().has_programs_of_its_own()
    }

    pub(super) fn program_directories(&self) -> Vec<PathBuf> {
        if self.has_no_programs_in_the_tree() {
            return Vec::new();
        }
        let mut directories = self.trusted.writable().to_vec();
        // A link that leads out of where agents write leads to what is not theirs.
        directories
            .retain(|path| path.canonicalize().is_ok_and(|it| self.trusted.is_an_agents(&it)));
        directories
    }
}
