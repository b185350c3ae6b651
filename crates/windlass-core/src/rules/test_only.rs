//! `test-only`: several iterations in a row were nothing but testing, as the agent itself says, and no
//! check got better.

use super::{Judgement, Rule, RuleFacts, iterations_running, judge};
use crate::{event::IterationSummary, progress::Moved};

/// The rule's name.
pub(super) const NAME: &str = "test-only";

/// What there is to know about it.
pub(super) const FACTS: RuleFacts = RuleFacts {
    name: NAME,
    option: Some("max_test_loops"),
    spared_by: "a status block with other work in it, or a check that gets better",
};

const TESTING: &str = "TESTING";

#[derive(Clone)]
pub(super) struct TestOnly {
    limit: u32,
    running: u32,
}

impl TestOnly {
    pub(super) fn new(limit: u32) -> Self {
        Self { limit, running: 0 }
    }
}

impl Rule for TestOnly {
    fn name(&self) -> &'static str {
        NAME
    }

    fn judge(&mut self, summary: &IterationSummary, moved: &Moved) -> Judgement {
        let status = summary.evidence.status.as_ref();
        let work = status.and_then(|block| block.work_type.as_deref());
        // Tests that make the checks better are work.
        let is_testing = work == Some(TESTING) && !moved.is_confirmed();
        self.running = if is_testing { self.running + 1 } else { 0 };
        judge(self.running, self.limit, || {
            format!("the agent did nothing but test in {}", iterations_running(self.running))
        })
    }

    fn reset(&mut self) {
        self.running = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::testing::{Alone, again, failing_check, finished, reset, trips},
        *,
    };
    use crate::event::Event;
    use crate::status::StatusBlock;

    fn work(kind: &str) -> Event {
        finished(|summary| {
            let work_type = Some(kind.to_owned());
            summary.evidence.status = Some(StatusBlock { work_type, ..StatusBlock::default() });
        })
    }

    #[test]
    fn so_many_iterations_of_testing_trip() {
        let mut rule = Alone::new(TestOnly::new(3));
        assert!(matches!(again(&mut rule, 2, &work("TESTING")), Judgement::Near(_)));
        insta::assert_snapshot!(trips(&rule.observe(&work("TESTING"))), @"the agent did nothing but test in 3 iterations in a row");
    }

    #[test]
    fn other_work_no_block_and_a_reset_start_the_count_again() {
        let mut rule = Alone::new(TestOnly::new(3));
        for between in [work("IMPLEMENTATION"), finished(|_| ()), reset()] {
            assert!(matches!(again(&mut rule, 2, &work("TESTING")), Judgement::Near(_)));
            assert_eq!(rule.observe(&between), Judgement::Fine);
        }
        assert_eq!(again(&mut Alone::new(TestOnly::new(0)), 9, &work("TESTING")), Judgement::Fine);
    }

    #[test]
    fn an_agent_that_writes_tests_is_left_alone() {
        let mut rule = Alone::new(TestOnly::new(3));
        for left in (0..9).rev() {
            let judgement = rule.observe(&finished(|summary| {
                summary.evidence.status = Some(StatusBlock {
                    work_type: Some(TESTING.to_owned()),
                    ..StatusBlock::default()
                });
                summary.evidence.checks = failing_check("x");
                summary.evidence.checks[0].failing = Some(left);
            }));
            assert!(!matches!(judgement, Judgement::Trip(_)), "{left}");
        }
    }
}
