//! Makes a new store of what was saved: the events are appended once more, as if they happened
//! again, and the tables follow from them.

use std::path::{Path, PathBuf};

use rusqlite::{
    Connection, Result, Transaction, TransactionBehavior, params, params_from_iter, types::Value,
};
use windlass_core::{
    event::{Event, EventKind},
    ids::LoopId,
    time::Timestamp,
};
use windlass_system::ownership::Owner;

use crate::store::{
    LoopRecord, NewLoop, Settings,
    append::{append_all, insert_loop},
    columns::{IdColumn, int},
    events,
    open::{open_file, set_up},
    read::one_loop,
};

/// What is in the new store.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Rebuilt {
    pub loops: u64,
    pub events: u64,
    pub lost_events: u64,
}

/// What stands in the place of an event that is lost, so that the others keep their numbers.
const LOST: &str = "an event was here that was lost when the store was repaired";

/// Fills the new, empty database at `path`.
pub(super) fn rebuild(saved: &Connection, path: &Path) -> Result<Rebuilt> {
    let connection = open_file(path, Settings::default())?;
    set_up(&connection)?;
    // Nobody sees the file yet; it is synced when it takes its place.
    connection.pragma_update(None, "synchronous", "OFF")?;
    let mut rebuilt = Rebuilt::default();
    for id in loops(saved)? {
        let transaction = Transaction::new_unchecked(&connection, TransactionBehavior::Immediate)?;
        let (lost, kept) = rebuild_loop(saved, &transaction, &id)?;
        transaction.commit()?;
        rebuilt.loops += 1;
        rebuilt.events += kept;
        rebuilt.lost_events += lost;
    }
    copy_rest(saved, &connection)?;
    connection.close().map_err(|(_, error)| error)?;
    Ok(rebuilt)
}

/// All loops that there is a row or an event of, oldest first.
fn loops(saved: &Connection) -> Result<Vec<LoopId>> {
    saved
        .prepare(
            "SELECT id FROM (SELECT id, number FROM loops
                             UNION ALL SELECT DISTINCT loop, 9e18 FROM journal)
             GROUP BY id ORDER BY min(number), id",
        )?
        .query_map([], |row| Ok(row.get::<_, IdColumn>(0)?.0))?
        .collect()
}

fn rebuild_loop(saved: &Connection, new: &Connection, id: &LoopId) -> Result<(u64, u64)> {
    let (events, mut lost) = read_events(saved, id)?;
    let kept = u64::try_from(events.len()).unwrap_or(u64::MAX) - lost;
    // A row that cannot be read is as good as none.
    let row = one_loop(saved, "id = ?", id.as_str()).ok().flatten();
    let epoch = row.as_ref().map_or(1, |row| row.epoch).max(newest_epoch(&events));
    let stated = row.as_ref().map_or(0, |row| row.last_seq);
    lost += stated.saturating_sub(events.last().map_or(0, |event| event.seq));
    let mut described = describe(id, row, &events);
    if is_taken(new, &described.name)? {
        described.name = format!("{}-{id}", described.name);
    }
    insert_loop(new, &described)?;
    append_all(new, id, 1, &events)?
        .map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))?;
    new.execute("UPDATE loops SET epoch = ? WHERE id = ?", params![int(epoch), id.as_str()])?;
    Ok((lost, kept))
}

fn is_taken(connection: &Connection, name: &str) -> Result<bool> {
    let sql = "SELECT EXISTS (SELECT 1 FROM loops WHERE name = ?)";
    connection.query_row(sql, [name], |row| row.get(0))
}

/// Who the loop is: by its row, or else by its first event.
fn describe(id: &LoopId, row: Option<LoopRecord>, events: &[Event]) -> NewLoop {
    if let Some(row) = row {
        return NewLoop {
            id: row.id,
            name: row.name,
            kind: row.kind,
            directory: row.directory,
            worktree: row.worktree,
            agent: row.agent,
            options: row.options,
            owner: row.owner,
        };
    }
    let nobody = Owner { pid: 0, started: 0, boot: String::new() };
    let mut described = NewLoop {
        id: id.clone(),
        name: format!("rescued-{id}"),
        kind: "iterate".to_owned(),
        directory: PathBuf::from("/"),
        worktree: None,
        agent: String::new(),
        options: serde_json::Value::Null,
        owner: nobody,
    };
    if let Some(EventKind::LoopStarted { name, kind, directory, agent, .. }) =
        events.first().map(|event| &event.kind)
    {
        described.name.clone_from(name);
        described.kind.clone_from(kind);
        described.directory = directory.into();
        described.agent.clone_from(agent);
    }
    described
}

fn newest_epoch(events: &[Event]) -> u64 {
    let mut newest = 1;
    for event in events {
        if let EventKind::LoopResumed { epoch, .. } = event.kind {
            newest = newest.max(epoch);
        }
    }
    newest
}

/// The events of a loop without gaps, and how many of them are stand-ins.
fn read_events(saved: &Connection, id: &LoopId) -> Result<(Vec<Event>, u64)> {
    let sql = format!("{} WHERE e.loop = ? ORDER BY e.seq, m.sequence", events::SELECT);
    let mut statement = saved.prepare(&sql)?;
    let mut rows = statement.query([id.as_str()])?;
    let (mut all, mut lost): (Vec<Event>, u64) = (Vec::new(), 0);
    while let Some(row) = rows.next()? {
        let Ok(event) = events::read(row) else { continue };
        let mut next = all.last().map_or(0, |last| last.seq) + 1;
        // A number that is out of all proportion is damage itself.
        if event.seq < next || event.seq - next > 10_000_000 {
            continue;
        }
        while next < event.seq {
            all.push(stand_in(id, next, event.at));
            (next, lost) = (next + 1, lost + 1);
        }
        all.push(event);
    }
    Ok((all, lost))
}

fn stand_in(id: &LoopId, seq: u64, at: Timestamp) -> Event {
    let kind = EventKind::Noted { text: LOST.to_owned() };
    Event { seq, at, ran_ms: None, loop_id: id.clone(), kind }
}

/// Copies what no event tells of.
fn copy_rest(saved: &Connection, new: &Connection) -> Result<()> {
    copy_table(saved, new, "trust")?;
    copy_table(saved, new, "agent_trust")
}

fn copy_table(saved: &Connection, new: &Connection, table: &str) -> Result<()> {
    let mut select = saved.prepare(&format!("SELECT * FROM {table}"))?;
    let columns = select.column_count();
    let marks = vec!["?"; columns].join(", ");
    let mut insert = new.prepare(&format!("INSERT INTO {table} VALUES ({marks})"))?;
    let mut rows = select.query([])?;
    while let Some(row) = rows.next()? {
        let values: Vec<Value> =
            (0..columns).map(|column| row.get(column)).collect::<Result<_>>()?;
        insert.execute(params_from_iter(values))?;
    }
    Ok(())
}
