//! Runs a rule book over the events of a loop that was recorded: where would it have stopped it? It
//! does no I/O, and cannot know what an agent would have done after the loop's real end.

use crate::{
    event::{Event, EventKind},
    rules::{self, RuleBook, Trip},
};

/// Where rules stop a loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stopped {
    /// After which iteration.
    pub iteration: u32,
    /// The rule that decides.
    pub by: Trip,
    /// All rules that trip there, in the order in which ties are broken.
    pub trips: Vec<Trip>,
}

/// Where the book would have stopped the loop first; `None` where it would not, as far as the
/// events go. Where the loop was stopped there in truth too and somebody took it up again, what
/// came after counts.
pub fn replay(mut book: RuleBook, history: &[Event]) -> Option<Stopped> {
    let mut last = None;
    for (index, event) in history.iter().enumerate() {
        let trips: Vec<Trip> = book.observe(event).into_iter().filter_map(Trip::of).collect();
        match &event.kind {
            EventKind::IterationStarted { .. } => last = None,
            EventKind::IterationFinished(summary) => {
                let Some(by) = rules::deciding(&trips).cloned() else { continue };
                let stopped = Some(Stopped { iteration: summary.iteration, by, trips });
                if went_on(&history[index + 1..]) {
                    return stopped;
                }
                last = stopped;
            }
            _ => (),
        }
    }
    last
}

/// Whether the loop went on without coming to an ending first.
fn went_on(after: &[Event]) -> bool {
    let next = after.iter().find_map(|event| match &event.kind {
        EventKind::IterationStarted { .. } => Some(true),
        EventKind::LoopFinished { .. } => Some(false),
        _ => None,
    });
    next.unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        ending::Ending,
        event::ClaimFate,
        options::{Protocol, Rules},
        rules::testing::{event, iteration},
    };

    /// Failing iterations from one number to another, and how the loop ended after them.
    fn failing(numbers: std::ops::RangeInclusive<u32>) -> Vec<Event> {
        let mut events: Vec<Event> = numbers
            .flat_map(|number| {
                let started = event(EventKind::IterationStarted { iteration: number });
                [started, iteration(number, ClaimFate::None, Some("exited with code 1"))]
            })
            .collect();
        let ending = Ending::agent_failed(String::new());
        events.push(event(EventKind::LoopFinished { ending }));
        events
    }

    fn stop(failure_threshold: u32, history: &[Event]) -> Option<u32> {
        let limits = Rules { failure_threshold, ..Rules::default() };
        let stopped = replay(RuleBook::new(&limits, Protocol::Promise), history);
        stopped.map(|stopped| stopped.iteration)
    }

    #[test]
    fn other_thresholds_stop_earlier_or_not_at_all() {
        let history = failing(1..=5);
        assert_eq!(stop(5, &history), Some(5));
        assert_eq!(stop(3, &history), Some(3));
        assert_eq!(stop(6, &history), None);
    }

    #[test]
    fn what_came_after_a_reset_counts_where_the_loop_had_really_stopped() {
        let mut history = failing(1..=5);
        history.push(event(EventKind::LoopResumed {
            epoch: 2,
            max_iterations: 20,
            start: None,
            accepting: false,
        }));
        history.push(event(EventKind::CircuitReset));
        history.extend(failing(6..=8));
        assert_eq!(stop(5, &history), None);
        assert_eq!(stop(4, &history), Some(4));
        history.extend(failing(9..=10));
        assert_eq!(stop(5, &history), Some(10));
    }
}
