//! Reads of one loop and of all. Each is short, so that no reader keeps the log from being cut.

use std::path::Path;

use rusqlite::{Connection, OptionalExtension, Result, Row, params};

use super::{
    Calls, CheckRecord, IterationRecord, LoopRecord, MessageRecord, SessionRecord, Store,
    StoreError, TaskCounts,
    columns::{PathColumn, from_int, from_json_or_null, int, path},
    events,
    find::canonical,
};
use crate::{event::Event, ids::LoopId, ownership::Owner, said::Usage, time::Timestamp};

impl Store {
    /// Events after number `after`, at most `limit`.
    pub fn events(&self, id: &LoopId, after: u64, limit: usize) -> Result<Vec<Event>, StoreError> {
        self.with(|connection| {
            let sql =
                format!("{} WHERE e.loop = ? AND e.seq > ? ORDER BY e.seq LIMIT ?", events::SELECT);
            let limit = int(u64::try_from(limit).unwrap_or(u64::MAX));
            connection
                .prepare_cached(&sql)?
                .query_map(params![id, int(after), limit], events::read)?
                .collect()
        })
    }

    /// All events but what agents said: what resume and replay need.
    pub fn history(&self, id: &LoopId) -> Result<Vec<Event>, StoreError> {
        self.with(|connection| {
            let sql = format!(
                "{} WHERE e.loop = ? AND e.type <> 'agent_said' ORDER BY e.seq",
                events::SELECT.replace("FROM events e", "FROM events e INDEXED BY events_history")
            );
            connection.prepare_cached(&sql)?.query_map([id], events::read)?.collect()
        })
    }

    /// One loop.
    pub fn get(&self, id: &LoopId) -> Result<Option<LoopRecord>, StoreError> {
        self.with(|connection| one_loop(connection, "id = ?", id.as_str()))
    }

    /// Loops, newest first; all, or those of one directory. Without their options: those of
    /// thousands of loops would cost more than all the rest, and [`Store::get`] has them.
    pub fn loops(&self, directory: Option<&Path>) -> Result<Vec<LoopRecord>, StoreError> {
        self.with(|connection| {
            let Some(directory) = directory else {
                let sql = format!("SELECT {LOOP_COLUMNS}, NULL FROM loops ORDER BY number DESC");
                return connection.prepare_cached(&sql)?.query_map([], read_loop)?.collect();
            };
            let sql = format!(
                "SELECT {LOOP_COLUMNS}, NULL FROM loops WHERE directory = ?1 OR worktree = ?1
                 ORDER BY number DESC"
            );
            let directory = path(&canonical(directory));
            connection.prepare_cached(&sql)?.query_map([directory], read_loop)?.collect()
        })
    }

    /// The newest loops of all, `most` of them, those that have not ended whatever their age, and
    /// how many there are. Newest first, and without their options like [`Store::loops`].
    pub fn newest_loops(&self, most: usize) -> Result<(Vec<LoopRecord>, u64), StoreError> {
        self.with(|connection| {
            let sql = format!(
                "SELECT {LOOP_COLUMNS}, NULL FROM loops WHERE ending IS NULL
                 OR number IN (SELECT number FROM loops ORDER BY number DESC LIMIT ?)
                 ORDER BY number DESC"
            );
            let most = int(u64::try_from(most).unwrap_or(u64::MAX));
            let mut statement = connection.prepare_cached(&sql)?;
            let loops: Result<Vec<_>> = statement.query_map([most], read_loop)?.collect();
            let count = "SELECT count(*) FROM loops";
            let all = connection.prepare_cached(count)?.query_row([], |row| from_int(row, 0))?;
            Ok((loops?, all))
        })
    }

