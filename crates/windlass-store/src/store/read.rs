//! Reads of one loop and of all. Each is short, so that no reader keeps the log from being cut.

mod cut_off;
mod news;
mod pages;
mod proof;
mod rows;

use std::path::{Path, PathBuf};

use rusqlite::{OptionalExtension, Result, params};
use windlass_core::{
    event::{Event, Leftovers, OptionChanged},
    findings::Counts,
    forge::PostedReview,
    ids::LoopId,
    proof_record::ProofRecord,
    time::Timestamp,
};

pub(super) use self::rows::one_loop;

use self::rows::{LOOP_COLUMNS, SESSIONS, read_loop, read_message, read_session};
use super::{
    Calls, IterationRecord, LoopRecord, MessageRecord, SessionRecord, Store, StoreError,
    TaskRecord,
    columns::{PathColumn, TimeColumn, from_int, int, path},
    events,
    find::canonical,
};

/// How many calls are looked at, to see how many there were in an hour.
const MOST_CALLS: u32 = 20_000;

impl Store {
    /// How many findings of a loop there are, by how they stand.
    pub(crate) fn finding_counts(&self, id: &LoopId) -> Result<Counts, StoreError> {
        self.with(|connection| {
            connection
                .prepare_cached(
                    "SELECT count(*), count(*) FILTER (WHERE status = 'open'),
                            count(*) FILTER (WHERE status = 'fixed'),
                            count(*) FILTER (WHERE status = 'skipped')
                     FROM findings WHERE loop = ?",
                )?
                .query_row([id.as_str()], |row| {
                    let (total, open) = (row.get(0)?, row.get(1)?);
                    Ok(Counts { total, open, fixed: row.get(2)?, skipped: row.get(3)? })
                })
        })
    }

