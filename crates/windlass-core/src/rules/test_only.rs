//! `test-only`: so many iterations running were nothing but testing, as the agent itself says.

use super::{Judgement, Rule, iterations_running, judge};
use crate::event::{Event, EventKind};

/// The rule's name.
pub(super) const NAME: &str = "test-only";

const TESTING: &str = "TESTING";

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

    fn observe(&mut self, event: &Event) -> Judgement {
        match &event.kind {
            EventKind::IterationFinished(summary) => {
                let status = summary.evidence.status.as_ref();
                let work = status.and_then(|block| block.work_type.as_deref());
                self.running = if work == Some(TESTING) { self.running + 1 } else { 0 };
                judge(self.running, self.limit, || {
                    format!(
                        "the agent did nothing but test in {}",
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
        super::testing::{again, finished, reset, trips},
        *,
    };
    use crate::status::StatusBlock;

    fn work(kind: &str) -> Event {
        finished(|summary| {
            let work_type = Some(kind.to_owned());
            summary.evidence.status = Some(StatusBlock { work_type, ..StatusBlock::default() });
        })
    }

    #[test]
    fn so_many_iterations_of_testing_trip() {
        let mut rule = TestOnly::new(3);
        assert!(matches!(again(&mut rule, 2, &work("TESTING")), Judgement::Near(_)));
        insta::assert_snapshot!(trips(&rule.observe(&work("TESTING"))), @"the agent did nothing but test in 3 iterations in a row");
    }

    #[test]
    fn other_work_no_block_and_a_reset_start_the_count_again() {
        let mut rule = TestOnly::new(3);
        for between in [work("IMPLEMENTATION"), finished(|_| ()), reset()] {
            assert!(matches!(again(&mut rule, 2, &work("TESTING")), Judgement::Near(_)));
            assert_eq!(rule.observe(&between), Judgement::Fine);
        }
        assert_eq!(again(&mut TestOnly::new(0), 9, &work("TESTING")), Judgement::Fine);
    }
}
