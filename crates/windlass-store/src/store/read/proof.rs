//! What was recorded about the proof of a loop, without the rest of its history.

use windlass_core::{event::Event, ids::LoopId, view::LoopView};

use crate::store::{Store, StoreError, events};

impl Store {
    /// The events about baseline, guarded files, tests, originals, claims and proofs, in order.
    pub fn proof_events(&self, id: &LoopId) -> Result<Vec<Event>, StoreError> {
        self.with(|connection| {
            let sql = format!(
                "{} WHERE e.loop = ? AND e.type <> 'agent_said'
                    AND e.type IN ('baseline', 'guarded', 'tests', 'originals', 'proof', 'claimed',
                                   'claim_rejected', 'claim_accepted')
                 ORDER BY e.seq",
                events::SELECT
                    .replace("FROM journal e", "FROM journal e INDEXED BY events_history")
            );
            connection.prepare_cached(&sql)?.query_map([id.as_str()], events::read)?.collect()
        })
    }

    /// A loop as those events show it.
    pub fn proof_view(&self, id: &LoopId) -> Result<LoopView, StoreError> {
        let mut view = LoopView::default();
        self.proof_events(id)?.iter().for_each(|event| view.apply(event));
        Ok(view)
    }
}
