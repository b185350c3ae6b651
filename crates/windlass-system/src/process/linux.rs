//! What only Linux has: pidfds, sub-reapers and `/proc`. Another Unix would get a file like it.
//!
//! A process is signalled through a [`Process`] only, which is made in an order that leaves no
//! room for a reused number: open the pidfd, then look at who it is. If the number went to another
//! process in between, the pidfd points to a dead one, and a signal through it goes nowhere.

use std::{
    collections::HashSet,
    fs,
    os::{
        fd::{AsRawFd, OwnedFd},
        unix::fs::MetadataExt,
    },
    path::Path,
    thread,
    time::Duration,
};

use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    process::{
        Pid, PidfdFlags, Signal, WaitId, WaitIdOptions, getpgid, getpgrp, getpid, getsid,
        kill_process_group, pidfd_open, pidfd_send_signal, waitid,
    },
};
use windlass_core::process::Survivor;

/// The running program, even when its file was replaced since.
pub(super) const THIS_PROGRAM: &str = "/proc/self/exe";

/// So many milliseconds a process may take to become another program.
const MOMENTS: u32 = 20;

/// Makes this process one that orphans come to, out of reach of the terminal's signals.
pub(super) fn become_guardian() -> rustix::io::Result<()> {
    // Fails for a group's leader only, which a fresh child is not.
    let _ = rustix::process::setsid();
    let _ = rustix::thread::set_name(c"windlass-guard");
    rustix::process::set_child_subreaper(Some(getpid()))
}

/// A living process that windlass started, or one of its descendants.
pub(super) struct Process {
    pub(super) pid: i32,
    pub(super) group: i32,
    /// When it began, in ticks since boot: tells it from a later one with its number.
    pub(super) started: u64,
    pub(super) handle: OwnedFd,
}

impl Process {
    /// The process, if it lives and `is_ours` recognises it behind its handle.
    pub(super) fn open(pid: i32, is_ours: impl FnOnce(&Stat) -> bool) -> Option<Self> {
        let handle = pidfd_open(Pid::from_raw(pid)?, PidfdFlags::empty()).ok()?;
        let stat = Stat::read(pid)?;
        let process = Self { pid, group: stat.group, started: stat.started, handle };
        (is_ours(&stat) && process.is_alive()).then_some(process)
    }

    /// A child of this process.
    pub(super) fn child(pid: i32) -> Option<Self> {
        if Pid::from_raw(pid).is_some_and(is_dead_child) {
            return None;
        }
        let me = getpid().as_raw_pid();
        Self::open(pid, |stat| stat.parent == me)
    }

    /// A process of this user whose environment `is_marked` recognises.
    pub(super) fn marked(pid: i32, is_marked: &dyn Fn(&[u8]) -> bool) -> Option<Self> {
        let owner = fs::metadata(format!("/proc/{pid}")).ok()?.uid();
        let looks_so = || environment(pid).is_some_and(|environment| is_marked(&environment));
        if owner != rustix::process::geteuid().as_raw() || !looks_so() {
            return None;
        }
        // Looked at once more behind the pidfd.
        Self::open(pid, |_| looks_so())
    }

    /// Its children. They may have become orphans, and so ours, in the meantime.
    fn children(&self) -> Vec<Self> {
        let me = getpid().as_raw_pid();
        let numbers = children(self.pid);
        let opened: Vec<_> = numbers
            .into_iter()
            .filter_map(|pid| Self::open(pid, |stat| [self.pid, me].contains(&stat.parent)))
            .collect();
        // Unless it still has its number, the children may be those of another.
        if self.is_reaped() { Vec::new() } else { opened }
    }

    /// Whether it has not ended. A process with a dead first thread and others alive is alive.
    pub(super) fn is_alive(&self) -> bool {
        let mut entries = [PollFd::new(&self.handle, PollFlags::IN)];
        let now = Timespec { tv_sec: 0, tv_nsec: 0 };
        matches!(poll(&mut entries, Some(&now)), Ok(0) | Err(_))
    }

    fn is_reaped(&self) -> bool {
        // A zombie keeps its number; the pidfd of one that was waited for has -1.
        let path = format!("/proc/self/fdinfo/{}", self.handle.as_raw_fd());
        !fs::read_to_string(path)
            .is_ok_and(|info| info.lines().any(|line| line == format!("Pid:\t{}", self.pid)))
    }