    /// The iterations of a loop, in order, with their checks.
    pub fn iterations(&self, id: &LoopId) -> Result<Vec<IterationRecord>, StoreError> {
        self.with(|connection| {
            let mut checks = checks(connection, id)?.into_iter().peekable();
            let mut statement = connection.prepare_cached(
                "SELECT number, tree, head, claim, rejected_because, files_changed, started_at,
                        duration_ms, exit_code, preview
                 FROM iterations WHERE loop = ? ORDER BY number",
            )?;
            let rows = statement.query_map([id], read_iteration)?;
            rows.map(|row| {
                let mut iteration = row?;
                while let Some(check) = checks.next_if(|c| c.iteration <= iteration.number) {
                    iteration.checks.push(check);
                }
                Ok(iteration)
            })
            .collect()
        })
    }

    /// The sessions of a loop, in order.
    pub fn sessions(&self, id: &LoopId) -> Result<Vec<SessionRecord>, StoreError> {
        self.with(|connection| {
            let sql = format!("{SESSIONS} WHERE loop = ? ORDER BY id");
            connection.prepare_cached(&sql)?.query_map([id], read_session)?.collect()
        })
    }

    /// The newest session of a loop.
    pub fn last_session(&self, id: &LoopId) -> Result<Option<SessionRecord>, StoreError> {
        self.with(|connection| {
            let sql = format!("{SESSIONS} WHERE loop = ? ORDER BY id DESC LIMIT 1");
            connection.prepare_cached(&sql)?.query_row([id], read_session).optional()
        })
    }

    /// Whether a session of the loop met the limit of its provider.
    pub fn met_limit(&self, id: &LoopId) -> Result<bool, StoreError> {
        self.with(|connection| {
            connection
                .prepare_cached(
                    "SELECT EXISTS (SELECT 1 FROM sessions WHERE loop = ? AND status = 'failed'
                                    AND outcome ->> 'type' = 'limited')",
                )?
                .query_row([id], |row| row.get(0))
        })
    }

    /// When the session was started that has just so many others after it, itself counted, where
    /// that was after `since`; over all loops.
    pub fn call_before_last(
        &self,
        calls: Calls,
        count: u32,
        since: Timestamp,
    ) -> Result<Option<Timestamp>, StoreError> {
        let which = match calls {
            Calls::All => "",
            Calls::Paid => "AND agent NOT IN ('command', 'scripted')",
        };
        self.with(|connection| {
            let sql = format!(
                "SELECT started_at FROM sessions WHERE started_at > ? {which}
                 ORDER BY started_at DESC LIMIT 1 OFFSET ?"
            );
            connection
                .prepare_cached(&sql)?
                .query_row(params![since, count.saturating_sub(1)], |row| row.get(0))
                .optional()
        })
    }

    /// The last messages of a loop, oldest first. Those of sessions side by side come session by
    /// session.
    pub fn last_messages(&self, id: &LoopId, n: usize) -> Result<Vec<MessageRecord>, StoreError> {
        self.with(|connection| {
            let mut sessions = connection.prepare_cached(
                "SELECT id FROM sessions WHERE loop = ? AND messages > 0 ORDER BY id DESC",
            )?;
            let mut messages = connection.prepare_cached(
                "SELECT session, sequence, type, content, at FROM messages
                 WHERE session = ? ORDER BY sequence DESC LIMIT ?",
            )?;
            let mut last: Vec<MessageRecord> = Vec::new();
            for session in sessions.query_map([id], |row| row.get::<_, i64>(0))? {
                let rest = int(u64::try_from(n - last.len()).unwrap_or(u64::MAX));
                for message in messages.query_map(params![session?, rest], read_message)? {
                    last.push(message?);
                }
                if last.len() >= n {
                    break;
                }
            }
            last.reverse();
            Ok(last)
        })
    }
}

/// The columns of a loop; its options come after them.
const LOOP_COLUMNS: &str = "id, name, kind, directory, worktree, agent, epoch, owner_pid,
    owner_started, owner_boot, last_seq, started_at, updated_at, active_ms, iteration,
    max_iterations, phase, sessions, input_tokens, output_tokens, cost_usd, files_modified,
    circuit, circuit_reason, ending, verified, completion_text, final_status, tasks_completed,
    tasks_open, tasks_done, waiting";

