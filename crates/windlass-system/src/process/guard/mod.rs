//! The guardian's side: the process that is the parent of everything a loop runs.
//!
//! It is small on purpose: one thread, no runtime. It starts what it is told to, reports how that
//! ended, reaps every orphan, and ends all of it when the loop is gone. It decides nothing else.

mod ending;
mod launch;

use std::{
    ffi::OsString,
    os::fd::{AsFd, OwnedFd},
    time::{Duration, Instant},
};

use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    io::Errno,
    net::SendFlags,
    process::{Pid, PidfdFlags, WaitOptions, WaitStatus, pidfd_open, wait},
};

use windlass_core::ids::LoopId;

use self::ending::{Ending, Scope};
use super::{
    linux::{self, Process},
    marked::{GIVE_UP, Marker},
    protocol::{Report, Request},
    unreadable::become_unreadable,
    wire::{Frame, Incoming, Outgoing},
};

/// How long processes have between TERM and KILL once the loop is gone.
const GRACE_OF_THE_LOST: Duration = Duration::from_millis(300);
/// How long a process may resist where one has resisted to the end before.
const GIVE_UP_AGAIN: Duration = Duration::from_secs(1);
/// How often orphans are reaped while nothing else happens.
const HYGIENE: Duration = Duration::from_secs(2);
/// The same after a look that reaped at least `MANY`; one look takes at most `REAPS_FOR`.
const HYGIENE_WHILE_BUSY: Duration = Duration::from_millis(10);
const MANY: u32 = 16;
const REAPS_FOR: Duration = Duration::from_millis(5);

/// Plays the guardian until the loop is gone. The control socket is the standard input; the
/// arguments are the loop's id and the home that it lives in, or empty: they are there to be found
/// by.
pub(super) fn play(arguments: Vec<OsString>) -> i32 {
    become_unreadable();
    let id = arguments.into_iter().next().and_then(|id| id.into_string().ok());
    let loop_id = id.filter(|id| !id.is_empty()).map(LoopId::from);
    let marker = loop_id.map(|id| Marker::Guardian { loop_id: Some(id), pid: std::process::id() });
    let Ok(control) = std::io::stdin().as_fd().try_clone_to_owned() else { return 1 };
    if linux::become_guardian().is_err() {
        return 1;
    }
    Guard { control: Some(control), marker, ..Guard::default() }.run();
    0
}

/// One process that the loop asked for.
struct Session {
    id: u64,
    pid: i32,
    /// `None` once it was reaped.
    handle: Option<OwnedFd>,
    /// Whether it only holds the real program.
    holds_another: bool,
}

#[derive(Default)]
struct Guard {
    /// The socket to the loop; `None` once the loop is gone.
    control: Option<OwnedFd>,
    incoming: Incoming,
    /// What marks all processes of the loop.
    marker: Option<Marker>,
    /// Locks of the loop. They are free only when this process is gone too.
    held: Vec<OwnedFd>,
    sessions: Vec<Session>,
    endings: Vec<Ending>,
    /// Whether this process had no child at all when it last looked.
    childless: bool,
    /// Whether many had ended when it last looked: those that fork and exit all the time would fill
    /// the table of processes.
    busy: bool,
    /// Whether some process could not be ended before: it will not be any easier now.
    given_up: bool,
}

impl Guard {
    fn run(mut self) {
        loop {
            let heard = self.sleep();
            if heard && !self.listen() {
                self.control = None;
                // One ending for all takes the place of those under way.
                self.endings = vec![self.ending(u64::MAX, Scope::All, GRACE_OF_THE_LOST)];
            }
            self.reap();
            self.go_on_ending();
            if self.control.is_none() && self.endings.is_empty() {
                return;
            }
        }
    }

