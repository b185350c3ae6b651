//! A store that is full, locked or read-only says so, keeps what it acknowledged, and goes on
//! once the cause is gone.

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::Path,
    process::Command,
    time::{Duration, Instant},
};

use rusqlite::Connection;
use testkit::again::{again, given_home};
use windlass_core::event::EventKind;
use windlass_store::store::{Durability, Settings, Store, StoreError};

use super::{
    damage::{database, read_all},
    script::{new_loop, stamp, started, whole_loop},
};

#[test]
fn a_locked_store_is_waited_for_and_then_told() {
    let home = tempfile::tempdir().unwrap();
    let settings = Settings { busy_timeout: Duration::from_millis(100) };
    let store = Store::open_with(home.path(), settings).unwrap();
    let new = new_loop("a", home.path());
    store.create_loop(&new).unwrap();
    let events = stamp(&new.id, 0, whole_loop());

    let other = Connection::open(database(home.path())).unwrap();
    other.execute_batch("BEGIN EXCLUSIVE").unwrap();
    let begin = Instant::now();
    let refused = store.append(&new.id, 1, &events, Durability::Process);
    assert!(matches!(refused, Err(StoreError::Locked { .. })), "{refused:?}");
    assert!(begin.elapsed() >= Duration::from_millis(100));
    assert_eq!(store.events(&new.id, 0, 100).unwrap(), [], "readers do not wait");

    other.execute_batch("COMMIT").unwrap();
    store.append(&new.id, 1, &events, Durability::Process).unwrap();
    assert_eq!(store.events(&new.id, 0, 100).unwrap(), events);
}

/// Appends notes of 10 kB, one an append, until it fails; gives how many were acknowledged.
fn append_until_it_fails(home: &Path, durability: Durability) -> (u64, StoreError) {
    let store = Store::open_existing(home).unwrap().unwrap();
    let record = store.find(Some("a"), home).unwrap();
    let mut seq = record.last_seq;
    loop {
        let note = EventKind::Noted { text: "n".repeat(10_000) };
        let events = stamp(&record.id, seq, vec![note]);
        match store.append(&record.id, 1, &events, durability) {
            Ok(()) => seq += 1,
            Err(error) => return (seq, error),
        }
        assert!(seq < 10_000, "it never became full");
    }
}

fn with_one_loop(home: &Path) {
    let store = Store::open(home).unwrap();
    let new = new_loop("a", home);
    store.create_loop(&new).unwrap();
    store.append(&new.id, 1, &stamp(&new.id, 0, vec![started()]), Durability::Power).unwrap();
}

#[test]
#[ignore = "a part of the next, in a process of its own"]
fn child_that_may_write_only_small_files() {
    let Some(home) = given_home() else { return };
    let (acknowledged, error) = append_until_it_fails(&home, Durability::Power);
    assert!(matches!(error, StoreError::Full { .. }), "{error:?}");
    fs::write(home.join("acknowledged"), acknowledged.to_string()).unwrap();
}

#[test]
fn a_limit_on_file_sizes_is_told_as_no_space_and_loses_nothing() {
    let home = tempfile::tempdir().unwrap();
    with_one_loop(home.path());
    let test = "store::limits::child_that_may_write_only_small_files";
    // In blocks of 512 bytes.
    let child = again(test, "trap '' XFSZ; ulimit -f 2000", home.path()).output().unwrap();
    assert!(child.status.success(), "{child:?}");
    let acknowledged = fs::read_to_string(home.path().join("acknowledged")).unwrap();
    assert_eq!(read_all(home.path()).unwrap().to_string(), acknowledged);
    assert!(Store::check(home.path()).unwrap().unwrap().is_good());
    let store = Store::open(home.path()).unwrap();
    let record = store.find(Some("a"), home.path()).unwrap();
    let next = stamp(&record.id, record.last_seq, whole_loop());
    store.append(&record.id, 1, &next, Durability::Power).unwrap();
}

