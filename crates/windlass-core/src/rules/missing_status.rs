//! `missing-status`: the agent was taught the status block, and left none for several iterations in a row
//! in which no check got better. Failed sessions do not count.

use super::{Judgement, Rule, RuleFacts, iterations_running, judge};
use crate::{event::IterationSummary, options::Protocol, progress::Moved};

/// The rule's name.
pub(super) const NAME: &str = "missing-status";

/// What there is to know about it.
pub(super) const FACTS: RuleFacts = RuleFacts {
    name: NAME,
    option: Some("stagnation_threshold"),
    spared_by: "a status block, or a check that gets better",
};

#[derive(Clone)]
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

    fn judge(&mut self, summary: &IterationSummary, moved: &Moved) -> Judgement {
        if summary.evidence.status.is_some() || moved.is_confirmed() {
            self.running = 0;
        } else if summary.failure.is_none() {
            self.running += 1;
            return judge(self.running, self.limit, || {
                format!("the agent left no status block in {}", iterations_running(self.running))
            });
        }
        Judgement::Fine
    }

    fn reset(&mut self) {
        self.running = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::testing::{Alone, again, failed, failing_check, finished, reset, trips},
        *,
    };
    use crate::event::Event;
    use crate::status::StatusBlock;

    fn without() -> Event {
        finished(|_| ())
    }

    #[test]
    fn so_many_iterations_without_a_block_trip_and_failed_ones_do_not_count() {
        let mut rule = Alone::new(MissingStatus::new(3, Protocol::Status));
        assert!(matches!(again(&mut rule, 2, &without()), Judgement::Near(_)));
        assert_eq!(again(&mut rule, 5, &failed()), Judgement::Fine);
        insta::assert_snapshot!(trips(&rule.observe(&without())), @"the agent left no status block in 3 iterations in a row");
    }

    #[test]
    fn a_block_and_a_reset_start_the_count_again() {
        let mut rule = Alone::new(MissingStatus::new(3, Protocol::Status));
        let with = finished(|s| s.evidence.status = Some(StatusBlock::default()));
        for between in [with, reset()] {
            assert!(matches!(again(&mut rule, 2, &without()), Judgement::Near(_)));
            assert_eq!(rule.observe(&between), Judgement::Fine);
        }
    }

    #[test]
    fn an_agent_that_was_not_taught_the_block_need_not_leave_one() {
        let mut rule = Alone::new(MissingStatus::new(3, Protocol::Promise));
        assert_eq!(again(&mut rule, 9, &without()), Judgement::Fine);
    }

    #[test]
    fn an_agent_that_works_without_a_block_is_left_alone() {
        let mut rule = Alone::new(MissingStatus::new(3, Protocol::Status));
        for left in (0..9).rev() {
            let judgement = rule.observe(&finished(|summary| {
                summary.evidence.checks = failing_check("x");
                summary.evidence.checks[0].failing = Some(left);
            }));
            assert!(!matches!(judgement, Judgement::Trip(_)), "{left}");
        }
    }
}
