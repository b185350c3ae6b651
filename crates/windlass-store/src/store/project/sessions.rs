//! The rows of sessions and of what their agents said.

use std::collections::HashMap;

use rusqlite::{Connection, OptionalExtension, Result, params};
use windlass_core::{
    ids::{LoopId, Place},
    outcome::Outcome,
    said::Said,
    step::{SessionReport, SessionStep},
    time::Timestamp,
};

use crate::store::{
    columns::{TimeColumn, from_int, int, json},
    events::{Words, detail},
    rows::{Rows, own},
};

/// How much of a session's last words an iteration shows.
const PREVIEW: usize = 200;

/// The sessions of one loop that an append speaks of.
pub(super) struct Sessions<'a> {
    connection: &'a Connection,
    id: &'a LoopId,
    /// The newest session at a place, and how many messages it has.
    known: HashMap<Place, (i64, u64)>,
    messages: Rows<'a, 6>,
}

impl<'a> Sessions<'a> {
    pub(super) fn new(connection: &'a Connection, id: &'a LoopId) -> Self {
        let insert = "INSERT INTO messages (session, sequence, type, content, at, detail)";
        let messages = Rows::new(connection, insert);
        Self { connection, id, known: HashMap::new(), messages }
    }

    /// Adds the row of a session. One that ran at the same place before was cut off.
    pub(super) fn start(
        &mut self,
        place: &Place,
        step: &SessionStep,
        at: Timestamp,
    ) -> Result<i64> {
        self.connection
            .prepare_cached(
                "UPDATE sessions SET status = 'interrupted'
                 WHERE loop = ? AND place = ? AND status = 'running'",
            )?
            .execute(params![self.id.as_str(), place.as_str()])?;
        self.connection
            .prepare_cached(
                "INSERT INTO sessions
                     (loop, iteration, place, role, agent, task, status, started_at, prompt,
                      lesson)
                 VALUES (?, ?, ?, ?, ?, ?, 'running', ?, ?, ?)",
            )?
            .execute(params![
                self.id.as_str(),
                place.iteration(),
                place.as_str(),
                step.role,
                step.agent,
                step.task,
                TimeColumn(at),
                step.prompt,
                step.lesson
            ])?;
        let session = self.connection.last_insert_rowid();
        self.known.insert(place.clone(), (session, 0));
        Ok(session)
    }

    /// Adds a message. Without a session at the place there is none, and the event keeps it all.
    pub(super) fn said(&mut self, place: &Place, said: &Said, at: Timestamp) -> Result<Words> {
        let Some((session, messages)) = self.newest(place)? else {
            return Ok(Words::default());
        };
        *messages += 1;
        let (session, sequence) = (*session, *messages);
        self.messages.add([
            own(session),
            own(int(sequence)),
            said.word().into(),
            own(said.content()),
            own(at.to_string()),
            own(detail(said)?),
        ])?;
        Ok(Words { session: Some(session), sequence: Some(sequence) })
    }

    /// Says what a session came to; gives its number. One that does not run any more keeps its
    /// words, and the event keeps its own.
    pub(super) fn finish(&mut self, place: &Place, report: &SessionReport) -> Result<Option<i64>> {
        let Some((session, _)) = self.newest(place)? else { return Ok(None) };
        let session = *session;
        let changed = self
            .connection
            .prepare_cached(
                "UPDATE sessions SET status = ?, outcome = ?, problem = ?, text = ?, model = ?,
                     tools = ?, denied = ?, session_id = ?, input_tokens = ?, output_tokens = ?,
                     cost_usd = ?, exit_code = ?, duration_ms = ?, claim = ?
                 WHERE id = ? AND status = 'running'",
            )?
            .execute(params![
                status(&report.outcome),
                json(&report.outcome)?,
                report.problem,
                report.final_text,
                report.model,
                report.tools,
                report.denied,
                report.session_id,
                int(report.usage.input_tokens),
                int(report.usage.output_tokens),
                report.usage.cost_usd,
                report.exit_code,
                int(report.duration_ms),
                report.claim.text,
                session,
            ])?;
        let preview: String = report.final_text.trim().chars().take(PREVIEW).collect();
        self.connection
            .prepare_cached(
                "UPDATE iterations SET exit_code = ?, preview = ? WHERE loop = ? AND number = ?",
            )?
            .execute(params![report.exit_code, preview, self.id.as_str(), place.iteration()])?;
        Ok((changed == 1).then_some(session))
    }

    /// Says of sessions that still run that they were cut off.
    pub(super) fn interrupt_all(&self) -> Result<()> {
        self.connection
            .prepare_cached(
                "UPDATE sessions SET status = 'interrupted' WHERE loop = ? AND status = 'running'",
            )?
            .execute([self.id.as_str()])?;
        Ok(())
    }

    /// The words of the newest claim.
    pub(super) fn last_claim(&self) -> Result<Option<String>> {
        self.connection
            .prepare_cached("SELECT claim FROM sessions WHERE loop = ? ORDER BY id DESC LIMIT 1")?
            .query_row([self.id.as_str()], |row| row.get(0))
            .optional()
            .map(Option::flatten)
    }

    /// Adds the messages that still wait, and writes how many the sessions have now.
    pub(super) fn save(self) -> Result<()> {
        self.messages.finish()?;
        for (session, messages) in self.known.values() {
            self.connection
                .prepare_cached("UPDATE sessions SET messages = ? WHERE id = ?")?
                .execute(params![int(*messages), session])?;
        }
        Ok(())
    }

    fn newest(&mut self, place: &Place) -> Result<Option<&mut (i64, u64)>> {
        if !self.known.contains_key(place) {
            let found = self
                .connection
                .prepare_cached(
                    "SELECT id, messages FROM sessions
                     WHERE loop = ? AND place = ? ORDER BY id DESC LIMIT 1",
                )?
                .query_row(params![self.id.as_str(), place.as_str()], |row| {
                    Ok((row.get(0)?, from_int(row, 1)?))
                })
                .optional()?;
            if let Some(found) = found {
                self.known.insert(place.clone(), found);
            }
        }
        Ok(self.known.get_mut(place))
    }
}

fn status(outcome: &Outcome) -> &'static str {
    if outcome.is_finished() {
        "finished"
    } else if outcome.is_failure() {
        "failed"
    } else {
        "cancelled"
    }
}
