//! The children of this process: those that it started itself, and the orphans of a guardian that
//! was killed, which come to it where it asked for them.

use std::{
    collections::BTreeSet,
    io,
    process::{Child, Command},
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use rustix::process::{Pid, WaitId, WaitIdOptions, getpid, set_child_subreaper, waitid};

use super::linux::{self, Process};

/// How long a process is tried to be started while there are too many, and how long between.
const PATIENCE: Duration = Duration::from_secs(3);
const PAUSE: Duration = Duration::from_millis(50);

/// The children that this process has started itself and not waited for.
static STARTED: Mutex<BTreeSet<i32>> = Mutex::new(BTreeSet::new());
static ADOPTS: AtomicBool = AtomicBool::new(false);

fn started() -> MutexGuard<'static, BTreeSet<i32>> {
    STARTED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Has the orphans of a guardian that is killed come to this process, so that they are found and
/// ended, whatever they did to hide. Only for a program whose children are all windlass's own.
///
/// One that has other children already, as after `server & exec windlass …`, or that is the first
/// process of its machine, gets orphans that are none of windlass's: there it does nothing.
pub fn adopt_orphans() {
    if getpid() == Pid::INIT || !linux::own_children_for_sure().is_empty() {
        return;
    }
    if set_child_subreaper(Some(getpid())).is_ok() {
        ADOPTS.store(true, Ordering::Release);
    }
}

/// Starts a process as a child of this one, and knows it as such. It blocks for a moment where the
/// system is out of processes.
pub(super) fn start(command: &mut Command) -> io::Result<Child> {
    let until = Instant::now() + PATIENCE;
    loop {
        match start_once(command) {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock && Instant::now() < until => {
                thread::sleep(PAUSE);
            }
            started => return started,
        }
    }
}

fn start_once(command: &mut Command) -> io::Result<Child> {
    // Nobody may take it for an orphan between its start and its entry.
    let mut started = started();
    let child = command.spawn()?;
    started.insert(child.id().cast_signed());
    Ok(child)
}

/// A child that [`start`] gave was waited for: its number may be that of another now.
pub(super) fn waited_for(pid: u32) {
    started().remove(&pid.cast_signed());
}

/// Whether orphans of a guardian come to this process.
pub(super) fn adopts() -> bool {
    ADOPTS.load(Ordering::Acquire)
}

/// The orphans that have come to this process and live; those that have died are waited for.
pub(super) fn orphans() -> Vec<Process> {
    if !adopts() {
        return Vec::new();
    }
    let started = started();
    let orphans = linux::own_children_for_sure().into_iter().filter(|pid| !started.contains(pid));
    let mut living = Vec::new();
    for pid in orphans {
        match Process::child(pid) {
            Some(process) => living.push(process),
            None => {
                // Dead, and by the list above a child of this process: the number is its own.
                let of = Pid::from_raw(pid).map(WaitId::Pid);
                let _ = of.map(|of| waitid(of, WaitIdOptions::EXITED | WaitIdOptions::NOHANG));
            }
        }
    }
    living
}
