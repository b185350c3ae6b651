//! The rows of tasks that a loop gives out one at a time.

use rusqlite::{Connection, Result, params};
use windlass_core::{
    event::{Phase, PhaseEntered},
    ids::LoopId,
};

/// Keeps how often a task was tried, and what became of it.
pub(super) fn attempted(
    connection: &Connection,
    id: &LoopId,
    entered: &PhaseEntered,
) -> Result<()> {
    let Some(task) = &entered.task else { return Ok(()) };
    let status = match entered.phase {
        Phase::Approved => "approved",
        Phase::Escalated => "escalated",
        Phase::Blocked => "blocked",
        Phase::Started
        | Phase::Developing
        | Phase::Reviewing
        | Phase::Feedback
        | Phase::Failed
        | Phase::Breathe
        | Phase::Reflect
        | Phase::Heal
        | Phase::Awaken => "open",
    };
    connection
        .prepare_cached(
            "INSERT INTO tasks (loop, task, status, attempts) VALUES (?1, ?2, ?3, ?4)
             ON CONFLICT (loop, task) DO UPDATE
             SET status = excluded.status, attempts = max(attempts, excluded.attempts)",
        )?
        .execute(params![id.as_str(), task, status, entered.attempt.unwrap_or_default()])?;
    Ok(())
}
