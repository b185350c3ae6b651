//! Damaged, foreign and missing files: told apart, and left as they are.

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    sync::Barrier,
    thread,
};

use rusqlite::Connection;
use windlass_store::store::{Durability, Store, StoreError};

use super::script::{new_loop, stamp, whole_loop};

/// The bytes of a store with a few loops in it, all in the main file.
pub(crate) fn sound_bytes(loops: usize) -> Vec<u8> {
    let home = tempfile::tempdir().unwrap();
    let store = Store::open(home.path()).unwrap();
    for number in 0..loops {
        let new = new_loop(&format!("loop-{number}"), Path::new("/"));
        store.create_loop(&new).unwrap();
        let events = stamp(&new.id, 0, whole_loop());
        store.append(&new.id, 1, &events, Durability::Process).unwrap();
    }
    drop(store);
    fs::read(database(home.path())).unwrap()
}

pub(crate) fn database(home: &Path) -> PathBuf {
    home.join("windlass.db")
}

/// Reads all that there is.
pub(crate) fn read_all(home: &Path) -> Result<usize, StoreError> {
    let store = Store::open_existing(home)?.expect("there is one");
    let mut events = 0;
    for record in store.loops(None)? {
        store.get(&record.id)?;
        events += store.events(&record.id, 0, usize::MAX)?.len();
        store.history(&record.id)?;
        store.iterations(&record.id)?;
        store.sessions(&record.id)?;
        store.last_messages(&record.id, 10)?;
        store.take_requests(&record.id)?;
    }
    Ok(events)
}

/// Damage is told as damage or does not show; a file that is not read is not written either.
#[track_caller]
fn check(bytes: &[u8], what: &str) -> bool {
    let home = tempfile::tempdir().unwrap();
    fs::write(database(home.path()), bytes).unwrap();
    fs::set_permissions(database(home.path()), fs::Permissions::from_mode(0o600)).unwrap();
    let read = read_all(home.path());
    match &read {
        Ok(_) => return false,
        Err(
            StoreError::Corrupt { .. } | StoreError::Newer { .. } | StoreError::Unusable { .. },
        ) => {}
        Err(other) => panic!("{what}: {other:?}"),
    }
    assert!(fs::read(database(home.path())).unwrap() == bytes, "{what}: the file was changed");
    true
}

#[test]
fn flipped_bytes_are_told_or_do_not_show_and_nothing_is_overwritten() {
    let sound = sound_bytes(5);
    let mut random = fastrand::Rng::with_seed(7);
    // Every byte of the header, and many of the rest.
    let offsets = (0..100).chain((0..300).map(|_| random.usize(100..sound.len())));
    let mut told = 0;
    for offset in offsets.collect::<Vec<_>>() {
        let mut bytes = sound.clone();
        bytes[offset] ^= random.u8(1..);
        told += usize::from(check(&bytes, &format!("byte {offset}")));
    }
    assert!(told > 30, "only {told} were told");
}

#[test]
fn blocks_of_garbage_are_told_or_do_not_show_and_nothing_is_overwritten() {
    let sound = sound_bytes(5);
    let mut random = fastrand::Rng::with_seed(8);
    let mut told = 0;
    for _ in 0..60 {
        let mut bytes = sound.clone();
        let begin = random.usize(..bytes.len() - 600);
        random.fill(&mut bytes[begin..begin + 512]);
        told += usize::from(check(&bytes, &format!("block at {begin}")));
    }
    assert!(told > 10, "only {told} were told");
}

#[test]
fn a_truncated_database_is_told_and_stays() {
    let sound = sound_bytes(5);
    for length in (0..sound.len()).step_by(sound.len() / 40) {
        assert!(check(&sound[..length], &format!("cut to {length}")), "cut to {length}");
    }
}

