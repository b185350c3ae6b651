//! Records the programs that checks find on their `PATH` and an agent can write.

use windlass_core::step::{Fingerprints, StepResult};
use windlass_proof::differing;
use windlass_repo::{path_programs::path_programs, tree::Tree};

use super::Worker;

impl Worker {
    /// All of them, or those that differ from `before`.
    pub(super) fn path_programs(&self, before: Option<&Fingerprints>) -> StepResult {
        let mut directories = self.trusted.writable().to_vec();
        // A link that leads out of where agents write leads to what is not theirs.
        directories
            .retain(|path| path.canonicalize().is_ok_and(|it| self.trusted.is_an_agents(&it)));
        if self.has_no_programs_in_the_tree() {
            directories.clear();
        }
        let top = self.tree.as_ref().map_or(self.directory.as_path(), Tree::top);
        let found = path_programs(&directories, top);
        let files = match before {
            Some(before) => differing(before, found),
            None => found,
        };
        StepResult::Programs { files }
    }

    /// Whether no check can find a program that an agent can write by its name.
    pub(crate) fn has_no_programs_in_the_tree(&self) -> bool {
        self.trusted.writable().is_empty() || self.sandboxes.lead().has_programs_of_its_own()
    }
}
