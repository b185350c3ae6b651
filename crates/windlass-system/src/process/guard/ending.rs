//! Ends a tree of processes: TERM, a grace, KILL, and a look whether it is really gone.
//!
//! Each step looks at the tree anew, so what is forked meanwhile is met by the next one.

use std::{
    os::fd::OwnedFd,
    time::{Duration, Instant},
};

use rustix::process::{Signal, kill_process_group};

use super::Guard;
use crate::process::linux::Process;

/// How long after KILL a process may resist before it is given up.
const GIVE_UP: Duration = Duration::from_secs(10);
/// How often the tree is looked at while nothing in it ends.
const LOOK: Duration = Duration::from_millis(25);
/// Between the first look that finds nothing and the second.
const SURE: Duration = Duration::from_millis(1);
/// How often at most a tree that forks is stopped before it is killed.
const MOST_STOPS: u32 = 50;

/// What is ended.
#[derive(Clone, Copy)]
pub(super) enum Scope {
    /// One session; `orphans` when its leader has ended before.
    Session { orphans: bool },
    /// Everything of the loop, wherever it runs.
    All,
}

/// One tree on its way to its end.
pub(super) struct Ending {
    id: u64,
    scope: Scope,
    kill_at: Instant,
    /// Who was sent TERM. A second one makes some programs drop what they were saving.
    told: Vec<(i32, u64)>,
    names: Vec<String>,
    living: Vec<Process>,
    empty_looks: u32,
}

impl Ending {
    pub(super) fn new(id: u64, scope: Scope, grace: Duration) -> Self {
        let (told, names, living) = (Vec::new(), Vec::new(), Vec::new());
        Self { id, scope, kill_at: kill_at(grace), told, names, living, empty_looks: 0 }
    }

    pub(super) fn id(&self) -> u64 {
        self.id
    }

    /// Shortens the grace.
    pub(super) fn hurry(&mut self, grace: Duration) {
        self.kill_at = self.kill_at.min(kill_at(grace));
    }

    /// Whose end the next step waits for.
    pub(super) fn watched(&self) -> impl Iterator<Item = &OwnedFd> {
        self.living.iter().map(|process| &process.handle)
    }

    /// How long the next step may wait at most.
    pub(super) fn pause(&self) -> Duration {
        if self.living.is_empty() {
            return if self.empty_looks == 0 { Duration::ZERO } else { SURE };
        }
        let now = Instant::now();
        if self.kill_at > now { LOOK.min(self.kill_at - now) } else { LOOK }
    }

    /// Takes the next step; gives the number of survivors and the leftovers' names at the end.
    pub(super) fn step(&mut self, guard: &Guard, now: Instant) -> Option<(u32, Vec<String>)> {
        self.living = self.look(guard);
        if self.living.is_empty() && now < self.kill_at + GIVE_UP {
            self.empty_looks += 1;
            return self.is_sure(guard).then(|| (0, std::mem::take(&mut self.names)));
        }
        self.empty_looks = 0;
        if now < self.kill_at {
            self.terminate(guard);
        } else if now < self.kill_at + GIVE_UP {
            self.kill(guard);
        } else {
            let survivors = u32::try_from(self.living.len()).unwrap_or(u32::MAX);
            return Some((survivors, std::mem::take(&mut self.names)));
        }
        None
    }

    /// Whether a look that found nothing is to be believed. A process that forks or executes just
    /// then can hide from `/proc`; not having any child is beyond doubt.
    fn is_sure(&self, guard: &Guard) -> bool {
        match self.scope {
            Scope::Session { .. } if guard.has_others(self.id) => self.empty_looks >= 2,
            Scope::Session { .. } => guard.childless,
            Scope::All => guard.childless && self.empty_looks >= 2,
        }
    }

    fn look(&self, guard: &Guard) -> Vec<Process> {
        match self.scope {
            Scope::Session { .. } => guard.tree_of(self.id),
            Scope::All => guard.tree_of_all(),
        }
    }

    /// Asks those who were not asked yet, and wakes the stopped ones, so that they can obey.
    fn terminate(&mut self, guard: &Guard) {
        let group = match self.scope {
            Scope::Session { .. } if self.told.is_empty() => guard.leader(self.id),
            Scope::Session { .. } | Scope::All => None,
        };
        let unasked: Vec<_> = self
            .living
            .iter()
            .filter(|process| !self.told.contains(&(process.pid, process.started)))
            .collect();
        for signal in [Signal::TERM, Signal::CONT] {
            if let Some(group) = group {
                let _ = kill_process_group(group, signal);
            }
            unasked
                .iter()
                .filter(|process| !guard.is_holder(process.pid))
                .filter(|process| group.is_none_or(|group| process.group != group.as_raw_pid()))
                .for_each(|process| process.signal(signal));
        }
        let names = unasked.iter().map(|process| process.name()).collect::<Vec<_>>();
        let told = unasked.iter().map(|process| (process.pid, process.started)).collect::<Vec<_>>();
        self.told.extend(told);
        if matches!(self.scope, Scope::Session { orphans: true }) {
            self.names.extend(names);
        }
    }

    /// Stops the whole tree first, so that nobody can fork away from the KILL.
    fn kill(&mut self, guard: &Guard) {
        let mut stopped: Vec<(i32, u64)> = Vec::new();
        for _ in 0..MOST_STOPS {
            let moving: Vec<_> = self
                .living
                .iter()
                .filter(|process| !stopped.contains(&(process.pid, process.started)))
                .collect();
            if moving.is_empty() {
                break;
            }
            moving.iter().for_each(|process| process.signal(Signal::STOP));
            stopped.extend(moving.iter().map(|process| (process.pid, process.started)));
            self.living = self.look(guard);
        }
        if self.told.is_empty() && matches!(self.scope, Scope::Session { orphans: true }) {
            self.names.extend(self.living.iter().map(Process::name));
        }
        self.living.iter().for_each(|process| process.signal(Signal::KILL));
    }
}

fn kill_at(grace: Duration) -> Instant {
    // A grace of centuries is as good as one of a year.
    Instant::now() + grace.min(Duration::from_secs(365 * 24 * 3600))
}
