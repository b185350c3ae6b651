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
use windlass_core::{ids::LoopId, time::Timestamp};

/// The id of a loop.
pub(super) struct IdColumn(pub LoopId);

impl FromSql for IdColumn {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        Ok(Self(value.as_str()?.to_owned().into()))
    }
}

/// A wall-clock time, as text that sorts.
pub(super) struct TimeColumn(pub Timestamp);

impl ToSql for TimeColumn {
    fn to_sql(&self) -> Result<ToSqlOutput<'_>> {
        Ok(self.0.to_string().into())
    }
}

impl FromSql for TimeColumn {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let text = value.as_str()?;
        if let Some(at) = read_timestamp(text.as_bytes()) {
            return Ok(Self(at));
        }
        let at: jiff::Timestamp =
            text.parse().map_err(|error| FromSqlError::Other(Box::new(error)))?;
        Ok(Self(Timestamp(at.as_millisecond())))
    }
}

/// Reads `2025-11-15T20:03:20.123Z`, the form in which we write: a list of thousands of loops has
/// twice as many of these. Any other form is left to the library.
fn read_timestamp(text: &[u8]) -> Option<Timestamp> {
    let form = b"dddd-dd-ddTdd:dd:dd.dddZ";
    let fits = |(found, wanted): (&u8, &u8)| match wanted {
        b'd' => found.is_ascii_digit(),
        _ => found == wanted,
    };
    if text.len() != form.len() || !text.iter().zip(form).all(fits) {
        return None;
    }
    let number = |from: usize, to: usize| {
        text[from..to].iter().fold(0_i64, |sum, digit| sum * 10 + i64::from(digit - b'0'))
    };
    let (month, day) = (number(5, 7), number(8, 10));
    // Days since 1970 by the civil calendar, where a year begins in March.
    let year = number(0, 4) - i64::from(month <= 2);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let days = 365 * year + year / 4 - year / 100 + year / 400 + day_of_year - 719_468;
    let seconds = number(11, 13) * 3600 + number(14, 16) * 60 + number(17, 19);
    Some(Timestamp((days * 86_400 + seconds) * 1000 + number(20, 23)))
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

/// Reads a column that holds JSON or nothing.
pub(super) fn from_json_or_null<T: DeserializeOwned>(
    row: &Row<'_>,
    column: usize,
) -> Result<Option<T>> {
    let Some(text) = row.get_ref(column)?.as_str_or_null()? else { return Ok(None) };
    serde_json::from_str(text).map(Some).map_err(|error| unreadable(column, error))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_timestamp_is_read_as_it_was_written() {
        for day in -30_000_i64..80_000 {
            let at = Timestamp(day * 86_400_000 + day.abs() % 86_400_000);
            assert_eq!(read_timestamp(at.to_string().as_bytes()), Some(at), "{at}");
        }
        for other in
            ["", "2025-11-15T20:03:20Z", "2025-11-15T20:03:20.1234Z", "-025-11-15T20:03:20.123Z"]
        {
            assert_eq!(read_timestamp(other.as_bytes()), None, "{other}");
        }
    }
}
