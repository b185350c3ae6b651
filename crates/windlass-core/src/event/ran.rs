//! How long a loop has been run, as its events tell it.

use super::{Event, EventKind};
use crate::time::{Timestamp, millis};

/// How long a loop has been run: the time that its events measured, over all its runs. Where they have
/// measured none, as those of earlier versions, their wall-clock times are what there is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ran {
    ms: u64,
    /// When the last event came while the loop ran.
    last: Option<Timestamp>,
    /// Whether an event had a measure.
    is_measured: bool,
}

impl Ran {
    /// A loop that was run for so long, and whose last event came then; `None` where it is not run.
    pub fn so_far(ms: u64, last: Option<Timestamp>) -> Self {
        Self { ms, last, is_measured: false }
    }

    /// In milliseconds.
    pub fn ms(self) -> u64 {
        self.ms
    }

    /// Takes one more event in.
    pub fn pass(&mut self, event: &Event) {
        match event.ran_ms {
            Some(ran) => {
                self.ms = self.ms.max(ran);
                self.is_measured = true;
            }
            // What agents said comes back without a measure; the next event has one.
            None if self.is_measured && matches!(event.kind, EventKind::AgentSaid { .. }) => return,
            None => self.ms = self.ms.saturating_add(self.since_last(event)),
        }
        let is_over = matches!(event.kind, EventKind::LoopFinished { .. });
        self.last = (!is_over).then_some(event.at);
    }

    /// The time since the last event, unless nobody ran the loop in between.
    fn since_last(&self, event: &Event) -> u64 {
        let nobody_ran = matches!(
            event.kind,
            EventKind::LoopResumed { .. } | EventKind::CircuitReset | EventKind::RolledBack { .. }
        );
        let last = self.last.filter(|_| !nobody_ran);
        last.map_or(0, |last| millis(event.at.since(last)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ending::Ending, ids::LoopId};

    fn event(at: i64, ran_ms: Option<u64>, kind: EventKind) -> Event {
        let (at, loop_id) = (Timestamp(at), LoopId::from("l".to_owned()));
        Event { seq: 1, at, ran_ms, loop_id, kind }
    }

    fn note() -> EventKind {
        EventKind::Noted { text: String::new() }
    }

    #[test]
    fn a_wall_clock_that_jumps_does_not_count() {
        let mut ran = Ran::default();
        for (at, measured) in [(1_000, 0), (26_000_000_000_000, 500), (-5_000, 900)] {
            ran.pass(&event(at, Some(measured), note()));
        }
        assert_eq!(ran.ms(), 900);
    }

    #[test]
    fn events_of_earlier_versions_count_by_their_times_and_newer_ones_go_on_from_there() {
        let mut ran = Ran::default();
        ran.pass(&event(0, None, note()));
        ran.pass(&event(700, None, note()));
        let ending = Ending::MaxIterations { limit: 1, left: None };
        ran.pass(&event(1000, None, EventKind::LoopFinished { ending }));
        let resumed =
            EventKind::LoopResumed { epoch: 2, max_iterations: 1, start: None, accepting: false };
        ran.pass(&event(900_000, Some(1000), resumed));
        ran.pass(&event(900_300, Some(1300), note()));
        assert_eq!(ran.ms(), 1300);
    }
}
