//! Finds guardians by their command line, which names the loop and the home: those among the
//! ancestors of this process, and those that have outlived the owner of a loop.

use std::{
    ffi::OsString,
    fs,
    os::unix::{ffi::OsStringExt, fs::MetadataExt},
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use rustix::process::{Signal, geteuid};
use windlass_core::{ids::LoopId, process::Survivor};

use super::{
    linux::{self, Process},
    marked::end_found,
    parts,
};

/// How long a guardian whose owner is gone has to end everything by itself.
const PATIENCE: Duration = Duration::from_secs(10);
/// How often one that is stopped again is woken again.
const MOST_WAKES: u32 = 100;
const LOOK: Duration = Duration::from_millis(10);

/// A loop that this process is part of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Around {
    /// The loop.
    pub loop_id: LoopId,
    /// The home that it lives in.
    pub home: PathBuf,
}

impl Around {
    /// What the command line of a guardian says; `None` for any other process, and for a guardian
    /// that serves no loop.
    fn read(pid: i32) -> Option<Self> {
        let [_, part, loop_id, home] = <[Vec<u8>; 4]>::try_from(linux::arguments(pid)).ok()?;
        if part != parts::GUARDIAN.as_bytes() || loop_id.is_empty() {
            return None;
        }
        let loop_id = LoopId::from(String::from_utf8(loop_id).ok()?);
        Some(Self { loop_id, home: PathBuf::from(OsString::from_vec(home)) })
    }

    /// Whether that is the home of the loop, by whichever path it is reached.
    pub fn lives_in(&self, home: &Path) -> bool {
        let place = |path: &Path| fs::metadata(path).map(|found| (found.dev(), found.ino())).ok();
        self.home == home || place(&self.home).is_some_and(|there| place(home) == Some(there))
    }
}

/// The loops whose guardians are among the ancestors of this process, the nearest first.
pub fn loops_around() -> Vec<Around> {
    linux::ancestors().into_iter().filter_map(Around::read).collect()
}

/// The loops of a home that a guardian is there for.
pub fn guarded_loops(home: &Path) -> Vec<LoopId> {
    let found = linux::everyone().into_iter().filter_map(Around::read);
    found.filter(|around| around.lives_in(home)).map(|around| around.loop_id).collect()
}

/// Sees the guardians of a loop off whose owner is gone; gives what could not be ended.
///
/// One that is stopped is woken, for nobody knows better what the loop has started. One that does
/// not get to its end, for it is stopped again and again, is ended from outside, after all below it.
pub fn end_guardians(home: &Path, loop_id: &LoopId) -> Vec<Survivor> {
    let begun = Instant::now();
    let mut wakes = 0;
    while begun.elapsed() < PATIENCE && wakes < MOST_WAKES {
        let guardians = of_loop(home, loop_id);
        if guardians.is_empty() {
            return Vec::new();
        }
        wakes += wake(&guardians);
        thread::sleep(LOOK);
    }
    let below = &mut |met: &mut dyn FnMut(&Process)| {
        let guardians = of_loop(home, loop_id);
        // While it is stopped it reaps nobody and starts nobody.
        guardians.iter().for_each(|guardian| guardian.signal(Signal::STOP));
        let own: Vec<i32> = guardians.iter().map(|guardian| guardian.pid).collect();
        let is_below = |process: &Process| !own.contains(&process.pid);
        let mut found = linux::with_descendants(guardians, &mut |process| {
            if is_below(process) {
                met(process);
            }
        });
        found.retain(is_below);
        found
    };
    let survivors = end_found(Duration::ZERO, below).survivors;
    of_loop(home, loop_id).iter().for_each(|guardian| guardian.signal(Signal::KILL));
    survivors
}

/// Wakes the guardians of a loop that are stopped.
pub fn wake_guardians(home: &Path, loop_id: &LoopId) {
    wake(&of_loop(home, loop_id));
}

fn wake(guardians: &[Process]) -> u32 {
    let stopped = guardians.iter().filter(|guardian| guardian.is_stopped());
    stopped.map(|guardian| guardian.signal(Signal::CONT)).map(|()| 1).sum()
}

fn of_loop(home: &Path, loop_id: &LoopId) -> Vec<Process> {
    let user = geteuid().as_raw();
    let is_it = |pid: i32| {
        Around::read(pid).is_some_and(|it| it.loop_id == *loop_id && it.lives_in(home))
            && linux::user(pid) == Some(user)
    };
    let found = linux::everyone().into_iter().filter(|pid| is_it(*pid));
    // Looked at once more behind the handle.
    found.filter_map(|pid| Process::open(pid, |_| is_it(pid))).collect()
}
