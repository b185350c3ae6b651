//! Records the programs that checks find on their `PATH` and an agent can write.

use windlass_core::step::{Fingerprints, StepResult};
use windlass_proof::differing;

use super::Worker;
use crate::halt::Halt;

impl Worker {
    /// All of them, or those that differ from `before`.
    pub(super) async fn path_programs(
        &self,
        before: Option<&Fingerprints>,
    ) -> Result<StepResult, Halt> {
        let mut directories = self.trusted.writable().to_vec();
        // A link that leads out of where agents write leads to what is not theirs.
        directories
            .retain(|path| path.canonicalize().is_ok_and(|it| self.trusted.is_an_agents(&it)));
        if self.has_no_programs_in_the_tree() {
            directories.clear();
        }
        let found = if directories.is_empty() {
            Fingerprints::new()
        } else {
            let found = self.files.path_programs(&directories).await;
            found.map_err(|why| self.could_not("look at the programs of the work tree", &why))?
        };
        let files = match before {
            Some(before) => differing(before, found),
            None => found,
        };
        Ok(StepResult::Programs { files })
    }

    /// Whether no check can find a program that an agent can write by its name.
    pub(crate) fn has_no_programs_in_the_tree(&self) -> bool {
        self.trusted.writable().is_empty() || self.sandboxes.lead().has_programs_of_its_own()
    }
}
