//! What is cleared away when a merge is over: its own worktree, and that of the loop whose work is
//! home now.

use std::{collections::BTreeMap, ffi::OsString, path::Path};

use windlass_core::{ids::LoopId, result::LoopResult};
use windlass_system::{home, process::GuardianProgram};

use super::{LoopError, interrupted::discard, programs::opening, setup::lock_tree};
use crate::kind::merge::Options;

/// Clears away. What an agent did that came to nothing stays, and so does whatever is not committed.
pub(super) async fn tidy(
    guardian: &GuardianProgram,
    home: &Path,
    env: &BTreeMap<OsString, OsString>,
    options: &Options,
    result: &LoopResult,
) -> Result<(), LoopError> {
    // Only one that windlass made for the loop: a loop without has worked where its user does.
    let top = home::worktrees(home).join(&options.of_name);
    let worktrees = [home::merging(home).join(&result.name), top.clone()];
    let opening = opening(guardian, home, env, &[&options.home])?.reaching(worktrees);
    if let Some(tree) = opening.tree(&options.home).await? {
        if result.success || result.sessions == 0 {
            discard(home, &tree, &result.name).await;
        }
        if result.success && !options.keep && options.workplace.starts_with(&top) {
            let id = LoopId::from(result.id.clone());
            let _lock = lock_tree(home, &top, &id, &result.name)?;
            tree.remove_worktree(&top).await?;
        }
    }
    opening.close().await;
    Ok(())
}
