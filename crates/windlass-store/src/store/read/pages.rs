//! Reads of a loop page by page, for screens: a loop may have thousands of iterations.

use rusqlite::{Connection, Result, params, types::Value};
use windlass_core::ids::LoopId;

use super::{
    cut_off::{mark_iterations, mark_sessions},
    rows::{SESSIONS, checks, read_iteration, read_session},
};
use crate::store::{IterationRecord, SessionRecord, Store, StoreError, columns::int};

const ITERATIONS: &str = "SELECT number, tree, head, claim, rejected_because, files_changed,
    started_at, duration_ms, exit_code, preview FROM iterations WHERE loop = ?";

impl Store {
    /// The iterations after number `after`, at most `limit`, in order, with their checks.
    pub fn iterations_after(
        &self,
        id: &LoopId,
        after: u32,
        limit: usize,
    ) -> Result<Vec<IterationRecord>, StoreError> {
        self.with(|connection| {
            let sql = format!("{ITERATIONS} AND number > ? ORDER BY number LIMIT ?");
            let mut statement = connection.prepare_cached(&sql)?;
            let rows =
                statement.query_map(params![id.as_str(), after, rows(limit)], read_iteration)?;
            with_checks(connection, id, rows.collect::<Result<_>>()?)
        })
    }

    /// The newest `limit` iterations before number `before`, in order, with their checks.
    pub fn iterations_before(
        &self,
        id: &LoopId,
        before: u32,
        limit: usize,
    ) -> Result<Vec<IterationRecord>, StoreError> {
        self.with(|connection| {
            let sql = format!("{ITERATIONS} AND number < ? ORDER BY number DESC LIMIT ?");
            let mut statement = connection.prepare_cached(&sql)?;
            let rows =
                statement.query_map(params![id.as_str(), before, rows(limit)], read_iteration)?;
            let mut iterations: Vec<_> = rows.collect::<Result<_>>()?;
            iterations.reverse();
            with_checks(connection, id, iterations)
        })
    }

    /// The sessions of the iterations from `first` to `last`, in order.
    pub fn sessions_between(
        &self,
        id: &LoopId,
        first: u32,
        last: u32,
    ) -> Result<Vec<SessionRecord>, StoreError> {
        self.with(|connection| {
            let sql =
                format!("{SESSIONS} WHERE loop = ? AND iteration BETWEEN ? AND ? ORDER BY id");
            let mut statement = connection.prepare_cached(&sql)?;
            let rows = statement.query_map(params![id.as_str(), first, last], read_session)?;
            let mut sessions = rows.collect::<Result<Vec<_>>>()?;
            mark_sessions(connection, id, &mut sessions)?;
            Ok(sessions)
        })
    }
}

fn rows(limit: usize) -> Value {
    int(u64::try_from(limit).unwrap_or(u64::MAX))
}

/// Iterations in a row, with their checks put in.
fn with_checks(
    connection: &Connection,
    id: &LoopId,
    mut iterations: Vec<IterationRecord>,
) -> Result<Vec<IterationRecord>> {
    let (Some(first), Some(last)) = (iterations.first(), iterations.last()) else {
        return Ok(iterations);
    };
    // Checks before the first iteration are shown with it.
    let first = if first.number <= 1 { 0 } else { first.number };
    let mut checks = checks(connection, id, first, last.number)?.into_iter().peekable();
    for iteration in &mut iterations {
        while let Some(check) = checks.next_if(|check| check.iteration <= iteration.number) {
            match check.part.as_deref() {
                None => iteration.checks.push(check),
                // The journal has what the baseline came to.
                Some("baseline") => {}
                Some(_) => iteration.originals.push(check),
            }
        }
    }
    mark_iterations(connection, id, &mut iterations)?;
    Ok(iterations)
}
