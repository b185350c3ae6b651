//! Opens the store. It must cost next to nothing, for `status` opens it too: damage shows when it
//! is met, and a whole look over the file is `Store::check`.

use std::{
    fs::{self, Metadata, Permissions},
    io,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    sync::Mutex,
};

use rusqlite::{Connection, OpenFlags};
use windlass_system::home;

use super::{
    Durability, Inner, Settings, Store, StoreError, create, draft,
    error::{explain, explain_io},
    filesystem,
    migrate::{
        APPLICATION_ID, FORMAT, MIGRATIONS, application_id, format, has_its_tables, migrate,
    },
};

/// The first SQLite that does not lose committed writes with several connections in WAL mode.
const FIRST_SAFE_SQLITE: i32 = 3_051_003;

/// What is wrong with a store whose tables are not those that its number stands for.
pub(super) const OTHER_TABLES: &str = "its tables are not those of any windlass that was released";

impl Store {
    /// Opens the store below `home`, creating or migrating it as needed.
    pub fn open(home: &Path) -> Result<Self, StoreError> {
        Self::open_with(home, Settings::default())
    }

    /// Opens the store below `home`, creating or migrating it as needed.
    pub fn open_with(home: &Path, settings: Settings) -> Result<Self, StoreError> {
        let path = home::database(home);
        home::create_private(home).map_err(|error| explain_io(&path, &error))?;
        draft::clear_leftovers(&path);
        if !is_there(&path)? {
            check_ground(home, &path)?;
            create::create(&path)?;
        }
        connect(home, path, settings)
    }

    /// Opens the store if there is one; for commands that only read.
    pub fn open_existing(home: &Path) -> Result<Option<Self>, StoreError> {
        Self::open_existing_with(home, Settings::default())
    }

    /// Opens the store if there is one; for commands that only read.
    pub(crate) fn open_existing_with(
        home: &Path,
        settings: Settings,
    ) -> Result<Option<Self>, StoreError> {
        let path = home::database(home);
        if is_there(&path)? { connect(home, path, settings).map(Some) } else { Ok(None) }
    }
}

/// Refuses an SQLite that can lose data.
pub(super) fn check_sqlite(number: i32) -> Result<(), StoreError> {
    if number >= FIRST_SAFE_SQLITE {
        return Ok(());
    }
    let found = format!("{}.{}.{}", number / 1_000_000, number / 1000 % 1000, number % 1000);
    Err(StoreError::OldSqlite { found })
}

/// The file that SQLite keeps the newest writes in.
pub(super) fn log_of(database: &Path) -> PathBuf {
    let mut name = database.as_os_str().to_owned();
    name.push("-wal");
    name.into()
}

/// Whether there is a database. A log without one means that the database was lost, and SQLite
/// would write the old log over a new one: that is damage and not a first start.
fn is_there(path: &Path) -> Result<bool, StoreError> {
    if look(path)?.is_some() {
        return Ok(true);
    }
    match look(&log_of(path))? {
        Some(log) if log.len() > 0 => Err(StoreError::Corrupt {
            path: path.to_owned(),
            why: "it is gone, and its log `windlass.db-wal` is still there".to_owned(),
        }),
        _ => Ok(false),
    }
}

fn look(path: &Path) -> Result<Option<Metadata>, StoreError> {
    match fs::metadata(path) {
        Ok(metadata) => Ok(Some(metadata)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(explain_io(path, &error)),
    }
}

fn check_ground(home: &Path, path: &Path) -> Result<(), StoreError> {
    check_sqlite(rusqlite::version_number())?;
    match filesystem::refusal(home) {
        Some(why) => Err(StoreError::Unusable { path: path.to_owned(), why }),
        None => Ok(()),
    }
}

fn connect(home: &Path, path: PathBuf, settings: Settings) -> Result<Store, StoreError> {
    check_ground(home, &path)?;
    let metadata = look(&path)?;
    if metadata.as_ref().is_some_and(|found| found.is_file() && found.len() == 0) {
        // SQLite would take an empty file for a new database and fill it.
        return Err(StoreError::Corrupt { path, why: "the file is empty".to_owned() });
    }
    let connection = open_file(&path, settings).map_err(|error| explain(&path, &error))?;
    check_form(&connection, &path)?;
    set_up(&connection).map_err(|error| explain(&path, &error))?;
    if metadata.is_some_and(|found| found.permissions().mode() & 0o077 != 0) {
        // Best effort: it fails for a file of another user, who has chosen the mode then.
        drop(fs::set_permissions(&path, Permissions::from_mode(0o600)));
    }
    let inner = Mutex::new(Inner { connection, durability: Durability::Process });
    Ok(Store { path, inner })
}

pub(super) fn open_file(path: &Path, settings: Settings) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(settings.busy_timeout)?;
    Ok(connection)
}

/// Makes sure that the file is ours and of a form that we know, before anything is written.
pub(super) fn check_form(connection: &Connection, path: &Path) -> Result<(), StoreError> {
    let asked = application_id(connection).and_then(|id| Ok((id, format(connection)?)));
    let (id, found) = asked.map_err(|error| explain(path, &error))?;
    let path = path.to_owned();
    if id != APPLICATION_ID || found < 1 {
        return Err(StoreError::Corrupt { path, why: "it is not a store of windlass".to_owned() });
    }
    if found > FORMAT {
        return Err(StoreError::Newer { path, found, known: FORMAT });
    }
    // One that is up to date is not looked through: opening must cost next to nothing.
    if found < FORMAT && !has_its_tables(connection).map_err(|error| explain(&path, &error))? {
        return Err(StoreError::Corrupt { path, why: OTHER_TABLES.to_owned() });
    }
    Ok(())
}

pub(super) fn set_up(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute_batch(
        "PRAGMA foreign_keys = ON;
         PRAGMA trusted_schema = OFF;
         PRAGMA cell_size_check = ON;
         PRAGMA synchronous = NORMAL;
         PRAGMA wal_autocheckpoint = 1000;",
    )?;
    let limit: i64 = 64 * 1024 * 1024;
    connection.pragma_update_and_check(None, "journal_size_limit", limit, |_| Ok(()))?;
    let mode: String = connection.pragma_query_value(None, "journal_mode", |row| row.get(0))?;
    if mode != "wal" {
        connection.pragma_update(None, "journal_mode", "WAL")?;
    }
    // Every statement of ours is prepared once; there are fewer than this.
    connection.set_prepared_statement_cache_capacity(64);
    if format(connection)? < FORMAT {
        connection.pragma_update(None, "synchronous", "FULL")?;
        migrate(connection, &MIGRATIONS)?;
        connection.pragma_update(None, "synchronous", "NORMAL")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_sqlite_that_can_lose_data_is_refused() {
        let refused = check_sqlite(3_051_002).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "this build has SQLite 3.51.2, which can lose data; 3.51.3 is needed"
        );
        check_sqlite(3_051_003).unwrap();
        check_sqlite(rusqlite::version_number()).unwrap();
    }
}
