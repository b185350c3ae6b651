//! What came since a screen looked last, in pages.

use rusqlite::{OptionalExtension, Row, params};
use windlass_core::{event::Event, ids::LoopId, view::ToolUsed};

use crate::store::{
    Store, StoreError,
    columns::{TimeColumn, int},
    events,
};

/// How far back a tool is looked for.
const LAST_MESSAGES: i64 = 500;

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
    /// The tool that the newest session used last, if it is among its last messages.
    pub fn last_tool(&self, id: &LoopId) -> Result<Option<ToolUsed>, StoreError> {
        self.with(|connection| {
            connection
                .prepare_cached(
                    "SELECT content, detail, at FROM (
                         SELECT type, content, detail, at, sequence FROM messages
                         WHERE session = (SELECT max(id) FROM sessions WHERE loop = ?)
                         ORDER BY sequence DESC LIMIT ?)
                     WHERE type = 'tool_use' ORDER BY sequence DESC LIMIT 1",
                )?
                .query_row(params![id.as_str(), LAST_MESSAGES], tool)
                .optional()
        })
    }
}

fn tool(row: &Row<'_>) -> rusqlite::Result<ToolUsed> {
    let (summary, detail): (String, Option<String>) = (row.get(0)?, row.get(1)?);
    let name: Option<String> = detail.and_then(|detail| serde_json::from_str(&detail).ok());
    let TimeColumn(at) = row.get(2)?;
    Ok(ToolUsed::new(name.as_deref().unwrap_or("a tool"), &summary, at))
}
