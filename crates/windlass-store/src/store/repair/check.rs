//! The whole look over the store, which opening it does not pay for.

use std::{fs, path::Path};

use rusqlite::{Connection, Result};
use windlass_core::text::count::{agree, count};
use windlass_system::home;

use super::Health;
use crate::store::{
    Store, StoreError,
    error::explain,
    events,
    migrate::{format, has_its_tables},
    open::{OTHER_TABLES, log_of},
};

/// How many problems are told; after that it is plain that the store is broken.
const ENOUGH: usize = 20;

pub(super) fn check(home: &Path) -> Result<Option<Health>, StoreError> {
    let path = home::database(home);
    let size = |path: &Path| fs::metadata(path).map_or(0, |found| found.len());
    let mut health = Health {
        sqlite: rusqlite::version(),
        format: None,
        problems: Vec::new(),
        bytes: size(&path),
        log_bytes: size(&log_of(&path)),
        path: path.clone(),
    };
    let store = match Store::open_existing(home) {
        Ok(Some(store)) => store,
        Ok(None) => return Ok(None),
        Err(StoreError::Corrupt { why, .. }) => {
            health.problems.push(why);
            return Ok(Some(health));
        }
        Err(other) => return Err(other),
    };
    let inner = store.inner();
    health.format = format(&inner.connection).ok();
    for look in [tables, integrity, references, numbers, bodies] {
        match look(&inner.connection) {
            Ok(problems) => health.problems.extend(problems),
            Err(error) => {
                let error = explain(&path, &error);
                let StoreError::Corrupt { why, .. } = error else { return Err(error) };
                health.problems.push(why);
            }
        }
    }
    health.problems.truncate(ENOUGH);
    Ok(Some(health))
}

fn tables(connection: &Connection) -> Result<Vec<String>> {
    let are_others = !has_its_tables(connection)?;
    Ok(are_others.then(|| OTHER_TABLES.to_owned()).into_iter().collect())
}

fn integrity(connection: &Connection) -> Result<Vec<String>> {
    let mut problems: Vec<String> = connection
        .prepare("PRAGMA integrity_check(20)")?
        .query_map([], |row| row.get(0))?
        .collect::<Result<_>>()?;
    problems.retain(|problem| problem != "ok");
    Ok(problems)
}

fn references(connection: &Connection) -> Result<Vec<String>> {
    connection
        .prepare("SELECT \"table\", count(*) FROM pragma_foreign_key_check GROUP BY 1")?
        .query_map([], |row| {
            let (table, rows): (String, i64) = (row.get(0)?, row.get(1)?);
            let belong = agree(rows, "belongs", "belong");
            Ok(format!("{} of `{table}` {belong} to nothing", count(rows, "row")))
        })?
        .collect()
}

fn numbers(connection: &Connection) -> Result<Vec<String>> {
    connection
        .prepare(
            "SELECT l.id FROM loops l LEFT JOIN journal e ON e.loop = l.id GROUP BY l.id
             HAVING coalesce(sum(e.count), 0) <> l.last_seq
                 OR coalesce(max(e.seq + e.count - 1), 0) <> l.last_seq LIMIT 20",
        )?
        .query_map([], |row| {
            Ok(format!("the events of loop {} have gaps", row.get::<_, String>(0)?))
        })?
        .collect()
}

fn bodies(connection: &Connection) -> Result<Vec<String>> {
    let mut statement = connection.prepare(events::SELECT)?;
    let mut rows = statement.query([])?;
    let mut problems = Vec::new();
    while let Some(row) = rows.next()? {
        if let Err(error) = events::read(row)
            && problems.len() < ENOUGH
        {
            let (id, seq): (String, i64) = (row.get(0)?, row.get(1)?);
            problems.push(format!("event {seq} of loop {id} cannot be read: {error}"));
        }
    }
    Ok(problems)
}