    /// Sends a signal; to one that is gone it does nothing.
    pub(super) fn signal(&self, signal: Signal) {
        let _ = pidfd_send_signal(&self.handle, signal);
    }

    /// Whether it is stopped, so that it does nothing until it is woken.
    pub(super) fn is_stopped(&self) -> bool {
        Stat::read(self.pid)
            .is_some_and(|stat| stat.started == self.started && matches!(stat.state, b'T' | b't'))
    }

    /// What is told of it where it cannot be ended.
    pub(super) fn survivor(&self) -> Survivor {
        Survivor { pid: self.pid, command: self.name() }
    }

    /// The name that `ps` shows.
    pub(super) fn name(&self) -> String {
        let name = fs::read(format!("/proc/{}/comm", self.pid)).unwrap_or_default();
        String::from_utf8_lossy(&name).trim_end().to_owned()
    }
}

/// `roots` and everything below them. Each is shown to `met` as soon as it is found: one that forks
/// all the time is met by a signal then, or not at all.
pub(super) fn with_descendants(
    roots: impl IntoIterator<Item = Process>,
    met: &mut dyn FnMut(&Process),
) -> Vec<Process> {
    let mut found: Vec<Process> = Vec::new();
    let mut known = HashSet::new();
    for root in roots {
        met(&root);
        if known.insert(root.pid) {
            found.push(root);
        }
    }
    let mut next = 0;
    while next < found.len() {
        for child in found[next].children() {
            met(&child);
            if known.insert(child.pid) {
                found.push(child);
            }
        }
        next += 1;
    }
    found
}

/// All processes of this user whose environment `is_marked` recognises, but for this one and its
/// ancestors.
pub(super) fn all_marked(is_marked: &dyn Fn(&[u8]) -> bool) -> Vec<Process> {
    let chain = ancestors();
    everyone()
        .into_iter()
        .filter(|pid| !chain.contains(pid))
        .filter_map(|pid| Process::marked(pid, is_marked))
        .collect()
}