/// A small file system in memory; `None` where this process may not mount one.
struct Mounted(tempfile::TempDir);

impl Mounted {
    fn new(options: &str) -> Option<Self> {
        let point = tempfile::tempdir().unwrap();
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", options, "none"])
            .arg(point.path())
            .output();
        if mounted.is_ok_and(|output| output.status.success()) {
            return Some(Self(point));
        }
        eprintln!("SKIPPED: a file system cannot be mounted here");
        None
    }

    fn remount(&self, options: &str) {
        let done = Command::new("mount").args(["-o", options]).arg(self.0.path()).status().unwrap();
        assert!(done.success());
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        drop(Command::new("umount").arg(self.0.path()).status());
    }
}

#[test]
fn a_full_disk_keeps_what_was_acknowledged_and_goes_on_after() {
    let Some(disk) = Mounted::new("size=3m") else { return };
    for durability in [Durability::Process, Durability::Power] {
        let home = disk.0.path().join(format!("{durability:?}"));
        let ballast = disk.0.path().join("ballast");
        fs::write(&ballast, vec![0; 1_000_000]).unwrap();
        with_one_loop(&home);
        let (acknowledged, error) = append_until_it_fails(&home, durability);
        assert!(matches!(error, StoreError::Full { .. }), "{error:?}");
        assert_eq!(read_all(&home).unwrap() as u64, acknowledged);
        fs::remove_file(&ballast).unwrap();
        let store = Store::open(&home).unwrap();
        let record = store.find(Some("a"), &home).unwrap();
        let next = stamp(&record.id, acknowledged, whole_loop());
        store.append(&record.id, 1, &next, durability).unwrap();
        assert!(Store::check(&home).unwrap().unwrap().is_good());
        drop(store);
        fs::remove_dir_all(&home).unwrap();
    }
    fs::write(disk.0.path().join("all"), vec![0; 4_000_000]).unwrap_err();
    let none = Store::open(&disk.0.path().join("new"));
    assert!(matches!(none, Err(StoreError::Full { .. })), "{none:?}");
}

#[test]
fn a_read_only_disk_is_told() {
    let Some(disk) = Mounted::new("size=3m") else { return };
    with_one_loop(disk.0.path());
    disk.remount("remount,ro");
    for opened in [Store::open(disk.0.path()).map(Some), Store::open_existing(disk.0.path())] {
        let told = opened.and_then(|store| store.expect("there is one").loops(None));
        assert!(matches!(told, Err(StoreError::Unusable { .. })), "{told:?}");
    }
}

#[test]
fn a_home_that_cannot_be_made_is_told() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("file");
    fs::write(&file, "").unwrap();
    for below in [file.join("home"), file] {
        let opened = Store::open(&below);
        assert!(matches!(opened, Err(StoreError::Unusable { .. })), "{opened:?}");
    }
}

#[test]
#[ignore = "a part of the next, in a process of its own"]
fn child_that_uses_a_store() {
    let Some(home) = given_home() else { return };
    let store = Store::open(&home).unwrap();
    let new = new_loop("a", &home);
    store.create_loop(&new).unwrap();
    store.append(&new.id, 1, &stamp(&new.id, 0, whole_loop()), Durability::Power).unwrap();
    for file in ["windlass.db", "windlass.db-wal", "windlass.db-shm"] {
        let mode = fs::metadata(home.join(file)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{file}");
    }
    assert_eq!(fs::metadata(&home).unwrap().permissions().mode() & 0o777, 0o700);
}

#[test]
fn files_are_for_their_user_only_whatever_the_mask() {
    for mask in ["000", "077", "277"] {
        let home = tempfile::tempdir().unwrap();
        let test = "store::limits::child_that_uses_a_store";
        let prelude = format!("umask {mask}");
        let child = again(test, &prelude, &home.path().join("home")).output().unwrap();
        assert!(child.status.success(), "umask {mask}: {child:?}");
    }
}
