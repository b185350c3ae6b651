//! Rows of the store's tables as values.

use rusqlite::{Connection, OptionalExtension, Result, Row, params};
use windlass_core::{ids::LoopId, said::Usage};
use windlass_system::ownership::Owner;

use crate::store::{
    CheckRecord, IterationRecord, LoopRecord, MessageRecord, SessionRecord, TaskCounts,
    columns::{IdColumn, PathColumn, TimeColumn, from_int, from_json_or_null},
};

/// The columns of a loop; its options come after them.
pub(super) const LOOP_COLUMNS: &str =
    "id, name, kind, directory, worktree, agent, epoch, owner_pid,
    owner_started, owner_boot, last_seq, started_at, updated_at, active_ms, iteration,
    max_iterations, phase, sessions, input_tokens, output_tokens, cost_usd, files_modified,
    circuit, circuit_reason, ending, verified, completion_text, final_status, tasks_completed,
    tasks_open, tasks_done, waiting, fixes, trajectory, task_list, ended_at,
    (SELECT task FROM loop_options WHERE loop = loops.id)";

/// The loop that a condition on one value picks.
pub(in crate::store) fn one_loop(
    connection: &Connection,
    condition: &str,
    value: impl rusqlite::ToSql,
) -> Result<Option<LoopRecord>> {
    let sql = format!(
        "SELECT {LOOP_COLUMNS}, (SELECT options FROM loop_options WHERE loop = loops.id)
         FROM loops WHERE {condition}"
    );
    connection.prepare_cached(&sql)?.query_row([value], read_loop).optional()
}

pub(super) fn read_loop(row: &Row<'_>) -> Result<LoopRecord> {
    Ok(LoopRecord {
        id: row.get::<_, IdColumn>(0)?.0,
        name: row.get(1)?,
        kind: row.get(2)?,
        directory: row.get::<_, PathColumn>(3)?.0,
        worktree: row.get::<_, Option<PathColumn>>(4)?.map(|path| path.0),
        agent: row.get(5)?,
        epoch: from_int(row, 6)?,
        owner: Owner { pid: row.get(7)?, started: from_int(row, 8)?, boot: row.get(9)? },
        last_seq: from_int(row, 10)?,
        started_at: row.get::<_, TimeColumn>(11)?.0,
        updated_at: row.get::<_, TimeColumn>(12)?.0,
        active_ms: from_int(row, 13)?,
        iteration: row.get(14)?,
        max_iterations: row.get(15)?,
        phase: row.get(16)?,
        sessions: row.get(17)?,
        usage: read_usage(row, 18)?,
        files_modified: row.get(21)?,
        circuit: row.get(22)?,
        circuit_reason: row.get(23)?,
        ending: from_json_or_null(row, 24)?,
        verified: row.get(25)?,
        completion_text: row.get(26)?,
        final_status: from_json_or_null(row, 27)?,
        tasks_completed: row.get(28)?,
        tasks: read_tasks(row, 29)?,
        waiting: from_json_or_null(row, 31)?,
        fixes: row.get(32)?,
        trajectory: from_json_or_null(row, 33)?.unwrap_or_default(),
        task_list: row.get(34)?,
        ended_at: row.get::<_, Option<TimeColumn>>(35)?.map(|TimeColumn(at)| at),
        task: row.get::<_, Option<String>>(36)?.as_deref().and_then(first_line),
        options: from_json_or_null(row, 37)?.unwrap_or_default(),
    })
}

/// The first line of what a loop is for.
fn first_line(task: &str) -> Option<String> {
    task.lines().next().map(|line| line.trim_end().to_owned())
}

/// Reads how the tasks stand from `column` and the one after it.
pub(super) fn read_tasks(row: &Row<'_>, column: usize) -> Result<Option<TaskCounts>> {
    let (open, done): (Option<u32>, Option<u32>) = (row.get(column)?, row.get(column + 1)?);
    Ok(open.zip(done).map(|(open, done)| TaskCounts { open, done }))
}

