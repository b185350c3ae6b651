//! Says of what has no end in a loop that does not run that it was cut off. The store learns of an end
//! only by an event, and a process that was killed sends none.

use rusqlite::{Connection, OptionalExtension, Result};
use windlass_core::ids::LoopId;
use windlass_system::ownership::Owner;

use crate::store::{IterationRecord, SessionRecord, columns::from_int};

/// Marks the iterations and their checks.
pub(super) fn mark_iterations(
    connection: &Connection,
    id: &LoopId,
    iterations: &mut [IterationRecord],
) -> Result<()> {
    let unfinished = |one: &IterationRecord| {
        one.claim.is_none() || one.checks.iter().any(|check| check.passed.is_none())
    };
    if !iterations.iter().any(unfinished) || runs(connection, id)? {
        return Ok(());
    }
    for one in iterations {
        one.claim.get_or_insert_with(|| "cut_off".to_owned());
        for check in &mut one.checks {
            check.cut_off = check.passed.is_none();
        }
    }
    Ok(())
}

/// Marks the sessions.
pub(super) fn mark_sessions(
    connection: &Connection,
    id: &LoopId,
    sessions: &mut [SessionRecord],
) -> Result<()> {
    let is_open = |one: &SessionRecord| one.status == "running";
    if sessions.iter().any(is_open) && !runs(connection, id)? {
        let open = sessions.iter_mut().filter(|one| is_open(one));
        open.for_each(|one| "interrupted".clone_into(&mut one.status));
    }
    Ok(())
}

fn runs(connection: &Connection, id: &LoopId) -> Result<bool> {
    let owner = connection
        .prepare_cached(
            "SELECT owner_pid, owner_started, owner_boot FROM loops
             WHERE id = ? AND ending IS NULL",
        )?
        .query_row([id.as_str()], |row| {
            Ok(Owner { pid: row.get(0)?, started: from_int(row, 1)?, boot: row.get(2)? })
        })
        .optional()?;
    Ok(owner.is_some_and(|owner| owner.is_alive()))
}
