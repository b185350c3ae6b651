//! `safety-completion`: so many claims running were not accepted, while what the failing checks said
//! did not move: the agent believes to be done, and the checks will not have it.

use super::{Judgement, Rule, judge};
use crate::{
    event::{ClaimFate, Event, EventKind, IterationSummary},
    evidence::CheckMark,
};

/// The rule's name.
pub(super) const NAME: &str = "safety-completion";

pub(super) struct SafetyCompletion {
    limit: u32,
    running: u32,
    /// The checks that failed at the last claim.
    failing: Vec<CheckMark>,
    /// How the tasks stood then.
    tasks: Option<(u32, u32)>,
}

impl SafetyCompletion {
    pub(super) fn new(limit: u32) -> Self {
        Self { limit, running: 0, failing: Vec::new(), tasks: None }
    }

    fn rejected(&mut self, summary: &IterationSummary) -> Judgement {
        let checks = summary.evidence.checks.iter();
        let failing: Vec<CheckMark> = checks.filter(|check| !check.passed).cloned().collect();
        let tasks = summary.evidence.tasks.map(|tasks| (tasks.open, tasks.done));
        // An agent that claims too early, and does one task after the other, gets there.
        if failing != self.failing || tasks != self.tasks {
            self.running = 0;
            (self.failing, self.tasks) = (failing, tasks);
        }
        self.running += 1;
        judge(self.running, self.limit, || {
            let claims = match self.running {
                1 => "a claim was".to_owned(),
                n => format!("{n} claims running were"),
            };
            match self.failing.first() {
                Some(check) => {
                    format!("{claims} not accepted, and `{}` fails as before", check.command)
                }
                None => format!("{claims} not accepted, for the same reason"),
            }
        })
    }
}

impl Rule for SafetyCompletion {
    fn name(&self) -> &'static str {
        NAME
    }

    fn observe(&mut self, event: &Event) -> Judgement {
        match &event.kind {
            EventKind::IterationFinished(summary) => match summary.claim {
                ClaimFate::Rejected => return self.rejected(summary),
                // An agent that works on without a claim has heard what the checks say.
                ClaimFate::None if summary.failure.is_none() => self.running = 0,
                ClaimFate::AcceptedInPart => self.running = 0,
                ClaimFate::None | ClaimFate::Accepted => (),
            },
            EventKind::CircuitReset => self.running = 0,
            _ => (),
        }
        Judgement::Fine
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::testing::{again, failed, failing_check, finished, reset, trips},
        *,
    };

    fn claim(output: &str) -> Event {
        finished(|summary| {
            summary.claim = ClaimFate::Rejected;
            summary.evidence.checks = failing_check(output);
        })
    }

    #[test]
    fn so_many_claims_with_the_same_failure_trip_and_failed_sessions_do_not_count() {
        let mut rule = SafetyCompletion::new(5);
        assert!(matches!(again(&mut rule, 4, &claim("x")), Judgement::Near(_)));
        assert_eq!(rule.observe(&failed()), Judgement::Fine);
        insta::assert_snapshot!(trips(&rule.observe(&claim("x"))), @"5 claims running were not accepted, and `make` fails as before");
    }

    #[test]
    fn a_check_that_moved_work_without_a_claim_and_a_reset_start_the_count_again() {
        let mut rule = SafetyCompletion::new(3);
        for between in [finished(|_| ()), reset(), claim("y")] {
            assert!(matches!(again(&mut rule, 2, &claim("x")), Judgement::Near(_)));
            assert_eq!(rule.observe(&between), Judgement::Fine);
        }
        assert!(matches!(rule.observe(&claim("y")), Judgement::Near(_)));
    }

    #[test]
    fn claims_that_protected_files_speak_against_count_too() {
        let mut rule = SafetyCompletion::new(2);
        let claim = finished(|summary| summary.claim = ClaimFate::Rejected);
        rule.observe(&claim);
        insta::assert_snapshot!(trips(&rule.observe(&claim)), @"2 claims running were not accepted, for the same reason");
    }
}
