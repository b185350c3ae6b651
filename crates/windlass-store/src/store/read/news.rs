//! What came since a screen looked last, in pages.

use rusqlite::params;
use windlass_core::{event::Event, ids::LoopId};

use crate::store::{Store, StoreError, columns::int, events};

impl Store {
    /// Events after number `after` but what agents said, at most `limit`.
    pub fn history_after(
        &self,
        id: &LoopId,
        after: u64,
        limit: usize,
    ) -> Result<Vec<Event>, StoreError> {
        self.with(|connection| {
            let sql = format!(
                "{} WHERE e.loop = ? AND e.seq > ? AND e.type <> 'agent_said'
                 ORDER BY e.seq LIMIT ?",
                events::SELECT
                    .replace("FROM journal e", "FROM journal e INDEXED BY events_history")
            );
            let limit = int(u64::try_from(limit).unwrap_or(u64::MAX));
            connection
                .prepare_cached(&sql)?
                .query_map(params![id.as_str(), int(after), limit], events::read)?
                .collect()
        })
    }
}