    /// Waits until there is something to do; says whether the loop said something.
    fn sleep(&self) -> bool {
        let mut entries = Vec::with_capacity(1 + self.sessions.len());
        let handles = self.sessions.iter().filter_map(|session| session.handle.as_ref());
        let watched = self.endings.iter().flat_map(Ending::watched);
        for handle in self.control.iter().chain(handles).chain(watched) {
            entries.push(PollFd::new(handle, PollFlags::IN));
        }
        let ending = self.endings.iter().map(Ending::pause).min();
        let hygiene = if self.busy { HYGIENE_WHILE_BUSY } else { HYGIENE };
        let pause = ending.or_else(|| (!self.sessions.is_empty()).then_some(hygiene));
        let timeout = pause.map(|pause| Timespec {
            tv_sec: i64::try_from(pause.as_secs()).unwrap_or(i64::MAX),
            tv_nsec: pause.subsec_nanos().into(),
        });
        let _ = poll(&mut entries, timeout.as_ref());
        self.control.is_some() && !entries[0].revents().is_empty()
    }

    /// Does what the loop says; `false` when the loop is gone.
    fn listen(&mut self) -> bool {
        let Some(control) = &self.control else { return false };
        match self.incoming.receive(control) {
            Ok(0) => return false,
            Ok(_) | Err(Errno::INTR | Errno::AGAIN) => {}
            Err(_) => return false,
        }
        while let Some(frame) = self.incoming.next() {
            let Frame { body, descriptors } = frame;
            match (Request::decode(&body), descriptors) {
                (Some(Request::Hold), Some(descriptors)) => self.held.extend(descriptors),
                (Some(Request::Start { id, launch }), Some(descriptors)) => {
                    let holds_another = launch.holds_another;
                    match launch::start(launch, descriptors) {
                        Ok((pid, handle)) => {
                            let handle = Some(handle);
                            self.sessions.push(Session { id, pid, handle, holds_another });
                        }
                        Err(errno) => self.say(&Report::Failed { id, errno }),
                    }
                }
                (Some(Request::Start { id, .. }), None) => {
                    self.say(&Report::Failed { id, errno: Errno::MFILE.raw_os_error() });
                }
                (Some(Request::End { id, all, grace }), _) => self.end(id, all, grace),
                // Locks that cannot be held, or words of another version: the loop must not go on
                // as if all was well.
                (Some(Request::Hold), None) | (None, _) => return false,
            }
        }
        true
    }

    fn end(&mut self, id: u64, all: bool, grace: Duration) {
        if let Some(ending) = self.endings.iter_mut().find(|ending| ending.id() == id) {
            ending.hurry(grace);
            return;
        }
        let session = self.sessions.iter().find(|session| session.id == id);
        match session {
            _ if all => self.endings.push(self.ending(id, Scope::All, grace)),
            // Only what outlives its session is a leftover with a name to tell.
            Some(session) => {
                let scope = Scope::Session { orphans: session.handle.is_none() };
                self.endings.push(self.ending(id, scope, grace));
            }
            None => self.say(&Report::Ended { id, survivors: Vec::new(), names: Vec::new() }),
        }
    }

    fn ending(&self, id: u64, scope: Scope, grace: Duration) -> Ending {
        match self.given_up {
            true => Ending::new(id, scope, grace.min(GRACE_OF_THE_LOST), GIVE_UP_AGAIN),
            false => Ending::new(id, scope, grace, GIVE_UP),
        }
    }

    /// Reaps whatever has ended, and reports the sessions among it.
    fn reap(&mut self) {
        let mut exited: Vec<(usize, WaitStatus)> = Vec::new();
        let (begun, mut reaped) = (Instant::now(), 0);
        self.childless = loop {
            // Those that end faster than they can be reaped must not keep this process from its work.
            if begun.elapsed() > REAPS_FOR {
                break false;
            }
            match wait(WaitOptions::NOHANG) {
                Ok(Some((pid, status))) => {
                    reaped += 1;
                    let pid = pid.as_raw_pid();
                    let of = |session: &Session| session.pid == pid && session.handle.is_some();
                    if let Some(at) = self.sessions.iter().position(of) {
                        self.sessions[at].handle = None;
                        exited.push((at, status));
                    }
                }
                Ok(None) => break false,
                Err(Errno::INTR) => {}
                Err(_) => break true,
            }
        };
        self.busy = reaped >= MANY;
        let mut over = Vec::new();
        for (at, status) in exited {
            let id = self.sessions[at].id;
            // Orphans come to this process before their parent can be reaped. So where there is no
            // other session, having a child tells all, and no look at `/proc` is needed.
            let alone =
                self.childless || (self.has_others(id) && self.tree_of(id, &mut |_| ()).is_empty());
            let (code, signal) = (status.exit_status(), status.terminating_signal());
            self.say(&Report::Exited { id, code, signal, alone });
            if alone && self.endings.iter().all(|ending| ending.id() != id) {
                over.push(id);
            }
        }
        self.sessions.retain(|session| !over.contains(&session.id));
    }

