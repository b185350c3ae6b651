//! What a guard is made of.

use super::Policy;

/// All that decides what is guarded in a loop.
#[derive(Clone, Debug, Default)]
pub struct Request {
    pub policy: Policy,
    /// Globs of `--guard`.
    pub guard: Vec<String>,
    /// Globs of `--unguard`.
    pub unguard: Vec<String>,
    /// The commands of the checks. One that runs elsewhere is `cd DIRECTORY && COMMAND`.
    pub checks: Vec<String>,
    /// Programs that checks run by their path and that are scripts: `check_files` names them, and who
    /// can see the tree says which they are.
    pub scripts: Vec<String>,
    /// The task file and windlass's own files and directories.
    pub never: Vec<String>,
    /// Directories in the tree that `PATH` leads to.
    pub path_directories: Vec<String>,
}
