//! Writes: creating a loop, taking it over, and appending events with all that follows from them.
//! Each is one transaction; one that fails leaves nothing behind and can be tried again.

use std::fs;

use rusqlite::{
    Connection, OptionalExtension, Result, Transaction, TransactionBehavior, named_params, params,
};
use windlass_core::{event::Event, ids::LoopId};
use windlass_system::ownership::Owner;

use super::{
    Durability, NewLoop, Store, StoreError,
    columns::{TimeColumn, int, json, path},
    error::explain,
    events::EventRows,
    project::Projection,
};

impl Store {
    /// Creates a loop with epoch 1.
    pub fn create_loop(&self, new: &NewLoop) -> Result<u64, StoreError> {
        self.write(Durability::Power, |connection| {
            let taken: bool = connection
                .prepare_cached("SELECT EXISTS (SELECT 1 FROM loops WHERE name = ?)")?
                .query_row([&new.name], |row| row.get(0))?;
            if taken {
                return Ok(Err(StoreError::NameTaken { name: new.name.clone() }));
            }
            insert_loop(connection, new)?;
            Ok(Ok(1))
        })
    }

    /// Makes `owner` the owner of a loop; gives the new epoch. Requests to the old owner are
    /// forgotten: they were not meant for this one.
    pub fn take_over(&self, id: &LoopId, owner: &Owner) -> Result<u64, StoreError> {
        self.write(Durability::Power, |connection| {
            connection.execute("DELETE FROM requests WHERE loop = ?", [id.as_str()])?;
            let epoch: Option<i64> = connection
                .prepare_cached(
                    "UPDATE loops
                     SET epoch = epoch + 1, owner_pid = ?, owner_started = ?, owner_boot = ?
                     WHERE id = ? RETURNING epoch",
                )?
                .query_row(params![owner.pid, int(owner.started), owner.boot, id.as_str()], |row| {
                    row.get(0)
                })
                .optional()?;
            Ok(match epoch {
                Some(epoch) => Ok(u64::try_from(epoch).unwrap_or(0)),
                None => Err(StoreError::Gone { id: id.clone() }),
            })
        })
    }

    /// Replaces the frozen options on resume.
    pub fn set_options(
        &self,
        id: &LoopId,
        epoch: u64,
        options: &serde_json::Value,
    ) -> Result<(), StoreError> {
        self.write(Durability::Power, |connection| {
            let changed = connection.execute(
                "UPDATE loop_options SET options = ?
                 WHERE loop = (SELECT id FROM loops WHERE id = ? AND epoch = ?)",
                params![json(options)?, id.as_str(), int(epoch)],
            )?;
            Ok(if changed == 0 { Err(StoreError::Stale { id: id.clone() }) } else { Ok(()) })
        })
    }

    /// Appends events and everything that follows from them, in one transaction.
    ///
    /// Events that are only shown are passed over. Whoever has lost the loop to a newer epoch is
    /// told so and has written nothing.
    pub fn append(
        &self,
        id: &LoopId,
        epoch: u64,
        events: &[Event],
        durability: Durability,
    ) -> Result<(), StoreError> {
        if !events.iter().any(|event| event.kind.is_stored()) {
            return Ok(());
        }
        self.write(durability, |connection| append_all(connection, id, epoch, events))
    }

    /// Removes a loop and all that belongs to it.
    pub fn remove(&self, id: &LoopId) -> Result<(), StoreError> {
        self.write(Durability::Power, |connection| {
            connection.execute("DELETE FROM loops WHERE id = ?", [id.as_str()])?;
            Ok(Ok(()))
        })
    }

    /// Runs `work` in one transaction that is as safe as asked for once this returns.
    pub(super) fn write<T>(
        &self,
        durability: Durability,
        work: impl FnOnce(&Connection) -> Result<Result<T, StoreError>>,
    ) -> Result<T, StoreError> {
        let mut inner = self.inner();
        let written = (|| {
            if inner.durability != durability {
                let level = match durability {
                    Durability::Process => "NORMAL",
                    Durability::Power => "FULL",
                };
                inner.connection.pragma_update(None, "synchronous", level)?;
                inner.durability = durability;
            }
            let connection = &inner.connection;
            let transaction =
                Transaction::new_unchecked(connection, TransactionBehavior::Immediate)?;
            let done = work(&transaction)?;
            if done.is_ok() {
                transaction.commit()?;
            }
            Ok(done)
        })();
        written.map_err(|error| explain(&self.path, &error)).flatten()
    }
}

pub(super) fn insert_loop(connection: &Connection, new: &NewLoop) -> Result<()> {
    // Links in the path are followed once, here, so that a loop is found from any way to it.
    let directory = fs::canonicalize(&new.directory).unwrap_or_else(|_| new.directory.clone());
    let worktree =
        new.worktree.as_ref().map(|tree| fs::canonicalize(tree).unwrap_or_else(|_| tree.clone()));
    let now = windlass_system::clock::now();
    connection.execute(
        "INSERT INTO loops (id, name, kind, directory, worktree, agent, epoch,
                            owner_pid, owner_started, owner_boot, started_at, updated_at, phase)
         VALUES (:id, :name, :kind, :directory, :worktree, :agent, 1,
                 :pid, :started, :boot, :now, :now, 'starts')",
        named_params! {
            ":id": new.id.as_str(), ":name": new.name, ":kind": new.kind,
            ":directory": path(&directory), ":worktree": worktree.as_deref().map(path),
            ":agent": new.agent,
            ":pid": new.owner.pid, ":started": int(new.owner.started), ":boot": new.owner.boot,
            ":now": TimeColumn(now),
        },
    )?;
    connection.execute(
        "INSERT INTO loop_options (loop, options) VALUES (?, ?)",
        params![new.id.as_str(), json(&new.options)?],
    )?;
    Ok(())
}

/// Appends within a transaction.
pub(super) fn append_all(
    connection: &Connection,
    id: &LoopId,
    epoch: u64,
    events: &[Event],
) -> Result<Result<(), StoreError>> {
    let Some(mut projection) = Projection::load(connection, id, epoch)? else {
        return Ok(Err(StoreError::Stale { id: id.clone() }));
    };
    let mut rows = EventRows::new(connection);
    for event in events.iter().filter(|event| event.kind.is_stored()) {
        let last = projection.last_seq();
        if event.seq != last + 1 || event.loop_id != *id {
            return Ok(Err(StoreError::Gap { id: id.clone(), last, found: event.seq }));
        }
        let words = projection.apply(event)?;
        rows.add(event, words)?;
    }
    rows.finish()?;
    Ok(if projection.save(epoch)? { Ok(()) } else { Err(StoreError::Stale { id: id.clone() }) })
}
