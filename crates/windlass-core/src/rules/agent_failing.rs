//! `agent-failing`: so many sessions running have failed. The loop ends as `agent_failed`.

use super::{Judgement, Rule, judge, times_running};
use crate::event::{Event, EventKind};

/// The rule's name.
pub const NAME: &str = "agent-failing";

pub(super) struct AgentFailing {
    limit: u32,
    running: u32,
}

impl AgentFailing {
    pub(super) fn new(limit: u32) -> Self {
        Self { limit, running: 0 }
    }
}

impl Rule for AgentFailing {
    fn name(&self) -> &'static str {
        NAME
    }

    fn observe(&mut self, event: &Event) -> Judgement {
        match &event.kind {
            EventKind::IterationFinished(summary) => match &summary.failure {
                Some(failure) if summary.failed_in_vain() => {
                    self.running += 1;
                    self.judge(failure)
                }
                _ => {
                    self.running = 0;
                    Judgement::Fine
                }
            },
            EventKind::CircuitReset => {
                self.running = 0;
                Judgement::Fine
            }
            _ => Judgement::Fine,
        }
    }
}

impl AgentFailing {
    fn judge(&self, failure: &str) -> Judgement {
        judge(self.running, self.limit, || match self.running {
            1 => format!("the agent failed: {failure}"),
            n => format!("the agent failed {}, last: {failure}", times_running(n)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::testing::{event, iteration},
        *,
    };
    use crate::event::ClaimFate;

    fn failed(number: u32) -> Event {
        iteration(number, ClaimFate::None, Some("exited with code 1"))
    }

    #[test]
    fn it_warns_one_short_and_trips_at_the_limit() {
        let mut rule = AgentFailing::new(3);
        assert_eq!(rule.observe(&failed(1)), Judgement::Fine);
        assert!(matches!(rule.observe(&failed(2)), Judgement::Near(_)));
        assert_eq!(
            rule.observe(&failed(3)),
            Judgement::Trip(
                "the agent failed 3 times in a row, last: exited with code 1".to_owned()
            )
        );
    }

    #[test]
    fn a_session_that_finishes_starts_the_count_again() {
        let mut rule = AgentFailing::new(2);
        for number in 1..10 {
            assert!(!matches!(rule.observe(&failed(2 * number)), Judgement::Trip(_)));
            rule.observe(&iteration(2 * number + 1, ClaimFate::None, None));
        }
    }

    #[test]
    fn a_reset_starts_the_count_again_and_a_resume_does_not() {
        let mut rule = AgentFailing::new(2);
        rule.observe(&failed(1));
        rule.observe(&event(EventKind::CircuitReset));
        assert!(matches!(rule.observe(&failed(2)), Judgement::Near(_)));
        rule.observe(&event(EventKind::LoopResumed {
            epoch: 2,
            max_iterations: 9,
            start: None,
            accepting: false,
        }));
        assert!(matches!(rule.observe(&failed(3)), Judgement::Trip(_)));
    }

    #[test]
    fn zero_switches_it_off() {
        let mut rule = AgentFailing::new(0);
        assert!((1..100).all(|number| rule.observe(&failed(number)) == Judgement::Fine));
    }

    #[test]
    fn one_that_is_cut_short_by_its_own_limit_after_it_worked_does_not_fail() {
        let mut rule = AgentFailing::new(2);
        for (files_changed, tripped) in [(1, false), (1, false), (0, false), (0, true)] {
            let EventKind::IterationFinished(mut summary) = failed(1).kind else {
                unreachable!("it is one")
            };
            summary.evidence.cut_short = true;
            summary.files_changed = files_changed;
            let judgement = rule.observe(&event(EventKind::IterationFinished(summary)));
            assert_eq!(matches!(judgement, Judgement::Trip(_)), tripped);
        }
    }

    #[test]
    fn one_whose_claim_did_not_count_for_lost_background_work_does_not_fail() {
        let mut rule = AgentFailing::new(2);
        for _ in 0..5 {
            let EventKind::IterationFinished(mut summary) = failed(1).kind else {
                unreachable!("it is one")
            };
            summary.evidence.cut_short = true;
            summary.evidence.left_background = true;
            let judgement = rule.observe(&event(EventKind::IterationFinished(summary)));
            assert_eq!(judgement, Judgement::Fine);
        }
    }
}
