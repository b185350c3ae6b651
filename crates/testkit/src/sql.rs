//! Plain SQL on windlass's store, read only: what any user's `sqlite3` would see.

use std::{fs, io::Read, path::Path};

use rusqlite::{Connection, OpenFlags, types::ValueRef};

/// The rows of a query: a line each, `|` between columns, nothing for NULL.
pub(crate) fn query(home: &Path, query: &str) -> Result<String, String> {
    let path = database(home).ok_or_else(|| format!("no database in {}", home.display()))?;
    rows(&path, query).map_err(|error| error.to_string())
}

/// The one file of a folder that is an SQLite database. One that is being made, or was kept aside,
/// has another ending.
fn database(home: &Path) -> Option<std::path::PathBuf> {
    let entries = fs::read_dir(home).ok()?.flatten().map(|entry| entry.path());
    let is_named_so = |path: &Path| path.extension().is_some_and(|ending| ending == "db");
    entries.filter(|path| path.is_file() && is_named_so(path)).find(|path| {
        let mut magic = [0; 15];
        let read = fs::File::open(path).and_then(|mut file| file.read_exact(&mut magic));
        read.is_ok() && &magic == b"SQLite format 3"
    })
}

fn rows(path: &Path, query: &str) -> rusqlite::Result<String> {
    let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    connection.busy_timeout(std::time::Duration::from_secs(5))?;
    let mut statement = connection.prepare(query)?;
    let columns = statement.column_count();
    let mut rows = statement.query([])?;
    let mut lines = String::new();
    while let Some(row) = rows.next()? {
        let cells = (0..columns).map(|column| row.get_ref(column).map(text));
        lines += &cells.collect::<Result<Vec<_>, _>>()?.join("|");
        lines.push('\n');
    }
    Ok(lines)
}

fn text(value: ValueRef<'_>) -> String {
    match value {
        ValueRef::Null => String::new(),
        ValueRef::Integer(number) => number.to_string(),
        ValueRef::Real(number) => number.to_string(),
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => {
            String::from_utf8_lossy(bytes).into_owned()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_linked_sqlite_is_one_that_loses_nothing() {
        assert!(rusqlite::version_number() >= 3_051_003, "SQLite {}", rusqlite::version());
    }

    #[test]
    fn rows_come_as_lines() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.db");
        let connection = Connection::open(&path).unwrap();
        connection
            .execute_batch("create table t (a, b); insert into t values (1, 'x'), (null, 2.5)")
            .unwrap();
        assert_eq!(query(folder.path(), "select a, b from t").unwrap(), "1|x\n|2.5\n");
        assert!(query(folder.path(), "delete from t").is_err());
    }
}
