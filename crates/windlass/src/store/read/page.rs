//! Reads of a part of a loop, for screens that show the newest first and the rest when asked.

use rusqlite::params;

use super::rows::{checks_from, read_iteration};
use crate::{
    ids::LoopId,
    store::{IterationRecord, Store, StoreError, columns::int},
};

impl Store {
    /// The last iterations before number `before`, at most `limit`, in order, with their checks.
    pub fn iterations_before(
        &self,
        id: &LoopId,
        before: u32,
        limit: usize,
    ) -> Result<Vec<IterationRecord>, StoreError> {
        self.with(|connection| {
            let limit = int(u64::try_from(limit).unwrap_or(u64::MAX));
            let mut statement = connection.prepare_cached(
                "SELECT number, tree, head, claim, rejected_because, files_changed, started_at,
                        duration_ms, exit_code, preview
                 FROM iterations WHERE loop = ? AND number < ? ORDER BY number DESC LIMIT ?",
            )?;
            let rows = statement.query_map(params![id, before, limit], read_iteration)?;
            let mut iterations = rows.collect::<rusqlite::Result<Vec<_>>>()?;
            iterations.reverse();
            let Some(first) = iterations.first().map(|first| first.number) else {
                return Ok(iterations);
            };
            for check in checks_from(connection, id, first, before)? {
                let own = iterations.iter_mut().find(|one| one.number == check.iteration);
                own.into_iter().for_each(|one| one.checks.push(check.clone()));
            }
            Ok(iterations)
        })
    }
}
