//! The git directory that stands in the place of the user's while a session or a check runs in a sandbox.

use windlass_repo::tree::Who;
use windlass_system::sandbox::Sandbox;

use super::{Arrival, Worker};
use crate::halt::Halt;

impl Worker {
    /// Puts a git directory in place that is not the user's, where the sandbox has one.
    pub(super) async fn enter(&self, sandbox: &Sandbox, who: Who) -> Result<(), Halt> {
        match &self.tree {
            Some(tree) if sandbox.has_private_git() => {
                let entered = tree.enter_private(who).await;
                entered.map_err(|error| self.tree_failed(&error))
            }
            _ => Ok(()),
        }
    }

    /// Takes it away again; what an agent committed is brought to the user's.
    pub(super) async fn leave(&self, sandbox: &Sandbox, who: Who) -> Result<(), Halt> {
        match &self.tree {
            Some(tree) if sandbox.has_private_git() => {
                let left = tree.leave_private(who).await;
                left.map(drop).map_err(|error| self.tree_failed(&error))
            }
            _ => Ok(()),
        }
    }

    /// Whether the loop works in a worktree that was made for it.
    pub(crate) fn is_in_worktree(&self) -> bool {
        let is_apart = matches!(self.arrival, Arrival::Apart { .. });
        !is_apart && !self.directory.starts_with(&self.users_top)
    }
}