/// The loop that a condition on one value picks.
pub(super) fn one_loop(
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

fn read_loop(row: &Row<'_>) -> Result<LoopRecord> {
    Ok(LoopRecord {
        id: row.get(0)?,
        name: row.get(1)?,
        kind: row.get(2)?,
        directory: row.get::<_, PathColumn>(3)?.0,
        worktree: row.get::<_, Option<PathColumn>>(4)?.map(|path| path.0),
        agent: row.get(5)?,
        epoch: from_int(row, 6)?,
        owner: Owner { pid: row.get(7)?, started: from_int(row, 8)?, boot: row.get(9)? },
        last_seq: from_int(row, 10)?,
        started_at: row.get(11)?,
        updated_at: row.get(12)?,
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
        options: from_json_or_null(row, 32)?.unwrap_or_default(),
    })
}

/// Reads how the tasks stand from `column` and the one after it.
fn read_tasks(row: &Row<'_>, column: usize) -> Result<Option<TaskCounts>> {
    let (open, done): (Option<u32>, Option<u32>) = (row.get(column)?, row.get(column + 1)?);
    Ok(open.zip(done).map(|(open, done)| TaskCounts { open, done }))
}

/// Reads tokens and money from `column` and the two after it.
fn read_usage(row: &Row<'_>, column: usize) -> Result<Usage> {
    Ok(Usage {
        input_tokens: from_int(row, column)?,
        output_tokens: from_int(row, column + 1)?,
        cost_usd: row.get(column + 2)?,
    })
}

fn read_iteration(row: &Row<'_>) -> Result<IterationRecord> {
    Ok(IterationRecord {
        number: row.get(0)?,
        tree: row.get(1)?,
        head: row.get(2)?,
        claim: row.get(3)?,
        rejected_because: from_json_or_null(row, 4)?.unwrap_or_default(),
        files_changed: row.get(5)?,
        checks: Vec::new(),
        started_at: row.get(6)?,
        duration_ms: optional_int(row, 7)?,
        exit_code: row.get(8)?,
        preview: row.get(9)?,
    })
}

fn checks(connection: &Connection, id: &LoopId) -> Result<Vec<CheckRecord>> {
    connection
        .prepare_cached(
            "SELECT iteration, command, passed, exit_code, duration_ms, output_hash, tail, tree,
                    started_at
             FROM checks WHERE loop = ? ORDER BY iteration, id",
        )?
        .query_map([id], |row| {
            Ok(CheckRecord {
                iteration: row.get(0)?,
                command: row.get(1)?,
                passed: row.get(2)?,
                exit_code: row.get(3)?,
                duration_ms: optional_int(row, 4)?,
                output_hash: row.get(5)?,
                tail: row.get(6)?,
                tree: row.get(7)?,
                started_at: row.get(8)?,
            })
        })?
        .collect()
}

const SESSIONS: &str = "SELECT id, iteration, task, place, role, agent, model, prompt, status,
    outcome, problem, text, tools, input_tokens, output_tokens, cost_usd, exit_code, started_at,
    duration_ms, denied, session_id FROM sessions";

fn read_session(row: &Row<'_>) -> Result<SessionRecord> {
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
        started_at: row.get(17)?,
        duration_ms: optional_int(row, 18)?,
        denied: row.get(19)?,
        session_id: row.get(20)?,
    })
}

fn read_message(row: &Row<'_>) -> Result<MessageRecord> {
    Ok(MessageRecord {
        session: row.get(0)?,
        sequence: from_int(row, 1)?,
        kind: row.get(2)?,
        content: row.get(3)?,
        at: row.get(4)?,
    })
}

fn optional_int(row: &Row<'_>, column: usize) -> Result<Option<u64>> {
    Ok(row.get::<_, Option<i64>>(column)?.and_then(|number| u64::try_from(number).ok()))
}
