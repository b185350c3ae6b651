//! What a repair saves, and what it leaves alone.

use std::{fs, sync::LazyLock};

use windlass_store::store::{Durability, Store, StoreError};

use super::{
    damage::{database, read_all, sound_bytes},
    script::{new_loop, stamp, whole_loop},
};

const LOOPS: usize = 200;
const EVENTS: u64 = 200 * 22;

#[test]
fn a_healthy_store_is_not_touched() {
    let home = tempfile::tempdir().unwrap();
    let bytes = sound_bytes(3);
    fs::write(database(home.path()), &bytes).unwrap();
    let health = Store::check(home.path()).unwrap().unwrap();
    assert!(health.is_good(), "{health:?}");
    assert_eq!((health.format, health.bytes), (Some(9), bytes.len() as u64));
    assert_eq!(Store::repair(home.path()).unwrap(), None);
    assert!(fs::read(database(home.path())).unwrap() == bytes);
    assert_eq!(Store::repair(&home.path().join("none")).unwrap(), None);
}

/// The bytes of a store with 200 loops, made once.
fn many_loops() -> Vec<u8> {
    static BYTES: LazyLock<Vec<u8>> = LazyLock::new(|| sound_bytes(LOOPS));
    BYTES.clone()
}

/// Damages a store of 200 loops, repairs it, and gives how many loops and events were saved.
#[track_caller]
fn mend(damage: impl FnOnce(&mut Vec<u8>)) -> (u64, u64, u64) {
    let home = tempfile::tempdir().unwrap();
    let mut bytes = many_loops();
    damage(&mut bytes);
    fs::write(database(home.path()), &bytes).unwrap();
    assert!(!Store::check(home.path()).unwrap().unwrap().is_good());
    let repaired = Store::repair(home.path()).unwrap().unwrap();
    assert!(fs::read(&repaired.kept_aside).unwrap() == bytes, "the damaged file is kept");
    let health = Store::check(home.path()).unwrap().unwrap();
    assert!(health.is_good(), "{health:?}");
    let read = read_all(home.path()).unwrap() as u64;
    assert!(read >= repaired.events, "a note stands for each that is lost");
    let store = Store::open(home.path()).unwrap();
    let new = new_loop("after", home.path());
    store.create_loop(&new).unwrap();
    store.append(&new.id, 1, &stamp(&new.id, 0, whole_loop()), Durability::Power).unwrap();
    let mut left: Vec<_> = fs::read_dir(home.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| !name.contains("damaged") && !name.starts_with("windlass.db"))
        .collect();
    left.sort();
    assert_eq!(left, ["locks"], "no copies are left");
    (repaired.loops, repaired.events, repaired.lost_events)
}

#[test]
fn a_broken_page_costs_what_was_on_it() {
    let mut lost = Vec::new();
    for at in [10, 40, 45, 60] {
        let (loops, events, gone) = mend(|bytes| {
            let begin = bytes.len() * at / 100 / 4096 * 4096;
            bytes[begin..begin + 4096].fill(0xa5);
        });
        assert!(loops >= LOOPS as u64 * 9 / 10, "{loops} loops at {at} %");
        assert!(events >= EVENTS * 8 / 10, "{events} events at {at} %");
        lost.push(gone);
    }
    assert!(lost.iter().any(|lost| *lost > 0), "{lost:?}");
}

#[test]
fn a_broken_beginning_costs_nothing_that_lies_behind_it() {
    let saved = mend(|bytes| bytes[..100].fill(0));
    assert_eq!(saved, (LOOPS as u64, EVENTS, 0));
    let saved = mend(|bytes| bytes[..4096].fill(0xff));
    assert_eq!(saved, (LOOPS as u64, EVENTS, 0));
}

#[test]
fn of_half_a_file_half_is_saved() {
    let (loops, events, _) = mend(|bytes| bytes.truncate(bytes.len() / 2));
    assert!(loops > LOOPS as u64 / 4, "{loops} loops");
    assert!(events > EVENTS / 4, "{events} events");
}

#[test]
fn where_nothing_is_left_the_new_store_is_empty() {
    assert_eq!(mend(Vec::clear), (0, 0, 0));
    assert_eq!(mend(|bytes| bytes.fill(0x55)), (0, 0, 0));
}

#[test]
fn words_that_were_changed_are_found_and_mended() {
    let (loops, events, lost) = mend(|bytes| {
        let at = bytes.windows(13).position(|part| part == b"loop_finished").unwrap();
        let body = at + bytes[at..].iter().position(|byte| *byte == b'{').unwrap();
        bytes[body] = b'!';
    });
    assert_eq!((loops, events + lost), (LOOPS as u64, EVENTS));
    assert_eq!(lost, 1);
}

#[test]
fn trust_in_entries_for_agents_survives_a_repair() {
    let home = tempfile::tempdir().unwrap();
    fs::write(database(home.path()), many_loops()).unwrap();
    Store::open(home.path()).unwrap().trust_entries(home.path(), ["a", "b"]).unwrap();
    let plain = rusqlite::Connection::open(database(home.path())).unwrap();
    plain.execute("UPDATE journal SET body = '!' WHERE seq = 1", []).unwrap();
    drop(plain);
    Store::repair(home.path()).unwrap().unwrap();
    let store = Store::open(home.path()).unwrap();
    assert_eq!(store.trusted_entries(home.path()).unwrap().len(), 2);
}

#[test]
fn a_newer_store_is_not_mended() {
    let home = tempfile::tempdir().unwrap();
    drop(Store::open(home.path()).unwrap());
    let plain = rusqlite::Connection::open(database(home.path())).unwrap();
    plain.pragma_update(None, "user_version", 99).unwrap();
    drop(plain);
    assert!(matches!(Store::repair(home.path()), Err(StoreError::Newer { .. })));
}

#[test]
fn whatever_is_broken_a_repair_ends_with_a_sound_store() {
    let sound = sound_bytes(20);
    let mut random = fastrand::Rng::with_seed(11);
    for round in 0..40 {
        let seed = random.u64(..);
        let mut random = fastrand::Rng::with_seed(seed);
        let mut bytes = sound.clone();
        for _ in 0..=round % 8 {
            let begin = random.usize(..bytes.len());
            let end = bytes.len().min(begin + random.usize(1..5000));
            random.fill(&mut bytes[begin..end]);
        }
        if random.bool() {
            bytes.truncate(random.usize(..bytes.len()));
        }
        let home = tempfile::tempdir().unwrap();
        fs::write(database(home.path()), &bytes).unwrap();
        match Store::repair(home.path()) {
            // The version of the form was hit, and such a store is not ours to mend.
            Err(StoreError::Newer { .. } | StoreError::Unusable { .. }) => continue,
            repaired => drop(repaired.unwrap_or_else(|error| panic!("seed {seed}: {error}"))),
        }
        let health = Store::check(home.path()).unwrap().unwrap();
        assert!(health.is_good(), "seed {seed}: {health:?}");
        read_all(home.path()).unwrap();
    }
}
