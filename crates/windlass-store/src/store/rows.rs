//! Adds rows to a table, several with one statement where there are many: of what a row costs, most
//! is the beginning and the end of its statement.

use rusqlite::{
    Connection, Result, params_from_iter,
    types::{ToSqlOutput, Value},
};

/// So many rows go into one statement.
const MANY: usize = 16;

/// Rows of `COLUMNS` columns on their way into a table.
pub(super) struct Rows<'a, const COLUMNS: usize> {
    connection: &'a Connection,
    /// What comes before the values.
    insert: &'static str,
    pending: Vec<[ToSqlOutput<'a>; COLUMNS]>,
}

impl<'a, const COLUMNS: usize> Rows<'a, COLUMNS> {
    /// For a table that `insert` names, with its columns: `INSERT INTO table (a, b)`.
    pub(super) fn new(connection: &'a Connection, insert: &'static str) -> Self {
        Self { connection, insert, pending: Vec::new() }
    }

    /// Adds a row, now or with others.
    pub(super) fn add(&mut self, row: [ToSqlOutput<'a>; COLUMNS]) -> Result<()> {
        self.pending.push(row);
        if self.pending.len() < MANY {
            return Ok(());
        }
        let mut statement = self.connection.prepare_cached(&self.sql(MANY))?;
        statement.execute(params_from_iter(self.pending.iter().flatten()))?;
        self.pending.clear();
        Ok(())
    }

    /// Adds those that still wait.
    pub(super) fn finish(self) -> Result<()> {
        if self.pending.is_empty() {
            return Ok(());
        }
        let mut statement = self.connection.prepare_cached(&self.sql(1))?;
        for row in &self.pending {
            statement.execute(params_from_iter(row))?;
        }
        Ok(())
    }

    /// The statement that adds so many.
    fn sql(&self, rows: usize) -> String {
        let row = format!("({})", ["?"; COLUMNS].join(","));
        format!("{} VALUES {}", self.insert, vec![row.as_str(); rows].join(","))
    }
}

/// A value that a row brings along.
pub(super) fn own(value: impl Into<Value>) -> ToSqlOutput<'static> {
    ToSqlOutput::Owned(value.into())
}