#[test]
fn an_empty_file_is_not_taken_for_a_new_store() {
    let home = tempfile::tempdir().unwrap();
    fs::write(database(home.path()), "").unwrap();
    for opened in [Store::open(home.path()).map(Some), Store::open_existing(home.path())] {
        assert!(matches!(opened, Err(StoreError::Corrupt { .. })), "{opened:?}");
    }
    assert_eq!(fs::read(database(home.path())).unwrap(), b"");
}

#[test]
fn a_log_without_its_database_is_not_written_over_a_new_one() {
    let home = tempfile::tempdir().unwrap();
    fs::write(home.path().join("windlass.db-wal"), "left").unwrap();
    for opened in [Store::open(home.path()).map(Some), Store::open_existing(home.path())] {
        assert!(matches!(opened, Err(StoreError::Corrupt { .. })), "{opened:?}");
    }
    assert_eq!(fs::read_dir(home.path()).unwrap().count(), 1);
}

#[test]
fn a_lost_log_loses_what_was_in_it_and_nothing_else() {
    let home = tempfile::tempdir().unwrap();
    let store = Store::open(home.path()).unwrap();
    let new = new_loop("a", home.path());
    store.create_loop(&new).unwrap();
    drop(store);
    let store = Store::open(home.path()).unwrap();
    store.append(&new.id, 1, &stamp(&new.id, 0, whole_loop()), Durability::Power).unwrap();
    let lost = tempfile::tempdir().unwrap();
    fs::copy(database(home.path()), database(lost.path())).unwrap();
    assert_eq!(read_all(lost.path()).unwrap(), 0);
    assert_eq!(read_all(home.path()).unwrap(), 22);
}

#[test]
fn a_database_of_somebody_else_stays_as_it_is() {
    let home = tempfile::tempdir().unwrap();
    let other = Connection::open(database(home.path())).unwrap();
    other.execute_batch("CREATE TABLE precious (a); INSERT INTO precious VALUES (1);").unwrap();
    drop(other);
    let before = fs::read(database(home.path())).unwrap();
    let opened = Store::open(home.path()).unwrap_err();
    assert!(opened.to_string().ends_with("is damaged: it is not a store of windlass"), "{opened}");
    assert!(fs::read(database(home.path())).unwrap() == before);
}

#[test]
fn a_newer_store_is_refused_to_writers_and_readers() {
    let home = tempfile::tempdir().unwrap();
    drop(Store::open(home.path()).unwrap());
    let plain = Connection::open(database(home.path())).unwrap();
    plain.pragma_update(None, "user_version", 99).unwrap();
    drop(plain);
    for opened in [Store::open(home.path()).map(Some), Store::open_existing(home.path())] {
        assert!(matches!(opened, Err(StoreError::Newer { found: 99, known: 9, .. })), "{opened:?}");
    }
}

#[test]
fn where_there_is_no_store_readers_make_none() {
    let home = tempfile::tempdir().unwrap();
    let below = home.path().join("not/yet");
    assert!(Store::open_existing(&below).unwrap().is_none());
    assert!(Store::check(&below).unwrap().is_none());
    assert!(!home.path().join("not").exists());
}

#[test]
fn many_that_open_at_once_share_one_store() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path().join("new/home");
    let barrier = Barrier::new(8);
    thread::scope(|scope| {
        for number in 0..8 {
            let (home, barrier) = (&home, &barrier);
            scope.spawn(move || {
                barrier.wait();
                let store = Store::open(home).unwrap();
                let new = new_loop(&format!("loop-{number}"), home);
                store.create_loop(&new).unwrap();
                for event in stamp(&new.id, 0, whole_loop()) {
                    store.append(&new.id, 1, &[event], Durability::Process).unwrap();
                }
            });
        }
    });
    assert_eq!(read_all(&home).unwrap(), 8 * 22);
    let mut left: Vec<_> =
        fs::read_dir(&home).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    left.retain(|name| !name.to_string_lossy().ends_with("-wal"));
    left.retain(|name| !name.to_string_lossy().ends_with("-shm"));
    assert_eq!(left, ["windlass.db"]);
    assert!(Store::check(&home).unwrap().unwrap().is_good());
}