/// Kills every process in the groups of this process's dead children, all of a group at once: nobody
/// in it can fork away.
///
/// A dead child that nobody has waited for keeps the number of its group from being given out again,
/// and this process is the only one that waits for them. In a session that this process has begun,
/// or that a descendant has, there are only descendants.
pub(super) fn kill_groups_of_dead_children() {
    let own = getpgrp();
    // Elsewhere the groups may hold those who started this process.
    if getsid(None).ok() != Some(getpid()) {
        return;
    }
    let mut killed = HashSet::from([own]);
    // The newest first, and each at once: those that are alive are in the groups of these.
    let newest_first = own_children().into_iter().rev().filter_map(Pid::from_raw);
    for group in
        newest_first.filter(|pid| is_dead_child(*pid)).filter_map(|pid| getpgid(Some(pid)).ok())
    {
        if killed.insert(group) {
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
}

/// Whether a child of this process has ended, and nobody has waited for it. This is one call where
/// `/proc` takes ten: among hundreds that fork all the time, this process gets to do very few.
fn is_dead_child(pid: Pid) -> bool {
    let look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    matches!(waitid(WaitId::Pid(pid), look), Ok(Some(_)))
}

/// The environment that a process was started with.
fn environment(pid: i32) -> Option<Vec<u8>> {
    fs::read(format!("/proc/{pid}/environ")).ok()
}

/// The arguments that a process was started with, the program's name first.
pub(super) fn arguments(pid: i32) -> Vec<Vec<u8>> {
    let line = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    let line = line.strip_suffix(&[0]).unwrap_or(&line);
    line.split(|byte| *byte == 0).map(<[u8]>::to_vec).collect()
}

/// The user that a process acts for.
pub(super) fn user(pid: i32) -> Option<u32> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let users = status.lines().find_map(|line| line.strip_prefix("Uid:"))?;
    // The second of four is the one that it acts for.
    users.split_ascii_whitespace().nth(1)?.parse().ok()
}

/// The value of `key` in the environment of `pid`. A process that is just becoming another program
/// shows none at all for a moment, which is waited out.
pub(super) fn environment_value(pid: i32, key: &[u8]) -> Option<Vec<u8>> {
    let path = format!("/proc/{pid}/environ");
    let mut environment = fs::read(&path).ok()?;
    for _ in 0..MOMENTS {
        if !environment.is_empty() {
            break;
        }
        thread::sleep(Duration::from_millis(1));
        environment = fs::read(&path).ok()?;
    }
    environment
        .split(|byte| *byte == 0)
        .find_map(|entry| entry.strip_prefix(key)?.strip_prefix(b"="))
        .map(<[u8]>::to_vec)
}

/// The numbers of this process's children.
pub(super) fn own_children() -> Vec<i32> {
    children(getpid().as_raw_pid())
}

/// The same by a look at every process: slower, and sure to miss none. The kernel's lists may pass
/// over a child while others come and go.
pub(super) fn own_children_for_sure() -> Vec<i32> {
    children_by_scan(getpid().as_raw_pid())
}

/// The numbers of all processes.
pub(super) fn everyone() -> Vec<i32> {
    numbers(Path::new("/proc"))
}

/// This process, its parent and so on, as far as can be seen.
pub(super) fn ancestors() -> Vec<i32> {
    let mut chain = vec![getpid().as_raw_pid()];
    while let Some(parent) = chain.last().and_then(|pid| Stat::read(*pid)).map(|stat| stat.parent) {
        if parent == 0 || chain.contains(&parent) {
            break;
        }
        chain.push(parent);
    }
    chain
}

/// The numbers of the children of `pid`, over all its threads.
fn children(pid: i32) -> Vec<i32> {
    let mut found = Vec::new();
    for thread in numbers(&Path::new("/proc").join(pid.to_string()).join("task")) {
        match fs::read_to_string(format!("/proc/{pid}/task/{thread}/children")) {
            Ok(list) => {
                found.extend(list.split_ascii_whitespace().filter_map(|n| n.parse::<i32>().ok()));
            }
            // The kernel was built without these lists, or the thread is gone.
            Err(_) if fs::exists("/proc/thread-self/children").unwrap_or(false) => {}
            Err(_) => return children_by_scan(pid),
        }
    }
    found
}

fn children_by_scan(parent: i32) -> Vec<i32> {
    everyone()
        .into_iter()
        .filter(|pid| Stat::read(*pid).is_some_and(|stat| stat.parent == parent))
        .collect()
}

/// The entries of a directory whose names are numbers.
fn numbers(directory: &Path) -> Vec<i32> {
    let Ok(entries) = fs::read_dir(directory) else { return Vec::new() };
    entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok()).collect()
}

/// The line of `/proc/PID/stat`, as far as it matters here.
pub(super) struct Stat {
    state: u8,
    pub(super) parent: i32,
    group: i32,
    started: u64,
}

impl Stat {
    fn read(pid: i32) -> Option<Self> {
        Self::parse(&fs::read(format!("/proc/{pid}/stat")).ok()?)
    }

    fn parse(line: &[u8]) -> Option<Self> {
        // The name in parentheses may hold anything, also parentheses.
        let after_name = memchr::memrchr(b')', line)? + 1;
        let line = str::from_utf8(&line[after_name..]).ok()?;
        let mut fields = line.split_ascii_whitespace();
        let state = *fields.next()?.as_bytes().first()?;
        let parent = fields.next()?.parse().ok()?;
        let group = fields.next()?.parse().ok()?;
        let started = fields.nth(16)?.parse().ok()?;
        Some(Self { state, parent, group, started })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_parentheses_does_not_confuse_the_stat_line() {
        let line = b"42 (a) S 1 (b) S 7 8 9 0 -1 0 1 2 3 4 5 6 7 8 20 0 1 0 987654 10 20";
        let stat = Stat::parse(line).unwrap();
        assert_eq!((stat.state, stat.parent, stat.group, stat.started), (b'S', 7, 8, 987_654));
    }

    #[test]
    fn the_own_children_are_found_with_and_without_the_kernels_lists() {
        let mut child = std::process::Command::new("sleep").arg("30").spawn().unwrap();
        let pid = i32::try_from(child.id()).unwrap();
        assert!(own_children().contains(&pid));
        assert!(children_by_scan(getpid().as_raw_pid()).contains(&pid));
        let process = Process::child(pid).unwrap();
        assert!(process.is_alive());
        process.signal(Signal::KILL);
        child.wait().unwrap();
        assert!(!process.is_alive());
        assert!(process.is_reaped());
    }
}
