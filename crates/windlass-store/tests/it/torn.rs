//! State that many processes write at once while they are killed: nobody ever reads half of it.

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Child, Stdio},
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, Instant},
};

use testkit::again::{again, given_home};
use windlass_core::ids::LoopId;
use windlass_store::store::{Settings, Store};
use windlass_system::ownership::{Holder, Lock, LockKey, Owner};

/// So many processes write at a time, and so many are killed in all.
const WRITERS: usize = 6;
const KILLS: usize = 60;

/// So many writes there must be in the end.
const WRITES: u64 = 1000;

fn id() -> LoopId {
    LoopId::from("0123456789abcdef".to_owned())
}

/// Starts writers and kills them at any moment, until there were enough of both.
fn storm(test: &str, home: &Path) -> u64 {
    let start = || again(test, "", home).stdout(Stdio::null()).spawn().unwrap();
    let mut writers: Vec<Child> = (0..WRITERS).map(|_| start()).collect();
    let began = Instant::now();
    let mut kills = 0;
    while kills < KILLS || count(home) < WRITES {
        assert!(began.elapsed() < Duration::from_secs(50), "{} writes, {kills} kills", count(home));
        // Any moment will do: this is what is tested, and nothing waits for it.
        thread::sleep(Duration::from_millis(fastrand::u64(5..60)));
        let writer = &mut writers[kills % WRITERS];
        writer.kill().unwrap();
        writer.wait().unwrap();
        *writer = start();
        kills += 1;
    }
    for mut writer in writers {
        writer.kill().unwrap();
        writer.wait().unwrap();
    }
    count(home)
}

/// What this process is to note its writes in; one byte each, so that none is torn itself.
fn notes(home: &Path) -> fs::File {
    let path = home.join(format!("writes-{}", std::process::id()));
    fs::File::options().create(true).append(true).open(path).unwrap()
}

fn written(home: &Path) -> Vec<(PathBuf, u64)> {
    let entries = fs::read_dir(home).unwrap().flatten();
    entries
        .filter(|entry| entry.file_name().to_string_lossy().starts_with("writes-"))
        .map(|entry| (entry.path(), entry.metadata().unwrap().len()))
        .collect()
}

fn count(home: &Path) -> u64 {
    written(home).iter().map(|(_, writes)| writes).sum()
}

#[test]
#[ignore = "a part of the next one, in a process of its own"]
fn child_that_takes_a_lock_and_lets_go() {
    let Some(home) = given_home() else { return };
    let mut notes = notes(&home);
    for number in 0.. {
        // Names of all lengths, so that one never covers the one before.
        let name = "n".repeat(1 + number % 60);
        let holder = Holder { owner: Owner::this_process(), loop_id: id(), name };
        let key = LockKey::of_loop(&id());
        if let Ok(lock) = Lock::acquire(&home, &key, &holder, Duration::from_millis(1)) {
            notes.write_all(b".").unwrap();
            drop(lock);
        }
    }
}

#[test]
fn the_name_of_a_holder_is_read_whole_or_not_at_all() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    let over = AtomicBool::new(false);
    thread::scope(|scope| {
        let reading = scope.spawn(|| {
            let (mut whole, mut free) = (0_u64, 0_u64);
            while !over.load(Ordering::Relaxed) {
                let Some(holder) = Lock::holder(home, &LockKey::of_loop(&id())) else {
                    free += 1;
                    continue;
                };
                let is_whole = holder.name.bytes().all(|byte| byte == b'n');
                assert!(is_whole && holder.loop_id == id(), "torn: {holder:?}");
                whole += 1;
            }
            (whole, free)
        });
        let writes = storm("torn::child_that_takes_a_lock_and_lets_go", home);
        over.store(true, Ordering::Relaxed);
        let (whole, free) = reading.join().unwrap();
        assert!(whole > 100, "{whole} holders were read, {free} times none, in {writes} writes");
    });
    // Whatever the killed have left, the next one has it at once.
    let holder = Holder { owner: Owner::this_process(), loop_id: id(), name: "last".to_owned() };
    let _lock = Lock::acquire(home, &LockKey::of_loop(&id()), &holder, Duration::ZERO).unwrap();
    assert_eq!(Lock::holders(home), [holder]);
}

/// What one file is trusted as, after so many writes: always 64 times the same digit.
fn hash(writes: u64) -> String {
    char::from_digit((writes % 16) as u32, 16).unwrap().to_string().repeat(64)
}

#[test]
#[ignore = "a part of the next one, in a process of its own"]
fn child_that_trusts() {
    let Some(home) = given_home() else { return };
    let mut notes = notes(&home);
    let store = Store::open_with(&home, patient()).unwrap();
    let own = home.join(format!("writes-{}", std::process::id()));
    for number in 1.. {
        store.trust(Path::new("/shared"), &hash(number)).unwrap();
        store.trust(&own, &hash(number)).unwrap();
        notes.write_all(b".").unwrap();
    }
}

fn patient() -> Settings {
    Settings { busy_timeout: Duration::from_secs(30) }
}

#[test]
fn what_is_trusted_is_read_whole_and_is_never_lost() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    drop(Store::open(home).unwrap());
    let over = AtomicBool::new(false);
    thread::scope(|scope| {
        let reading = scope.spawn(|| {
            let store = Store::open_with(home, patient()).unwrap();
            let mut read = 0_u64;
            while !over.load(Ordering::Relaxed) {
                // A row that is torn or damaged is an error here.
                let found =
                    (0..16).filter(|n| store.is_trusted(Path::new("/shared"), &hash(*n)).unwrap());
                read += found.count() as u64;
            }
            read
        });
        storm("torn::child_that_trusts", home);
        over.store(true, Ordering::Relaxed);
        assert!(reading.join().unwrap() > 0, "nothing was ever trusted");
    });
    let store = Store::open(home).unwrap();
    for (own, writes) in written(home).into_iter().filter(|(_, writes)| *writes > 0) {
        // One more may have been stored before the process could say so.
        let kept = [writes, writes + 1].iter().any(|n| store.is_trusted(&own, &hash(*n)).unwrap());
        assert!(kept, "{} was told {writes} writes that are lost", own.display());
    }
    drop(store);
    let health = Store::check(home).unwrap().unwrap();
    assert!(health.problems.is_empty(), "{:?}", health.problems);
}
