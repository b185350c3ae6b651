//! Who runs a loop: one process a loop, one loop a work tree.
//!
//! The locks are files, held by the process that runs the loop *and* by its guardian, so that they
//! are free only when the last descendant is gone. A process is known by its number, its start
//! time and the boot, so that a number that was given out again is not taken for the old one.

mod bell;
mod lock;

use std::{fs, process, sync::OnceLock, time::Duration};

use rustix::{
    param::clock_ticks_per_second,
    process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal},
};
use serde::{Deserialize, Serialize};

pub use bell::{Doorbell, remove_doorbell, ring};
pub use lock::{Holder, Lock, LockError, LockKey};

use crate::clock;

/// One process, told apart from a later one with the same number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Owner {
    /// Its number.
    pub pid: i32,
    /// When it started, in clock ticks since boot.
    pub started: u64,
    /// The boot.
    pub boot: String,
}

impl Owner {
    /// The process that asks.
    pub fn this_process() -> Self {
        Self::of(i32::try_from(process::id()).unwrap_or(i32::MAX))
    }

    /// The process that has this number now.
    pub(crate) fn of(pid: i32) -> Self {
        let started = look(pid).map_or(0, |seen| seen.started);
        Self { pid, started, boot: boot() }
    }

    /// Whether it still runs. One that has ended and was not yet waited for does not.
    pub fn is_alive(&self) -> bool {
        self.seen().is_some_and(|seen| !matches!(seen.state, 'Z' | 'X' | 'x'))
    }

    /// Whether it is there and stopped, by Ctrl-Z or SIGSTOP, so that it cannot answer.
    pub fn is_stopped(&self) -> bool {
        self.seen().is_some_and(|seen| matches!(seen.state, 'T' | 't'))
    }

    /// Wakes it where it is stopped, so that it can answer.
    pub fn wake(&self) {
        self.signal(Signal::CONT);
    }

    /// Asks it to end, by SIGTERM.
    pub fn terminate(&self) {
        self.signal(Signal::TERM);
    }

    /// Kills it.
    pub fn kill(&self) {
        self.signal(Signal::KILL);
    }

    /// Signals it, and nobody else: the handle is taken first, and then it is made sure that it is
    /// the handle of this very process.
    fn signal(&self, signal: Signal) {
        let Some(pid) = Pid::from_raw(self.pid) else { return };
        if let Ok(handle) = pidfd_open(pid, PidfdFlags::empty())
            && self.is_alive()
        {
            // It may have gone by itself, which is as good.
            let _ = pidfd_send_signal(handle, signal);
        }
    }

    /// How long ago it started, by a clock that nobody sets; `None` for one of an earlier boot.
    pub fn since_start(&self) -> Option<Duration> {
        let started =
            Duration::from_millis(self.started.saturating_mul(1000) / clock_ticks_per_second());
        (self.boot == boot()).then(|| clock::since_boot().saturating_sub(started))
    }

    fn seen(&self) -> Option<Seen> {
        look(self.pid).filter(|seen| seen.started == self.started && self.boot == boot())
    }
}

/// What the kernel tells of a process.
struct Seen {
    state: char,
    started: u64,
}

fn look(pid: i32) -> Option<Seen> {
    read_stat(&fs::read_to_string(format!("/proc/{pid}/stat")).ok()?)
}

/// Reads a line of `/proc/PID/stat`. The program's name is in brackets and may hold anything, so
/// the fields are counted from the last bracket.
fn read_stat(line: &str) -> Option<Seen> {
    let (_, after) = line.rsplit_once(')')?;
    let mut fields = after.split_ascii_whitespace();
    let state = fields.next()?.chars().next()?;
    // The start time is field 22, and the state that was just read is field 3.
    let started = fields.nth(18)?.parse().ok()?;
    Some(Seen { state, started })
}

/// The boot that this process lives in: it does not change while it does.
fn boot() -> String {
    static BOOT: OnceLock<String> = OnceLock::new();
    let read = || {
        let id = fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
        id.trim().to_owned()
    };
    BOOT.get_or_init(read).clone()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_is_known_by_number_start_and_boot() {
        let me = Owner::this_process();
        assert!(me.is_alive());
        assert!(!me.is_stopped());
        assert!(!Owner { started: me.started + 1, ..me.clone() }.is_alive(), "the number again");
        assert!(!Owner { boot: "another".to_owned(), ..me.clone() }.is_alive(), "another boot");
        assert!(!Owner { pid: 0, ..me }.is_alive());
    }

    #[test]
    fn a_name_with_brackets_does_not_shift_the_fields() {
        let line = "42 (a) R (b) T 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 987 20 21";
        let seen = read_stat(line).unwrap();
        assert_eq!((seen.state, seen.started), ('T', 987));
        assert!(read_stat("42 (a) R 1 2").is_none());
    }
}
