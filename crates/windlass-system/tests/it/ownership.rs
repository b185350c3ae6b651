//! Locks and doorbells, between real processes.

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::Path,
    process::{Child, Stdio},
    sync::Barrier,
    thread,
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, kill_process};
use testkit::again::{again, given_home};
use windlass_core::ids::LoopId;
use windlass_system::ownership::{Doorbell, Holder, Lock, LockError, LockKey, Owner, ring};

fn holder(name: &str) -> Holder {
    let loop_id = LoopId::from("0123456789abcdef".to_owned());
    Holder { owner: Owner::this_process(), loop_id, name: name.to_owned() }
}

fn key() -> LockKey {
    LockKey::of_loop(&LoopId::from("0123456789abcdef".to_owned()))
}

fn acquire(home: &Path, wait: Duration) -> Result<Lock, LockError> {
    Lock::acquire(home, &key(), &holder("me"), wait)
}

#[test]
fn of_a_hundred_at_once_one_wins_and_the_others_are_told_who() {
    let home = tempfile::tempdir().unwrap();
    let barrier = Barrier::new(100);
    let results: Vec<_> = thread::scope(|scope| {
        let tries: Vec<_> = (0..100)
            .map(|number| {
                let (home, barrier) = (home.path(), &barrier);
                scope.spawn(move || {
                    barrier.wait();
                    let holder = holder(&format!("loop-{number}"));
                    Lock::acquire(home, &key(), &holder, Duration::from_secs(10))
                        .map(|lock| (number, lock))
                })
            })
            .collect();
        tries.into_iter().map(|handle| handle.join().unwrap()).collect()
    });
    let winners: Vec<_> = results.iter().flatten().map(|(number, _)| number).collect();
    assert_eq!(winners.len(), 1, "{winners:?}");
    let told = format!("loop `loop-{}` has it (process {})", winners[0], std::process::id());
    for refused in results.iter().filter_map(|result| result.as_ref().err()) {
        assert_eq!(refused.to_string(), told);
    }
}

#[test]
fn a_copy_of_the_descriptor_keeps_the_lock() {
    let home = tempfile::tempdir().unwrap();
    let lock = acquire(home.path(), Duration::ZERO).unwrap();
    assert_eq!(Lock::holder(home.path(), &key()), Some(holder("me")));
    let copy = lock.try_clone_fd().unwrap();
    drop(lock);
    let held = acquire(home.path(), Duration::ZERO);
    assert!(matches!(held, Err(LockError::Held { holder: None })), "{held:?}");
    let waiting = thread::spawn({
        let home = home.path().to_owned();
        move || acquire(&home, Duration::from_secs(10))
    });
    thread::sleep(Duration::from_millis(100));
    drop(copy);
    waiting.join().unwrap().unwrap();
}

#[test]
fn a_tree_has_one_key_by_whichever_path() {
    let home = tempfile::tempdir().unwrap();
    let link = home.path().join("link");
    std::os::unix::fs::symlink(home.path(), &link).unwrap();
    assert_eq!(LockKey::of_tree(home.path()), LockKey::of_tree(&link));
    assert_ne!(LockKey::of_tree(home.path()), LockKey::of_tree(Path::new("/")));
}

#[test]
#[ignore = "a part of the next two, in a process of its own"]
fn child_that_holds_the_lock() {
    let Some(home) = given_home() else { return };
    let _lock = acquire(&home, Duration::ZERO).unwrap();
    fs::write(home.join("ready"), "").unwrap();
    thread::sleep(Duration::from_secs(60));
}

fn child_with_lock(home: &Path) -> Child {
    let test = "ownership::child_that_holds_the_lock";
    let child = again(test, "", home).stdout(Stdio::null()).spawn().unwrap();
    let begin = Instant::now();
    while !home.join("ready").exists() {
        assert!(begin.elapsed() < Duration::from_secs(20), "the child never got the lock");
        thread::sleep(Duration::from_millis(10));
    }
    child
}

