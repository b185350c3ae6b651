//! Ends processes without the help of a guardian: those that carry a marker, or that `/proc` shows
//! below one that is known.

use std::{
    collections::HashSet,
    thread,
    time::{Duration, Instant},
};

use rustix::process::Signal;
use windlass_core::{ids::LoopId, process::Survivor};

use super::linux::{self, Process};

/// How long after KILL a process may resist before it is given up.
pub(super) const GIVE_UP: Duration = Duration::from_secs(8);
const LOOK: Duration = Duration::from_millis(5);

/// What marks the processes of a loop, or of a part of it. The variables are inherited by whatever
/// an agent starts; one that drops them is found by descent only.
#[derive(Clone, Debug)]
pub(super) enum Marker {
    /// All of a loop.
    Loop(LoopId),
    /// All of a loop but what another guardian has started: that of an owner who has taken over.
    Guardian { loop_id: Option<LoopId>, pid: u32 },
    /// One session of a guardian.
    Session { pid: u32, id: u64 },
}

impl Marker {
    /// Whether an environment has it.
    pub(super) fn is_in(&self, environment: &[u8]) -> bool {
        let value = |key: &[u8]| {
            let mut entries = environment.split(|byte| *byte == 0);
            entries.find_map(|entry| entry.strip_prefix(key)?.strip_prefix(b"="))
        };
        let of_loop = |id: &LoopId| value(b"WINDLASS_LOOP") == Some(id.as_str().as_bytes());
        let session = value(b"WINDLASS_SESSION");
        match self {
            Self::Loop(id) => of_loop(id),
            Self::Guardian { loop_id, pid } => {
                let mine = format!("{pid}.");
                let is_mine = session.map(|session| session.starts_with(mine.as_bytes()));
                match loop_id {
                    Some(id) => of_loop(id) && is_mine != Some(false),
                    None => is_mine == Some(true),
                }
            }
            Self::Session { pid, id } => {
                session.is_some_and(|session| session == format!("{pid}.{id}").as_bytes())
            }
        }
    }
}

/// Ends every process of this user that carries the marker of a loop, with all below them; gives
/// those that resisted.
///
/// This process and its ancestors are spared. It blocks for at most `grace` and some eight seconds.
pub fn end_marked(loop_id: &LoopId, grace: Duration) -> Vec<Survivor> {
    let marker = Marker::Loop(loop_id.clone());
    end_found(grace, &mut |met| with_marked(&marker, Vec::new(), met)).survivors
}

/// `roots`, what is marked, and everything below them; never this process or an ancestor.
pub(super) fn with_marked(
    marker: &Marker,
    roots: Vec<Process>,
    met: &mut dyn FnMut(&Process),
) -> Vec<Process> {
    let marked = linux::all_marked(&|environment| marker.is_in(environment));
    let chain = linux::ancestors();
    let mut found = linux::with_descendants(roots.into_iter().chain(marked), &mut |process| {
        if !chain.contains(&process.pid) {
            met(process);
        }
    });
    found.retain(|process| !chain.contains(&process.pid));
    found
}

/// What came of it.
#[derive(Debug, Default)]
pub(super) struct Ended {
    /// How many were met.
    pub(super) met: usize,
    pub(super) survivors: Vec<Survivor>,
}

/// Looks for processes: shows each to the one who asks, as soon as it is found, and gives all.
pub(super) type Look<'a> = dyn FnMut(&mut dyn FnMut(&Process)) -> Vec<Process> + 'a;

/// Ends whatever `look` finds: TERM, the grace, then KILL, until two looks find nothing.
pub(super) fn end_found(grace: Duration, look: &mut Look<'_>) -> Ended {
    let begun = Instant::now();
    let mut met = HashSet::new();
    let mut empty_looks = 0;
    loop {
        let waited = begun.elapsed();
        let kill = waited >= grace;
        // All are stopped as they are met, so that nobody forks away from the KILL.
        let found = look(&mut |process| {
            let is_new = met.insert((process.pid, process.started));
            if kill {
                process.signal(Signal::STOP);
            } else if is_new {
                process.signal(Signal::TERM);
                process.signal(Signal::CONT);
            }
        });
        if kill {
            found.iter().for_each(|process| process.signal(Signal::KILL));
        }
        if found.is_empty() {
            empty_looks += 1;
            // A process in the middle of `exec` may hide from one look.
            if empty_looks == 2 {
                return Ended { met: met.len(), survivors: Vec::new() };
            }
        } else {
            empty_looks = 0;
        }
        if waited > grace + GIVE_UP {
            let survivors = found.iter().map(Process::survivor).collect();
            return Ended { met: met.len(), survivors };
        }
        thread::sleep(LOOK);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_marker_is_a_whole_entry() {
        let id = LoopId::from("0123456789abcdef".to_owned());
        let environment = b"A=b\0WINDLASS_LOOP=0123456789abcdef\0WINDLASS_SESSION=42.7\0";
        assert!(Marker::Loop(id.clone()).is_in(environment));
        assert!(!Marker::Loop(LoopId::from("0123".to_owned())).is_in(environment));
        assert!(Marker::Session { pid: 42, id: 7 }.is_in(environment));
        assert!(!Marker::Session { pid: 42, id: 70 }.is_in(environment));
        assert!(!Marker::Session { pid: 4, id: 7 }.is_in(environment));
        assert!(Marker::Guardian { loop_id: Some(id.clone()), pid: 42 }.is_in(environment));
        let taken_over = Marker::Guardian { loop_id: Some(id), pid: 41 };
        assert!(!taken_over.is_in(environment), "that is another owner's");
        assert!(taken_over.is_in(b"WINDLASS_LOOP=0123456789abcdef\0"));
        assert!(!Marker::Guardian { loop_id: None, pid: 4 }.is_in(environment));
        let other = Some(LoopId::from("another".to_owned()));
        assert!(!Marker::Guardian { loop_id: other, pid: 42 }.is_in(environment));
    }
}
