//! Ends a tree of processes: TERM, a grace, KILL, and a look whether it is really gone.
//!
//! Each step reads the tree again, so processes that are forked meanwhile are found by the next one.
//! All of it has a time limit: survivors are reported by number and name.

use std::{
    collections::HashSet,
    os::fd::OwnedFd,
    thread,
    time::{Duration, Instant},
};

use rustix::process::{Signal, kill_process_group};
use windlass_core::process::Survivor;

use super::Guard;
use crate::process::linux::{self, Process};

/// How often the tree is looked at while nothing in it ends.
const LOOK: Duration = Duration::from_millis(25);
/// Between the first look that finds nothing and the second; and how long the last KILL may take.
const SURE: Duration = Duration::from_millis(1);
const LAST_BREATH: Duration = Duration::from_millis(50);
/// How many survivors are told at most, and how many leftovers.
const MOST_TOLD: usize = 1000;
const MOST_NAMES: usize = 100;

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
    /// How long after KILL a process may resist.
    give_up: Duration,
    /// Who was sent TERM. A second one makes some programs drop what they were saving.
    told: HashSet<(i32, u64)>,
    names: Vec<String>,
    living: Vec<Process>,
    /// Those that the last look met which met any.
    last_met: Vec<Survivor>,
    empty_looks: u32,
}

impl Ending {
    pub(super) fn new(id: u64, scope: Scope, grace: Duration, give_up: Duration) -> Self {
        Self {
            id,
            scope,
            kill_at: kill_at(grace),
            give_up,
            told: HashSet::new(),
            names: Vec::new(),
            living: Vec::new(),
            last_met: Vec::new(),
            empty_looks: 0,
        }
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

    /// Takes the next step; gives the survivors and the leftovers' names at the end.
    pub(super) fn step(
        &mut self,
        guard: &Guard,
        now: Instant,
    ) -> Option<(Vec<Survivor>, Vec<String>)> {
        if now >= self.kill_at {
            self.kill(guard);
        } else {
            self.living = self.look(guard, &mut |_| ());
            if !self.living.is_empty() {
                self.terminate(guard);
            }
        }
        if self.living.is_empty() {
            self.empty_looks += 1;
            if self.is_sure(guard) {
                return Some((Vec::new(), std::mem::take(&mut self.names)));
            }
        } else {
            self.empty_looks = 0;
        }
        // The clock is read again: a look at thousands takes its time.
        if Instant::now() < self.kill_at + self.give_up {
            return None;
        }
        Some((self.survivors(guard), std::mem::take(&mut self.names)))
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

    fn look(&self, guard: &Guard, met: &mut dyn FnMut(&Process)) -> Vec<Process> {
        match self.scope {
            Scope::Session { .. } => guard.tree_of(self.id, met),
            Scope::All => guard.tree_of_all(met),
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
        let room = MOST_NAMES.saturating_sub(self.names.len());
        let names = unasked.iter().take(room).map(|process| process.name());
        // One that has gone in the meantime has none.
        let names = names.filter(|name| !name.is_empty()).collect::<Vec<_>>();
        let told = unasked.iter().map(|process| (process.pid, process.started)).collect::<Vec<_>>();
        self.told.extend(told);
        if matches!(self.scope, Scope::Session { orphans: true }) {
            self.names.extend(names);
        }
    }

    /// Stops each process as it is met, so that nobody can fork away from the KILL, and kills them.
    /// Those that fork too fast to be met are killed by their groups before, all at once.
    fn kill(&mut self, guard: &Guard) {
        // With other sessions at work, a dead child may be one of theirs.
        if matches!(self.scope, Scope::All) || !guard.has_others(self.id) {
            linux::kill_groups_of_dead_children();
        }
        self.living = self.look(guard, &mut |process| process.signal(Signal::STOP));
        if !self.living.is_empty() {
            self.last_met = self.living.iter().take(MOST_TOLD).map(Process::survivor).collect();
        }
        if self.told.is_empty()
            && self.names.is_empty()
            && matches!(self.scope, Scope::Session { orphans: true })
        {
            self.names.extend(self.living.iter().take(MOST_NAMES).map(Process::name));
        }
        self.living.iter().for_each(|process| process.signal(Signal::KILL));
    }

    /// Who is still there at the end.
    fn survivors(&self, guard: &Guard) -> Vec<Survivor> {
        let before: HashSet<i32> = linux::own_children().into_iter().collect();
        thread::sleep(LAST_BREATH);
        let found = self.look(guard, &mut |_| ());
        if !found.is_empty() {
            return found.iter().take(MOST_TOLD).map(Process::survivor).collect();
        }
        // Those that cannot be caught by a look are there all the same: they leave new dead ones.
        let forks_on = linux::own_children().iter().any(|pid| !before.contains(pid));
        if forks_on { self.last_met.clone() } else { Vec::new() }
    }
}

fn kill_at(grace: Duration) -> Instant {
    // A grace of centuries is as good as one of a year.
    Instant::now() + grace.min(Duration::from_secs(365 * 24 * 3600))
}
