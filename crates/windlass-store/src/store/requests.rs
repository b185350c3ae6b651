//! Requests from other processes to the one that runs a loop. A request is a row, and whoever
//! makes one rings the owner's doorbell too.

use rusqlite::{params, types::Type};
use windlass_core::ids::LoopId;

use super::{Durability, Request, Store, StoreError, columns::TimeColumn};

impl Store {
    /// Asks the owner of a loop for something.
    pub fn request(&self, id: &LoopId, request: Request) -> Result<(), StoreError> {
        self.write(Durability::Process, |connection| {
            let made = connection.execute(
                "INSERT INTO requests (loop, request, at) SELECT id, ?, ? FROM loops WHERE id = ?",
                params![word(request), TimeColumn(windlass_system::clock::now()), id.as_str()],
            )?;
            Ok(if made == 0 { Err(StoreError::Gone { id: id.clone() }) } else { Ok(()) })
        })
    }

    /// Takes the requests to a loop off the list, oldest first.
    pub fn take_requests(&self, id: &LoopId) -> Result<Vec<Request>, StoreError> {
        // Looking first keeps the owner from writing, and so from waiting, when there are none.
        let any: bool = self.with(|connection| {
            connection
                .prepare_cached("SELECT EXISTS (SELECT 1 FROM requests WHERE loop = ?)")?
                .query_row([id.as_str()], |row| row.get(0))
        })?;
        if !any {
            return Ok(Vec::new());
        }
        self.write(Durability::Process, |connection| {
            let mut taken = connection
                .prepare_cached("DELETE FROM requests WHERE loop = ? RETURNING id, request")?
                .query_map([id.as_str()], |row| {
                    Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?))
                })?
                .collect::<rusqlite::Result<Vec<_>>>()?;
            taken.sort_by_key(|(number, _)| *number);
            taken
                .into_iter()
                .map(|(_, word)| from_word(word))
                .collect::<rusqlite::Result<_>>()
                .map(Ok)
        })
    }
}

fn word(request: Request) -> &'static str {
    match request {
        Request::CancelAfterIteration => "cancel_after_iteration",
        Request::Cancel => "cancel",
    }
}

fn from_word(word: String) -> rusqlite::Result<Request> {
    match word.as_str() {
        "cancel_after_iteration" => Ok(Request::CancelAfterIteration),
        "cancel" => Ok(Request::Cancel),
        _ => Err(rusqlite::Error::InvalidColumnType(1, word, Type::Text)),
    }
}
