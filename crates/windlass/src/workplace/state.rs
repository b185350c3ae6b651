//! What sessions leave behind in the repository, asked of the helper.

use windlass_core::{
    event::{LeftBehind, Leftovers},
    ids::LoopId,
};
use windlass_repo::{state::Resumed, tree::TreeError};

use super::{Line, call::StateCall};

/// The state of a place before and after sessions.
pub(crate) struct Watched(pub(super) Line);

impl Watched {
    /// Whether the place did not answer the last question in time.
    pub(crate) fn is_silent(&self) -> bool {
        self.0.is_silent()
    }

    /// Begins for a loop: what it, or another that was cut off here, has left behind. `scan` has the
    /// work tree looked at first.
    pub(crate) async fn resume(&self, id: &LoopId, scan: bool) -> Result<Resumed, TreeError> {
        self.0.ask(StateCall::Resume { loop_id: id.to_string(), scan }).await
    }

    /// Takes the state down before a session.
    pub(crate) async fn begin(&self, id: &LoopId) -> Result<(), TreeError> {
        self.0.ask(StateCall::Begin { loop_id: id.to_string() }).await
    }

    /// What was left behind since the loop began.
    pub(crate) async fn compare(&self, id: &LoopId, scan: bool) -> Result<Leftovers, TreeError> {
        let call = StateCall::Compare { loop_id: id.to_string(), scan };
        let left: Result<(Vec<LeftBehind>, u32), TreeError> = self.0.ask(call).await;
        left.map(|(entries, left_out)| Leftovers { entries, left_out })
    }

    /// Everything was told.
    pub(crate) async fn close(&self, id: &LoopId) -> Result<(), TreeError> {
        self.0.ask(StateCall::Close { loop_id: id.to_string() }).await
    }
}
