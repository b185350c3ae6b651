//! Reads what can still be read of a damaged database, row by row, into a sound one.
//!
//! It works on a copy, for SQLite writes to what it opens.

use std::{
    fs::{self, OpenOptions},
    os::unix::fs::FileExt,
    path::Path,
};

use rusqlite::{Connection, OpenFlags, Result, Statement, params_from_iter, types::Value};

use crate::store::{
    create,
    migrate::{MIGRATIONS, migrate},
    open::log_of,
};

/// What cannot be made again from events, or is needed to read them.
const TABLES: [&str; 6] = ["loops", "loop_options", "journal", "sessions", "messages", "trust"];

/// The same, of tables that earlier forms do not have.
const LATER_TABLES: [&str; 1] = ["agent_trust"];

/// What a table was called before.
const OLD_NAMES: [(&str, &str); 1] = [("journal", "events")];

const PAGE: usize = 4096;

/// Copies the database at `damaged` into `scratch` and reads it out into a sound one there.
pub(super) fn salvage(damaged: &Path, scratch: &Path) -> Result<Connection> {
    let copy = scratch.join("copy.db");
    let mut saved = sound()?;
    if copy_files(damaged, &copy).is_err() {
        // Not even its bytes can be had.
        return Ok(saved);
    }
    if read_out(&copy, &saved).is_err() {
        // The first page, which says where the tables are, is broken. It is the same in every
        // store, so a new one's is put there; what the tables hold lies further back.
        drop(copy_files(damaged, &copy));
        saved = sound()?;
        if graft(&copy, scratch).is_ok() {
            // What cannot be read even so is lost.
            drop(read_out(&copy, &saved));
        }
    }
    Ok(saved)
}

/// A database with our tables, in a temporary file that SQLite removes.
fn sound() -> Result<Connection> {
    let connection = Connection::open("")?;
    migrate(&connection, &MIGRATIONS)?;
    connection.pragma_update(None, "foreign_keys", "OFF")?;
    connection.pragma_update(None, "synchronous", "OFF")?;
    Ok(connection)
}

fn copy_files(damaged: &Path, copy: &Path) -> std::io::Result<()> {
    drop(fs::remove_file(log_of(copy)));
    fs::copy(damaged, copy)?;
    if log_of(damaged).exists() {
        fs::copy(log_of(damaged), log_of(copy))?;
    }
    Ok(())
}

/// Reads all tables out; fails only where not even their names can be read.
fn read_out(copy: &Path, saved: &Connection) -> Result<()> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let damaged = Connection::open_with_flags(copy, flags)?;
    // Lets SQLite open a file that is shorter than it should be.
    damaged.pragma_update(None, "writable_schema", "ON")?;
    let mut tables = Vec::new();
    for table in TABLES {
        tables.push(Pair::of(&damaged, saved, table)?);
    }
    tables.extend(LATER_TABLES.into_iter().filter_map(|t| Pair::of(&damaged, saved, t).ok()));
    saved.execute_batch("BEGIN")?;
    for table in tables {
        // A table that breaks off was read as far as it goes.
        drop(read_table(&damaged, saved, &table));
    }
    saved.execute_batch("COMMIT")
}

/// A table that both have.
struct Pair {
    damaged: &'static str,
    saved: &'static str,
    /// The columns that both have.
    columns: Vec<String>,
}

impl Pair {
    fn of(damaged: &Connection, saved: &Connection, table: &'static str) -> Result<Self> {
        let ours = columns(saved, table)?;
        let old_names = OLD_NAMES.iter().filter(|(new, _)| *new == table).map(|(_, old)| *old);
        for name in [table].into_iter().chain(old_names) {
            let mut both = columns(damaged, name)?;
            both.retain(|column| ours.contains(column));
            if !both.is_empty() {
                return Ok(Self { damaged: name, saved: table, columns: both });
            }
        }
        Err(rusqlite::Error::InvalidColumnName(table.to_owned()))
    }
}

fn columns(connection: &Connection, table: &str) -> Result<Vec<String>> {
    connection
        .prepare("SELECT name FROM pragma_table_info(?)")?
        .query_map([table], |row| row.get(0))?
        .collect()
}

