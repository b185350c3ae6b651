//! HEAL: one session a finding. Whether it did something is what the tree says.

use windlass_core::{
    ending::Ending,
    event::{EventKind, Fix, FixTried},
    findings::{Ledger, Mark, Noticed, skip_reasons},
    ids::Place,
    prompts::{Cut, HealFixGiven, PromptName},
    role,
    step::SessionReport,
    text::count::count,
};

use super::{Options, review::Review};
use crate::{course::Course, halt::Halt, run::Run};

/// The fixes of one iteration.
pub(super) struct Fixes<'a> {
    pub(super) run: &'a Run<'a>,
    pub(super) options: &'a Options,
    pub(super) iteration: u32,
}

impl<'a> Fixes<'a> {
    /// Tries to fix each finding; says whether every one was.
    pub(super) async fn apply(
        &self,
        course: &mut Course<'a>,
        ledger: &mut Ledger,
        review: &Review<'a>,
        found: &[Noticed],
    ) -> Result<bool, Halt> {
        let mut all = true;
        let mut failures = 0;
        let mut last_failure = None;
        let mut any_worked = found.is_empty();
        let mut before = course.look(self.place("before")).await?.tree();
        for (position, noticed) in (1..).zip(found) {
            let number = noticed.number;
            let finding = &noticed.finding;
            let given = HealFixGiven { finding, number: position, total: found.len() };
            let cuts = [Cut::KeepStart("description"), Cut::KeepStart("suggestion")];
            let prompt = review.prompt(PromptName::HealFix, given, &cuts)?;
            let place = self.place(format_args!("{}/{position}", role::FIXER));
            let session = course.call(place.clone(), role::FIXER, None, prompt).await?;
            let after = course.look(place.inner("tree")).await?.tree();
            let changed = after.is_none() || after != before;
            // What a session left that failed later is for the tests and the next review to judge.
            any_worked |= session.failure().is_none() || (after.is_some() && changed);
            before = after;
            let fix = fix_of(&session, changed);
            all &= fix == Fix::Applied;
            let mark = self.mark(&fix);
            if let Some(mark) = &mark {
                ledger.mark(number, mark.clone());
            }
            let tried = FixTried { iteration: self.iteration, number, fix, mark };
            self.run.note(self.iteration, EventKind::FixTried(tried));
            failures = if session.outcome.is_failure() { failures + 1 } else { 0 };
            self.give_up(course, &session, failures)?;
            last_failure = session.failure();
        }
        match last_failure {
            // The tests and the next review would judge work that nobody did.
            Some(last) if !any_worked && !self.run.is_past(self.iteration) => {
                let fixes = if found.len() == 1 { "the fix" } else { "every fix" };
                let reason = format!("{fixes} of iteration {} failed: {last}", self.iteration);
                Err(Halt::Ended(Ending::agent_failed(reason)))
            }
            _ => Ok(all),
        }
    }

    /// What the ledger takes from a fix. Where another review follows, it decides.
    fn mark(&self, fix: &Fix) -> Option<Mark> {
        match fix {
            Fix::Applied if self.options.looped => None,
            Fix::Applied => Some(Mark::Fixed),
            Fix::Skipped { reason } => Some(Mark::Skipped { reason: reason.clone() }),
            Fix::Unchanged | Fix::Failed { .. } => None,
        }
    }

    /// Ends the loop where the agent keeps failing.
    fn give_up(
        &self,
        course: &Course<'_>,
        session: &SessionReport,
        failures: u32,
    ) -> Result<(), Halt> {
        course.give_up_if_hopeless(self.iteration, session)?;
        let threshold = self.options.common.rules.failure_threshold;
        if threshold == 0 || failures < threshold {
            return Ok(());
        }
        let last = session.failure().unwrap_or_default();
        let reason = match failures {
            1 => format!("a fix failed: {last}"),
            n => format!("{} in a row failed, the last one: {last}", count(n, "fix")),
        };
        Err(Halt::Ended(Ending::agent_failed(reason)))
    }

    fn place(&self, what: impl std::fmt::Display) -> Place {
        Place::new(self.iteration, what)
    }
}

/// What became of a fix, by how its session ended and whether the tree changed.
fn fix_of(session: &SessionReport, changed: bool) -> Fix {
    if let Some(reason) = session.failure() {
        return Fix::Failed { reason };
    }
    if let Some(words) = &session.claim.blocked {
        return Fix::Skipped { reason: format!("blocked: {words}") };
    }
    match skip_reasons(&session.final_text).into_iter().next() {
        Some(reason) => Fix::Skipped { reason },
        None if changed => Fix::Applied,
        None => Fix::Unchanged,
    }
}
