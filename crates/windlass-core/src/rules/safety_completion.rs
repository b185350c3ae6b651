//! `safety-completion`: claims in a row were not accepted, while what the failing checks said did not
//! move: the agent believes that it is done, and the checks disagree.
//!
//! Where nothing speaks against the work but what only the user can decide, it trips sooner, whatever its
//! threshold is, and leaves the circuit closed.

use super::{Judgement, Rule, judge};
use crate::{
    ending::Undecided,
    event::{ClaimFate, Event, EventKind, IterationSummary},
    evidence::{CheckMark, Evidence, OnlyFor},
    text::count::{agree, count},
};

/// The rule's name.
pub(super) const NAME: &str = "safety-completion";

/// How many tests a reason names.
const MOST_NAMED: usize = 3;

pub(super) struct SafetyCompletion {
    limit: u32,
    running: u32,
    /// The checks that failed at the last claim.
    failing: Vec<CheckMark>,
    /// How the tasks stood then.
    tasks: Option<(u32, u32)>,
    /// The one thing that the last claim was rejected for.
    only_for: Option<OnlyFor>,
    /// The guarded files that differed when the originals ran last.
    files: Vec<String>,
}

impl SafetyCompletion {
    pub(super) fn new(limit: u32) -> Self {
        let (failing, files) = (Vec::new(), Vec::new());
        Self { limit, running: 0, failing, tasks: None, only_for: None, files }
    }

    fn finished(&mut self, summary: &IterationSummary) -> Judgement {
        let left = match summary.claim {
            ClaimFate::Rejected => self.left_by_claim(&summary.evidence),
            ClaimFate::None => self.left_by_report(&summary.evidence),
            ClaimFate::Accepted | ClaimFate::AcceptedInPart => {
                self.only_for = None;
                None
            }
        };
        let counted = match summary.claim {
            ClaimFate::Rejected => self.rejected(summary),
            // An agent that works on without a claim has heard what the checks say.
            ClaimFate::None if summary.failure.is_none() => self.begin_again(),
            ClaimFate::AcceptedInPart => self.begin_again(),
            ClaimFate::None | ClaimFate::Accepted => Judgement::Fine,
        };
        left.unwrap_or(counted)
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
                1 => "a claim was rejected".to_owned(),
                n => format!("{n} claims in a row were rejected"),
            };
            match self.failing.first() {
                Some(check) => {
                    format!("{claims}; `{}` still fails the same way", check.command)
                }
                None => format!("{claims} for the same reason"),
            }
        })
    }

    fn begin_again(&mut self) -> Judgement {
        self.running = 0;
        Judgement::Fine
    }

    /// What a rejected claim leaves to the user, where the one before was rejected for the same.
    fn left_by_claim(&mut self, evidence: &Evidence) -> Option<Judgement> {
        let before = self.only_for.take();
        self.only_for.clone_from(&evidence.rejected_only_for);
        match (before?, self.only_for.as_ref()?) {
            (OnlyFor::Originals { .. }, OnlyFor::Originals { failing }) => {
                let reason = work_is_finished(failing);
                Some(self.leave_originals(reason))
            }
            (OnlyFor::KnownFailures { failing: before }, OnlyFor::KnownFailures { failing })
                if failing.len() >= before.len() =>
            {
                let reason = format!(
                    "only tests that failed before the loop still fail: {}",
                    named(failing)
                );
                self.only_for = None;
                Some(Judgement::Leave(reason, Undecided::KnownFailures))
            }
            _ => None,
        }
    }

    /// What is left to the user where the agent reports that it is blocked, and its last claim was rejected
    /// for the originals: it was told that it may, if the task requires other tests.
    fn left_by_report(&mut self, evidence: &Evidence) -> Option<Judgement> {
        let words = evidence.blocked.as_ref().filter(|_| evidence.blocked_task.is_none())?;
        let Some(OnlyFor::Originals { failing }) = &self.only_for else { return None };
        let reason = match words.trim() {
            "" => work_is_finished(failing),
            words => format!("{}; the agent says: {words}", work_is_finished(failing)),
        };
        Some(self.leave_originals(reason))
    }

    /// A loop that goes on after it has two more claims.
    fn leave_originals(&mut self, reason: String) -> Judgement {
        self.only_for = None;
        Judgement::Leave(reason, Undecided::Originals { files: self.files.clone() })
    }
}

impl Rule for SafetyCompletion {
    fn name(&self) -> &'static str {
        NAME
    }

    fn observe(&mut self, event: &Event) -> Judgement {
        match &event.kind {
            EventKind::IterationFinished(summary) => return self.finished(summary),
            EventKind::Originals(ran) => {
                self.files = ran.changes.iter().map(|change| change.path.clone()).collect();
            }
            EventKind::CircuitReset => {
                self.only_for = None;
                return self.begin_again();
            }
            // What the user changes may be what the claims were rejected for.
            EventKind::OptionChanged(_) => self.only_for = None,
            _ => (),
        }
        Judgement::Fine
    }
}

/// That the work is finished, but for existing tests.
fn work_is_finished(failing: &[String]) -> String {
    let tests = count(failing.len(), "existing test");
    let pass = agree(failing.len(), "passes", "pass");
    format!("the work is finished; {tests} no longer {pass}: {}", named(failing))
}

/// The first tests by name, and how many more there are.
fn named(tests: &[String]) -> String {
    let first = tests.iter().take(MOST_NAMED).map(String::as_str).collect::<Vec<_>>().join(", ");
    match tests.len().saturating_sub(MOST_NAMED) {
        0 => first,
        more => format!("{first} and {more} more"),
    }
}

#[cfg(test)]
mod tests;