fn read_table(damaged: &Connection, saved: &Connection, pair: &Pair) -> Result<()> {
    let list = pair.columns.join(", ");
    let marks = vec!["?"; pair.columns.len()].join(", ");
    let (table, to) = (pair.damaged, pair.saved);
    let mut insert =
        saved.prepare(&format!("INSERT OR IGNORE INTO {to} ({list}) VALUES ({marks})"))?;
    // Without indexes: they may be broken as well, and the rows do not need them.
    let mut scan = damaged.prepare(&format!(
        "SELECT rowid, {list} FROM {table} NOT INDEXED WHERE rowid > ? ORDER BY rowid"
    ))?;
    let mut single = damaged
        .prepare(&format!("SELECT rowid, {list} FROM {table} NOT INDEXED WHERE rowid = ? + 1"))?;
    let mut probe = damaged.prepare(&format!(
        "SELECT rowid FROM {table} NOT INDEXED WHERE rowid > ? ORDER BY rowid LIMIT 1"
    ))?;
    let mut last = 0;
    loop {
        if read_rows(&mut scan, &mut insert, &mut last).is_ok() {
            return Ok(());
        }
        let Some(next) = beyond(&mut probe, last) else { return Ok(()) };
        // Around a broken page some rows can be had one by one. A gap beyond all measure comes
        // from a broken number.
        for number in (last + 1..next).take(20_000) {
            drop(read_rows(&mut single, &mut insert, &mut (number - 1)));
        }
        last = next - 1;
    }
}

/// Reads the rows after `last` until the end, or until one cannot be read; `last` is then the last
/// that was.
fn read_rows(select: &mut Statement<'_>, insert: &mut Statement<'_>, last: &mut i64) -> Result<()> {
    let columns = select.column_count();
    let mut rows = select.query([*last])?;
    while let Some(row) = rows.next()? {
        let number: i64 = row.get(0)?;
        if number <= *last {
            // A broken tree can lead back to where it came from, for ever.
            return Err(rusqlite::Error::IntegralValueOutOfRange(0, number));
        }
        let values: Result<Vec<Value>> = (1..columns).map(|column| row.get(column)).collect();
        if let Ok(values) = values {
            // One of the wrong type is refused, and lost like one that cannot be read.
            drop(insert.execute(params_from_iter(values)));
        }
        *last = number;
    }
    Ok(())
}

/// The first row after a broken place, if one can be found.
fn beyond(probe: &mut Statement<'_>, last: i64) -> Option<i64> {
    (0..40).find_map(|power| {
        let at = last.checked_add(1 << power)?;
        let found = probe.query_row([at], |row| row.get(0)).ok();
        found.filter(|found| *found > at)
    })
}

/// Puts a new store's list of tables in place of the broken one.
fn graft(copy: &Path, scratch: &Path) -> Result<()> {
    let failed = |error: std::io::Error| rusqlite::Error::ToSqlConversionFailure(error.into());
    let fresh = create::make_aside(&scratch.join("fresh.db"))
        .map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))?;
    let connection = Connection::open(fresh.path())?;
    let pages: Vec<i64> = connection
        .prepare("SELECT pageno FROM dbstat WHERE name = 'sqlite_schema'")?
        .query_map([], |row| row.get(0))?
        .collect::<Result<_>>()?;
    drop(connection);
    let bytes = fs::read(fresh.path()).map_err(failed)?;
    let file = OpenOptions::new().write(true).open(copy).map_err(failed)?;
    let length = file.metadata().map_err(failed)?.len();
    for page in pages {
        let begin = usize::try_from(page - 1).unwrap_or(0) * PAGE;
        let mut page = bytes[begin..begin + PAGE].to_vec();
        if begin == 0 {
            let count = u32::try_from(length / PAGE as u64).unwrap_or(u32::MAX);
            page[28..32].copy_from_slice(&count.to_be_bytes());
        }
        file.write_all_at(&page, begin as u64).map_err(failed)?;
    }
    Ok(())
}
