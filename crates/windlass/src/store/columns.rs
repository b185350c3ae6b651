//! Values of ours as columns, and back.

use std::{
    ffi::OsString,
    os::unix::ffi::{OsStrExt, OsStringExt},
    path::{Path, PathBuf},
};

use rusqlite::{
    Result, Row,
    types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, Type, Value, ValueRef},
};
use serde::{Serialize, de::DeserializeOwned};

use crate::{ids::LoopId, time::Timestamp};

impl ToSql for LoopId {
    fn to_sql(&self) -> Result<ToSqlOutput<'_>> {
        Ok(self.as_str().into())
    }
}

impl FromSql for LoopId {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        Ok(value.as_str()?.to_owned().into())
    }
}

impl ToSql for Timestamp {
    fn to_sql(&self) -> Result<ToSqlOutput<'_>> {
        Ok(self.to_string().into())
    }
}

impl FromSql for Timestamp {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let text = value.as_str()?;
        let at: jiff::Timestamp =
            text.parse().map_err(|error| FromSqlError::Other(Box::new(error)))?;
        Ok(Self(at.as_millisecond()))
    }
}

/// A path: text where it is UTF-8, so that people can read it, and its bytes otherwise.
pub(super) struct PathColumn(pub PathBuf);

pub(super) fn path(path: &Path) -> PathColumn {
    PathColumn(path.to_owned())
}

impl ToSql for PathColumn {
    fn to_sql(&self) -> Result<ToSqlOutput<'_>> {
        Ok(match self.0.to_str() {
            Some(text) => text.into(),
            None => self.0.as_os_str().as_bytes().into(),
        })
    }
}

impl FromSql for PathColumn {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let bytes = match value {
            ValueRef::Text(bytes) | ValueRef::Blob(bytes) => bytes.to_vec(),
            ValueRef::Null | ValueRef::Integer(_) | ValueRef::Real(_) => {
                return Err(FromSqlError::InvalidType);
            }
        };
        Ok(Self(OsString::from_vec(bytes).into()))
    }
}

/// A value that is kept as JSON.
pub(super) fn json<T: Serialize>(value: &T) -> Result<String> {
    serde_json::to_string(value)
        .map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))
}

/// Reads a column that holds JSON.
pub(super) fn from_json<T: DeserializeOwned>(row: &Row<'_>, column: usize) -> Result<T> {
    let text = row.get_ref(column)?.as_str()?;
    serde_json::from_str(text).map_err(|error| unreadable(column, error))
}

/// Reads a column that holds JSON or nothing.
pub(super) fn from_json_or_null<T: DeserializeOwned>(
    row: &Row<'_>,
    column: usize,
) -> Result<Option<T>> {
    match row.get_ref(column)? {
        ValueRef::Null => Ok(None),
        _ => from_json(row, column).map(Some),
    }
}

/// Says that a column does not hold what was written there.
pub(super) fn unreadable(
    column: usize,
    error: impl std::error::Error + Send + Sync + 'static,
) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(column, Type::Text, Box::new(error))
}

/// A number as SQLite keeps it; what does not fit stands at the end of the range.
pub(super) fn int(number: u64) -> Value {
    Value::Integer(i64::try_from(number).unwrap_or(i64::MAX))
}

/// Reads a number that is never negative.
pub(super) fn from_int(row: &Row<'_>, column: usize) -> Result<u64> {
    let number: i64 = row.get(column)?;
    u64::try_from(number).map_err(|error| unreadable(column, error))
}