    /// Events after number `after`, at most `limit`.
    pub fn events(&self, id: &LoopId, after: u64, limit: usize) -> Result<Vec<Event>, StoreError> {
        self.with(|connection| {
            // The first of them may stand in a row that began before.
            let sql = format!(
                "{} WHERE e.loop = ?1 AND event_seq > ?2 AND e.seq >= coalesce(
                     (SELECT max(seq) FROM journal WHERE loop = ?1 AND seq <= ?2), 0)
                 ORDER BY e.seq, m.sequence LIMIT ?3",
                events::SELECT
            );
            let limit = int(u64::try_from(limit).unwrap_or(u64::MAX));
            connection
                .prepare_cached(&sql)?
                .query_map(params![id.as_str(), int(after), limit], events::read)?
                .collect()
        })
    }

    /// The last events before number `before`, at most `limit`, oldest first.
    pub fn events_before(
        &self,
        id: &LoopId,
        before: u64,
        limit: usize,
    ) -> Result<Vec<Event>, StoreError> {
        self.with(|connection| {
            let sql = format!(
                "{} WHERE e.loop = ?1 AND e.seq < ?2 AND event_seq < ?2
                 ORDER BY e.seq DESC, m.sequence DESC LIMIT ?3",
                events::SELECT
            );
            let limit = int(u64::try_from(limit).unwrap_or(u64::MAX));
            let mut statement = connection.prepare_cached(&sql)?;
            let newest =
                statement.query_map(params![id.as_str(), int(before), limit], events::read)?;
            let mut events = newest.collect::<Result<Vec<_>>>()?;
            events.reverse();
            Ok(events)
        })
    }

    /// All events but what agents said: what resume and replay need.
    pub fn history(&self, id: &LoopId) -> Result<Vec<Event>, StoreError> {
        self.with(|connection| {
            let sql = format!(
                "{} WHERE e.loop = ? AND e.type <> 'agent_said' ORDER BY e.seq",
                events::SELECT
                    .replace("FROM journal e", "FROM journal e INDEXED BY events_history")
            );
            connection.prepare_cached(&sql)?.query_map([id.as_str()], events::read)?.collect()
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
        self.iterations_after(id, 0, usize::MAX)
    }

    /// The sessions of a loop, in order.
    pub fn sessions(&self, id: &LoopId) -> Result<Vec<SessionRecord>, StoreError> {
        self.with(|connection| {
            let sql = format!("{SESSIONS} WHERE loop = ? ORDER BY id");
            let mut statement = connection.prepare_cached(&sql)?;
            let rows = statement.query_map([id.as_str()], read_session)?;
            let mut sessions = rows.collect::<Result<Vec<_>>>()?;
            cut_off::mark_sessions(connection, id, &mut sessions)?;
            Ok(sessions)
        })
    }

    /// The tasks that a loop gave out so far, in that order, and how each stands.
    pub fn tasks(&self, id: &LoopId) -> Result<Vec<TaskRecord>, StoreError> {
        self.with(|connection| {
            connection
                .prepare_cached(
                    "SELECT task, status, attempts FROM tasks WHERE loop = ?1
                     ORDER BY (SELECT min(id) FROM sessions
                               WHERE loop = ?1 AND sessions.task = tasks.task) NULLS LAST, task",
                )?
                .query_map([id.as_str()], |row| {
                    let (task, status) = (row.get(0)?, row.get(1)?);
                    Ok(TaskRecord { task, status, attempts: row.get(2)? })
                })?
                .collect()
        })
    }

    /// The newest session of a loop.
    pub fn last_session(&self, id: &LoopId) -> Result<Option<SessionRecord>, StoreError> {
        self.with(|connection| {
            let sql = format!("{SESSIONS} WHERE loop = ? ORDER BY id DESC LIMIT 1");
            let mut statement = connection.prepare_cached(&sql)?;
            let mut last = statement.query_row([id.as_str()], read_session).optional()?;
            cut_off::mark_sessions(connection, id, last.as_mut_slice())?;
            Ok(last)
        })
    }

    /// Whether a session of the loop met the limit of its provider, or its overage was one.
    pub(crate) fn met_limit(&self, id: &LoopId) -> Result<bool, StoreError> {
        self.with(|connection| {
            connection
                .prepare_cached(
                    "SELECT EXISTS (SELECT 1 FROM sessions WHERE loop = ?1 AND status = 'failed'
                                    AND outcome ->> 'type' = 'limited')
                         OR EXISTS (SELECT 1 FROM events WHERE loop = ?1 AND type = 'step_started'
                                    AND body ->> '$.step.what' = 'reset')
                         OR EXISTS (SELECT 1 FROM events WHERE loop = ?1 AND type = 'loop_finished'
                                    AND body ->> '$.ending.type' = 'limited')",
                )?
                .query_row([id.as_str()], |row| row.get(0))
        })
    }

    /// Where loops have worked, as far as they are known still.
    pub fn workplaces(&self) -> Result<Vec<PathBuf>, StoreError> {
        self.with(|connection| {
            connection
                .prepare_cached(
                    "SELECT directory FROM loops
                     UNION SELECT worktree FROM loops WHERE worktree IS NOT NULL",
                )?
                .query_map([], |row| Ok(row.get::<_, PathColumn>(0)?.0))?
                .collect()
        })
    }

    /// What is to be said about the proof of the claim that was accepted last.
    pub fn doubts(&self, id: &LoopId) -> Result<Vec<String>, StoreError> {
        let body: Option<String> = self.with(|connection| {
            connection
                .prepare_cached(
                    "SELECT body ->> 'doubts' FROM journal INDEXED BY events_history
                     WHERE loop = ? AND type <> 'agent_said' AND type = 'claim_accepted'
                     ORDER BY seq DESC LIMIT 1",
                )?
                .query_row([id.as_str()], |row| row.get(0))
                .optional()
                .map(Option::flatten)
        })?;
        Ok(body.and_then(|body| serde_json::from_str(&body).ok()).unwrap_or_default())
    }

    /// The proof of its last claim; `None` before one.
    pub fn proof(&self, id: &LoopId) -> Result<Option<ProofRecord>, StoreError> {
        let body: Option<String> = self.with(|connection| {
            connection
                .prepare_cached(
                    "SELECT body -> '$.proof' FROM journal INDEXED BY events_history
                     WHERE loop = ? AND type <> 'agent_said' AND type = 'proof'
                     ORDER BY seq DESC LIMIT 1",
                )?
                .query_row([id.as_str()], |row| row.get(0))
                .optional()
        })?;
        Ok(body.and_then(|body| serde_json::from_str(&body).ok()))
    }

    /// What was changed about a loop each time that it was taken up again.
    pub fn option_changes(&self, id: &LoopId) -> Result<Vec<OptionChanged>, StoreError> {
        let bodies: Vec<String> = self.with(|connection| {
            connection
                .prepare_cached(
                    "SELECT body FROM journal INDEXED BY events_history
                     WHERE loop = ? AND type <> 'agent_said' AND type = 'option_changed'
                     ORDER BY seq",
                )?
                .query_map([id.as_str()], |row| row.get(0))?
                .collect()
        })?;
        Ok(bodies.iter().filter_map(|body| serde_json::from_str(body).ok()).collect())
    }

    /// The review that a loop has posted last.
    pub(crate) fn posted(&self, id: &LoopId) -> Result<Option<PostedReview>, StoreError> {
        let body: Option<String> = self.with(|connection| {
            connection
                .prepare_cached(
                    "SELECT body -> '$.result.review' FROM journal INDEXED BY events_history
                     WHERE loop = ? AND type <> 'agent_said' AND type = 'step_finished'
                       AND body ->> '$.result.type' = 'posted'
                       AND body ->> '$.result.review' IS NOT NULL
                     ORDER BY seq DESC LIMIT 1",
                )?
                .query_row([id.as_str()], |row| row.get(0))
                .optional()
        })?;
        Ok(body.and_then(|body| serde_json::from_str(&body).ok()))
    }

    /// What sessions of a loop left behind in its repository.
    pub fn left_behind(&self, id: &LoopId) -> Result<Leftovers, StoreError> {
        let bodies: Vec<String> = self.with(|connection| {
            connection
                .prepare_cached(
                    "SELECT body FROM journal INDEXED BY events_history
                     WHERE loop = ? AND type <> 'agent_said' AND type = 'left_behind' ORDER BY seq",
                )?
                .query_map([id.as_str()], |row| row.get(0))?
                .collect()
        })?;
        let mut left = Leftovers::default();
        let found = bodies.iter().filter_map(|body| serde_json::from_str(body).ok());
        found.for_each(|found| left.apply(&found));
        Ok(left)
    }

    /// When sessions were started since `since`, over all loops, the latest first.
    pub(crate) fn calls(
        &self,
        calls: Calls,
        since: Timestamp,
    ) -> Result<Vec<Timestamp>, StoreError> {
        let which = match calls {
            Calls::All => "",
            Calls::Paid => "AND agent NOT IN ('command', 'scripted')",
        };
        self.with(|connection| {
            let sql = format!(
                "SELECT started_at FROM sessions WHERE started_at >= ? {which}
                 ORDER BY started_at DESC LIMIT {MOST_CALLS}"
            );
            let mut statement = connection.prepare_cached(&sql)?;
            let rows =
                statement.query_map([TimeColumn(since)], |row| row.get::<_, TimeColumn>(0))?;
            rows.map(|row| Ok(row?.0)).collect()
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
            for session in sessions.query_map([id.as_str()], |row| row.get::<_, i64>(0))? {
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