/// Reads tokens and money from `column` and the two after it.
pub(super) fn read_usage(row: &Row<'_>, column: usize) -> Result<Usage> {
    Ok(Usage {
        input_tokens: from_int(row, column)?,
        output_tokens: from_int(row, column + 1)?,
        cost_usd: row.get(column + 2)?,
    })
}

pub(super) fn read_iteration(row: &Row<'_>) -> Result<IterationRecord> {
    Ok(IterationRecord {
        number: row.get(0)?,
        tree: row.get(1)?,
        head: row.get(2)?,
        claim: row.get(3)?,
        rejected_because: from_json_or_null(row, 4)?.unwrap_or_default(),
        files_changed: row.get(5)?,
        checks: Vec::new(),
        originals: Vec::new(),
        started_at: row.get::<_, TimeColumn>(6)?.0,
        duration_ms: optional_int(row, 7)?,
        exit_code: row.get(8)?,
        preview: row.get(9)?,
    })
}

/// The checks of the iterations from `first` to `last`.
pub(super) fn checks(
    connection: &Connection,
    id: &LoopId,
    first: u32,
    last: u32,
) -> Result<Vec<CheckRecord>> {
    connection
        .prepare_cached(
            "SELECT iteration, command, passed, exit_code, duration_ms, output_hash, tail, tree,
                    started_at, tests, part
             FROM checks WHERE loop = ? AND iteration BETWEEN ? AND ? ORDER BY iteration, id",
        )?
        .query_map(params![id.as_str(), first, last], |row| {
            Ok(CheckRecord {
                iteration: row.get(0)?,
                command: row.get(1)?,
                passed: row.get(2)?,
                cut_off: false,
                exit_code: row.get(3)?,
                duration_ms: optional_int(row, 4)?,
                output_hash: row.get(5)?,
                tail: row.get(6)?,
                tree: row.get(7)?,
                started_at: row.get::<_, TimeColumn>(8)?.0,
                tests: from_json_or_null(row, 9)?,
                part: row.get(10)?,
            })
        })?
        .collect()
}

pub(super) const SESSIONS: &str =
    "SELECT id, iteration, task, place, role, agent, model, prompt, status,
    outcome, problem, text, tools, input_tokens, output_tokens, cost_usd, exit_code, started_at,
    duration_ms, denied, session_id, lesson FROM sessions";

pub(super) fn read_session(row: &Row<'_>) -> Result<SessionRecord> {
    Ok(SessionRecord {
        id: row.get(0)?,
        iteration: row.get(1)?,
        task: row.get(2)?,
        place: row.get(3)?,
        role: row.get(4)?,
        agent: row.get(5)?,
        model: row.get(6)?,
        prompt: row.get(7)?,
        status: row.get(8)?,
        outcome: from_json_or_null(row, 9)?,
        problem: row.get(10)?,
        text: row.get(11)?,
        tools: row.get(12)?,
        usage: read_usage(row, 13)?,
        exit_code: row.get(16)?,
        started_at: row.get::<_, TimeColumn>(17)?.0,
        duration_ms: optional_int(row, 18)?,
        denied: row.get(19)?,
        session_id: row.get(20)?,
        lesson: row.get(21)?,
    })
}

pub(super) fn read_message(row: &Row<'_>) -> Result<MessageRecord> {
    Ok(MessageRecord {
        session: row.get(0)?,
        sequence: from_int(row, 1)?,
        kind: row.get(2)?,
        content: row.get(3)?,
        at: row.get::<_, TimeColumn>(4)?.0,
    })
}

pub(super) fn optional_int(row: &Row<'_>, column: usize) -> Result<Option<u64>> {
    Ok(row.get::<_, Option<i64>>(column)?.and_then(|number| u64::try_from(number).ok()))
}
