//! `missing-status`: the agent was taught the status block, and so many iterations running it left
//! none. Sessions that failed do not count.

use super::{Judgement, Rule, iterations_running, judge};
use crate::{
    event::{Event, EventKind},
    options::Protocol,
};

/// The rule's name.
pub(super) const NAME: &str = "missing-status";

pub(super) struct MissingStatus {
    limit: u32,
    running: u32,
}

impl MissingStatus {
    pub(super) fn new(limit: u32, protocol: Protocol) -> Self {
        let limit = if protocol == Protocol::Status { limit } else { 0 };
        Self { limit, running: 0 }
    }
}

impl Rule for MissingStatus {
    fn name(&self) -> &'static str {
        NAME
    }

    fn observe(&mut self, event: &Event) -> Judgement {
        match &event.kind {
            EventKind::IterationFinished(summary) if summary.evidence.status.is_some() => {
                self.running = 0;
                Judgement::Fine
            }
            EventKind::IterationFinished(summary) if summary.failure.is_none() => {
                self.running += 1;
                judge(self.running, self.limit, || {
                    format!(
                        "the agent left no status block in {}",
                        iterations_running(self.running)
                    )
                })
            }
            EventKind::CircuitReset => {
                self.running = 0;
                Judgement::Fine
            }
            _ => Judgement::Fine,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::testing::{again, failed, finished, reset, trips},
        *,
    };
    use crate::status::StatusBlock;

    fn without() -> Event {
        finished(|_| ())
    }

    #[test]
    fn so_many_iterations_without_a_block_trip_and_failed_ones_do_not_count() {
        let mut rule = MissingStatus::new(3, Protocol::Status);
        assert!(matches!(again(&mut rule, 2, &without()), Judgement::Near(_)));
        assert_eq!(again(&mut rule, 5, &failed()), Judgement::Fine);
        insta::assert_snapshot!(trips(&rule.observe(&without())), @"the agent left no status block in 3 iterations in a row");
    }

    #[test]
    fn a_block_and_a_reset_start_the_count_again() {
        let mut rule = MissingStatus::new(3, Protocol::Status);
        let with = finished(|s| s.evidence.status = Some(StatusBlock::default()));
        for between in [with, reset()] {
            assert!(matches!(again(&mut rule, 2, &without()), Judgement::Near(_)));
            assert_eq!(rule.observe(&between), Judgement::Fine);
        }
    }

    #[test]
    fn an_agent_that_was_not_taught_the_block_need_not_leave_one() {
        let mut rule = MissingStatus::new(3, Protocol::Promise);
        assert_eq!(again(&mut rule, 9, &without()), Judgement::Fine);
    }
}
