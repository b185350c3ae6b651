//! The forms that the database had over time, and the way from each to the next.
//!
//! A new form is a new file in `schema/` and a line in `MIGRATIONS`. A file that was released is
//! never changed.

use rusqlite::{Connection, Result, Transaction, TransactionBehavior};

/// How the database is brought from each form to the next; form `n` is that after `n` of these.
pub(super) const MIGRATIONS: [&str; 9] = [
    include_str!("schema/0001_start.sql"),
    include_str!("schema/0002_status.sql"),
    include_str!("schema/0003_findings.sql"),
    include_str!("schema/0004_runs.sql"),
    include_str!("schema/0005_task.sql"),
    include_str!("schema/0006_tests.sql"),
    include_str!("schema/0007_lesson.sql"),
    include_str!("schema/0008_agent_trust.sql"),
    include_str!("schema/0009_visits.sql"),
];

/// The form that this windlass knows.
pub(super) const FORMAT: i64 = MIGRATIONS.len() as i64;

/// Marks the file as ours: "WDLS".
pub(super) const APPLICATION_ID: i64 = 0x5744_4c53;

/// Brings the database to the newest form, all of it or nothing.
///
/// The form is read inside the transaction: of two processes that come at once, the second waits
/// and then finds it done.
pub(super) fn migrate(connection: &Connection, migrations: &[&str]) -> Result<()> {
    let transaction = Transaction::new_unchecked(connection, TransactionBehavior::Immediate)?;
    let done = format(&transaction)?;
    for (number, migration) in (1_i64..).zip(migrations).filter(|(number, _)| *number > done) {
        transaction.execute_batch(migration)?;
        transaction.pragma_update(None, "user_version", number)?;
    }
    transaction.commit()
}

/// Whether the tables are those of the form that the database says it has. One that says so and has
/// others was made by no windlass that was released, and would fail in the middle of a loop.
pub(super) fn has_its_tables(connection: &Connection) -> Result<bool> {
    let form = usize::try_from(format(connection)?).unwrap_or(0);
    let Some(migrations) = MIGRATIONS.get(..form) else { return Ok(false) };
    let sound = Connection::open_in_memory()?;
    migrate(&sound, migrations)?;
    Ok(columns(connection)? == columns(&sound)?)
}

/// All columns of all tables and views, each with what it takes.
fn columns(connection: &Connection) -> Result<Vec<[String; 4]>> {
    connection
        .prepare(
            "SELECT s.name, c.name, c.type, c.\"notnull\" || c.pk || c.hidden
             FROM sqlite_schema s, pragma_table_xinfo(s.name) c
             WHERE s.type IN ('table', 'view') AND s.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
             ORDER BY s.name, c.cid",
        )?
        .query_map([], |row| Ok([row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?]))?
        .collect()
}

/// The form that the database has.
pub(super) fn format(connection: &Connection) -> Result<i64> {
    connection.pragma_query_value(None, "user_version", |row| row.get(0))
}

/// Whose file it says to be.
pub(super) fn application_id(connection: &Connection) -> Result<i64> {
    connection.pragma_query_value(None, "application_id", |row| row.get(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_migration_that_fails_half_way_leaves_nothing() {
        let connection = Connection::open_in_memory().unwrap();
        migrate(&connection, &MIGRATIONS).unwrap();
        let half = "CREATE TABLE half (a ANY) STRICT;";
        let broken = [&MIGRATIONS[..], &[half, "ALTER TABLE none ADD a;"]].concat();
        migrate(&connection, &broken).unwrap_err();
        assert_eq!(format(&connection).unwrap(), FORMAT);
        assert!(!connection.table_exists(None, "half").unwrap());
        let whole = "CREATE TABLE whole (a ANY) STRICT;";
        migrate(&connection, &[&MIGRATIONS[..], &[whole]].concat()).unwrap();
        assert_eq!(format(&connection).unwrap(), FORMAT + 1);
        assert!(connection.table_exists(None, "whole").unwrap());
    }

    #[test]
    fn tables_of_another_form_are_told_from_those_of_its_own() {
        for form in 1..=MIGRATIONS.len() {
            let connection = Connection::open_in_memory().unwrap();
            migrate(&connection, &MIGRATIONS[..form]).unwrap();
            assert!(has_its_tables(&connection).unwrap(), "form {form}");
            connection.execute_batch("ALTER TABLE loops ADD more TEXT").unwrap();
            assert!(!has_its_tables(&connection).unwrap(), "form {form} with one column more");
        }
    }

    #[test]
    fn of_two_that_migrate_at_once_one_does_it_and_both_find_it_done() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("store.db");
        let add = "CREATE TABLE next (a ANY) STRICT; INSERT INTO next VALUES (1);";
        let next = [&MIGRATIONS[..], &[add]].concat();
        let open = || {
            let connection = Connection::open(&path).unwrap();
            connection.busy_timeout(std::time::Duration::from_secs(10)).unwrap();
            connection
        };
        open().pragma_update(None, "journal_mode", "WAL").unwrap();
        let barrier = std::sync::Barrier::new(4);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    let connection = open();
                    barrier.wait();
                    migrate(&connection, &next).unwrap();
                    assert_eq!(format(&connection).unwrap(), FORMAT + 1);
                });
            }
        });
        let rows: i64 = open().query_row("SELECT count(*) FROM next", [], |r| r.get(0)).unwrap();
        assert_eq!(rows, 1);
    }
}
