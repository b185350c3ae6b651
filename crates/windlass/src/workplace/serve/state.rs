//! Answers what is about the state of the repository before and after sessions.

use windlass_repo::{
    state::Watch,
    tree::{Tree, TreeError},
};
use windlass_system::worker::Frame;

use super::{super::call::StateCall, told};

/// Answers one question.
pub(super) async fn answer(watch: &mut Watch, tree: Option<&Tree>, call: StateCall) -> Frame {
    match call {
        StateCall::Resume { loop_id, scan } => {
            let nested = nested(tree, scan).await;
            told::<_, TreeError>(Ok(watch.resume(&loop_id, &nested)))
        }
        StateCall::Begin { loop_id } => {
            watch.begin(&loop_id, &nested(tree, false).await);
            told::<_, TreeError>(Ok(()))
        }
        StateCall::Compare { loop_id, scan } => {
            let left = watch.compare(&loop_id, &nested(tree, scan).await);
            told::<_, TreeError>(Ok((left.entries, left.left_out)))
        }
        StateCall::Close { loop_id } => {
            watch.close(&loop_id);
            told::<_, TreeError>(Ok(()))
        }
    }
}

/// Other repositories in the work tree, as the last look found them; without a look one is taken.
async fn nested(tree: Option<&Tree>, scan: bool) -> Vec<Vec<u8>> {
    let Some(tree) = tree else { return Vec::new() };
    match tree.nested().await {
        Some(nested) if !scan => nested,
        _ => tree.find_nested().await,
    }
}