#[test]
fn a_killed_holder_is_dead_at_once_and_its_lock_is_free() {
    let home = tempfile::tempdir().unwrap();
    let mut child = child_with_lock(home.path());
    let Err(LockError::Held { holder: Some(other) }) = acquire(home.path(), Duration::ZERO) else {
        panic!("the child holds it");
    };
    assert!(other.owner.is_alive());
    child.kill().unwrap();
    let begin = Instant::now();
    while other.owner.is_alive() {
        assert!(begin.elapsed() < Duration::from_secs(10), "one that nobody waited for is dead");
        thread::sleep(Duration::from_millis(1));
    }
    let lock = acquire(home.path(), Duration::from_secs(10)).unwrap();
    child.wait().unwrap();
    assert_eq!(Lock::any_holder(home.path()), Some(holder("me")));
    drop(lock);
    assert_eq!(Lock::any_holder(home.path()), None);
}

#[test]
fn the_lock_of_a_stopped_holder_is_taken_over_once() {
    let home = tempfile::tempdir().unwrap();
    let mut child = child_with_lock(home.path());
    let pid = Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap();
    kill_process(pid, Signal::STOP).unwrap();
    let Err(LockError::Held { holder: Some(other) }) = acquire(home.path(), Duration::ZERO) else {
        panic!("the child holds it");
    };
    let begin = Instant::now();
    while !other.owner.is_stopped() {
        assert!(begin.elapsed() < Duration::from_secs(10));
    }
    assert!(other.owner.is_alive());
    let take = || Lock::take_over(home.path(), &key(), &holder("me"), &other.owner);
    let lock = take().unwrap();
    assert!(matches!(take(), Err(LockError::Held { .. })), "another was faster");
    assert_eq!(Lock::holder(home.path(), &key()), Some(holder("me")));
    // The old holder goes on, ends, and does not free what is not its own.
    kill_process(pid, Signal::CONT).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(acquire(home.path(), Duration::ZERO).is_err());
    drop(lock);
    acquire(home.path(), Duration::ZERO).unwrap();
}

#[tokio::test]
async fn a_ring_is_heard_before_and_while_somebody_listens() {
    let home = tempfile::tempdir().unwrap();
    let id = LoopId::of_number(fastrand::u64(..));
    assert!(!ring(home.path(), &id).unwrap(), "nobody is there");
    let bell = Doorbell::hang(home.path(), &id).unwrap();
    let path = home.path().join(format!("run/{id}.bell"));
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    for _ in 0..3 {
        assert!(ring(home.path(), &id).unwrap());
    }
    bell.rung().await.unwrap();
    let late = thread::spawn({
        let (home, id) = (home.path().to_owned(), id.clone());
        move || {
            thread::sleep(Duration::from_millis(50));
            ring(&home, &id)
        }
    });
    tokio::time::timeout(Duration::from_secs(10), bell.rung()).await.unwrap().unwrap();
    assert!(late.join().unwrap().unwrap());
    let quiet = tokio::time::timeout(Duration::from_millis(50), bell.rung()).await;
    assert!(quiet.is_err(), "nobody rang");

    let next = Doorbell::hang(home.path(), &id).unwrap();
    drop(bell);
    assert!(ring(home.path(), &id).unwrap(), "the new owner's bell stays");
    drop(next);
    assert!(!path.exists());
    assert!(!ring(home.path(), &id).unwrap());
}

#[tokio::test]
async fn a_bell_that_is_rung_without_end_does_not_block() {
    let home = tempfile::tempdir().unwrap();
    let id = LoopId::of_number(fastrand::u64(..));
    let bell = Doorbell::hang(home.path(), &id).unwrap();
    for _ in 0..100_000 {
        assert!(ring(home.path(), &id).unwrap());
    }
    bell.rung().await.unwrap();
}

#[test]
fn a_bell_of_a_dead_owner_is_nobody() {
    let home = tempfile::tempdir().unwrap();
    let id = LoopId::of_number(fastrand::u64(..));
    fs::create_dir(home.path().join("run")).unwrap();
    let path = home.path().join(format!("run/{id}.bell"));
    rustix::fs::mknodat(
        rustix::fs::CWD,
        &path,
        rustix::fs::FileType::Fifo,
        rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR,
        0,
    )
    .unwrap();
    assert!(!ring(home.path(), &id).unwrap());
}