    fn go_on_ending(&mut self) {
        let now = Instant::now();
        let mut endings = std::mem::take(&mut self.endings);
        endings.retain_mut(|ending| {
            let Some((survivors, names)) = ending.step(self, now) else { return true };
            let id = ending.id();
            self.given_up |= !survivors.is_empty();
            self.sessions.retain(|session| session.id != id || session.handle.is_some());
            self.say(&Report::Ended { id, survivors, names });
            false
        });
        self.endings = endings;
    }

    /// All living processes of a session: those below its leader, and its orphans.
    fn tree_of(&self, id: u64, met: &mut dyn FnMut(&Process)) -> Vec<Process> {
        let marker = format!("{}.{id}", std::process::id());
        // With other sessions at work, "no child is left" does not tell that none was missed.
        let children = match self.has_others(id) {
            true => linux::own_children_for_sure(),
            false => linux::own_children(),
        };
        // The newest first: the others have long ended where children fork and exit all the time.
        let roots = children.into_iter().rev().filter(|pid| {
            match self.sessions.iter().find(|session| session.pid == *pid) {
                Some(session) if session.handle.is_some() => session.id == id,
                _ => self.is_orphan_of(*pid, id, marker.as_bytes()),
            }
        });
        linux::with_descendants(roots.filter_map(Process::child), met)
    }

    /// Whether an orphan belongs to a session: it has its marker, or there is no other to have it.
    fn is_orphan_of(&self, pid: i32, id: u64, marker: &[u8]) -> bool {
        if !self.has_others(id) {
            return true;
        }
        linux::environment_value(pid, b"WINDLASS_SESSION").is_some_and(|value| value == marker)
    }

    fn has_others(&self, id: u64) -> bool {
        self.sessions.iter().any(|session| session.id != id)
    }

    /// All living processes of the loop.
    fn tree_of_all(&self, met: &mut dyn FnMut(&Process)) -> Vec<Process> {
        let children = linux::own_children().into_iter().rev().filter_map(Process::child);
        let marked = self
            .marker
            .iter()
            .flat_map(|marker| linux::all_marked(&|environment| marker.is_in(environment)));
        linux::with_descendants(children.chain(marked), met)
    }

    /// Whether a process is one that only holds the program of a session.
    fn is_holder(&self, pid: i32) -> bool {
        let is_it = |session: &Session| session.pid == pid && session.handle.is_some();
        self.sessions.iter().any(|session| session.holds_another && is_it(session))
    }

    /// The leader of a session, while its number and so that of its group is certainly its own;
    /// `None` where the group has one in it that a TERM is not for.
    fn leader(&self, id: u64) -> Option<Pid> {
        let session = self.sessions.iter().find(|session| session.id == id)?;
        if session.holds_another {
            return None;
        }
        session.handle.as_ref().and_then(|_| Pid::from_raw(session.pid))
    }

    fn say(&self, report: &Report) {
        if let Some(control) = &self.control {
            // A loop that cannot hear any more is noticed by the next look at its socket.
            let _ = Outgoing::new(&report.encode(), Vec::new()).send(control, SendFlags::empty());
        }
    }
}

/// A pidfd for a child that is not reaped yet.
fn open_child(pid: Pid) -> rustix::io::Result<OwnedFd> {
    pidfd_open(pid, PidfdFlags::empty())
}
