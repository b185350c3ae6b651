//! Ends processes by their marker alone, for when no guardian is there to ask.

use std::{
    collections::BTreeSet,
    thread,
    time::{Duration, Instant},
};

use rustix::process::Signal;
use windlass_core::ids::LoopId;

use super::linux;

/// How long after KILL a process may resist before it is given up.
const GIVE_UP: Duration = Duration::from_secs(10);
const LOOK: Duration = Duration::from_millis(5);

/// Ends every process of this user that carries the marker of a loop, and says how many resisted.
///
/// This process and its ancestors are spared: `windlass cancel` may be run by the very agent that
/// it cancels. It blocks for at most `grace` and ten seconds.
pub fn end_marked(loop_id: &LoopId, grace: Duration) -> u32 {
    end_marked_with(&format!("WINDLASS_LOOP={loop_id}"), grace)
}

/// The same for any marker `NAME=value`.
pub(super) fn end_marked_with(marker: &str, grace: Duration) -> u32 {
    let begun = Instant::now();
    let mut asked = BTreeSet::new();
    let mut empty_looks = 0;
    loop {
        let found = linux::all_marked(marker.as_bytes());
        if found.is_empty() {
            empty_looks += 1;
            // A process in the middle of `exec` may hide from one look.
            if empty_looks == 2 {
                return 0;
            }
        } else {
            empty_looks = 0;
        }
        let waited = begun.elapsed();
        if waited > grace + GIVE_UP {
            return u32::try_from(found.len()).unwrap_or(u32::MAX);
        }
        if waited < grace {
            for process in &found {
                if asked.insert((process.pid, process.started)) {
                    process.signal(Signal::TERM);
                    process.signal(Signal::CONT);
                }
            }
        } else {
            // All are stopped first, so that nobody forks away from the KILL.
            found.iter().for_each(|process| process.signal(Signal::STOP));
            found.iter().for_each(|process| process.signal(Signal::KILL));
        }
        thread::sleep(LOOK);
    }
}
