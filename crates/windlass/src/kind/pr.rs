//! `pr`: auditors side by side, one session that fixes all that they found, the checks, and again,
//! until an audit finds nothing; then a review on GitHub. Or one audit only.

mod audit;
pub mod auditors;
mod basis;
mod fix;
mod options;
mod outcome;
mod pulled;

pub use basis::EarlierFixes;
pub use options::{Options, Stall};

use windlass_core::{
    context::Rejection,
    ending::Ending,
    event::{AuditLogged, EventKind, FindingsSeen},
    findings::{Ledger, Noticed, Standing},
    ids::Place,
    step::CheckReport,
};

use self::{
    audit::{Audit, Found},
    basis::Basis,
    fix::Fixed,
    outcome::{Audited, Outcome},
    pulled::Pulled,
};
use crate::{
    course::{Course, Round},
    halt::Halt,
    identity::LoopIdentity,
    proof::{Acceptance, Hearing, Judged, Places},
    run::{Committed, Run},
};

pub(super) async fn drive(
    run: &Run<'_>,
    options: &Options,
    named: &LoopIdentity,
) -> Result<Ending, Halt> {
    let pulled = Pulled::gather(run, options).await?;
    let options = &*pulled.without_strangers_checks(run, options);
    if let Some(pull) = &pulled.pull {
        run.arrive(pull).await?;
    }
    let course = Course::start(run, &options.common, named, &[]).await?;
    let audit = Audit::open(run, options, named, &pulled)?;
    let here = course.look(Place::new(0, "head")).await?;
    let basis = Basis::of(run, options, &pulled, &course, &here)?;
    let outcome = Outcome { run, options, named, pulled: &pulled, basis };
    let ledger = Ledger::default();
    let (left_out, is_audited) = (0, false);
    let mut auditing =
        Auditing { run, options, course, audit, outcome, ledger, left_out, is_audited };
    let mut last = Last::default();
    for iteration in 1.. {
        run.begin(iteration)?;
        if let Some(ending) = auditing.iterate(iteration, &mut last).await? {
            return Ok(ending);
        }
    }
    unreachable!("there is always one more number")
}

/// A loop of that kind on its way.
struct Auditing<'a> {
    run: &'a Run<'a>,
    options: &'a Options,
    course: Course<'a>,
    audit: Audit<'a>,
    outcome: Outcome<'a>,
    ledger: Ledger,
    /// How many findings the last audit had that are less severe than what the user wants to hear
    /// of.
    left_out: u32,
    /// Whether auditors looked, and the last findings are not those of another tool.
    is_audited: bool,
}

/// What the iteration before came to.
#[derive(Default)]
struct Last {
    found: Option<usize>,
    fixed: Option<Fixed>,
    failed: Vec<CheckReport>,
}

impl Auditing<'_> {
    /// One iteration; gives the ending, if the loop has come to one.
    async fn iterate(&mut self, iteration: u32, last: &mut Last) -> Result<Option<Ending>, Halt> {
        let found = match self.found(iteration).await {
            Err(halt @ Halt::Ended(Ending::NothingToReview { .. })) => {
                self.commit(iteration).await?;
                return Err(halt);
            }
            found => found?,
        };
        self.compare(iteration, &found, last);
        if !self.options.looped {
            self.close(iteration, Judged::None).await?;
            return self.outcome.of_one_audit(self.audited(), iteration).await.map(Some);
        }
        let is_stalled = self.is_stalled(&found, last);
        last.found = Some(found.len());
        if found.is_empty() {
            let (acceptance, failed) = self.check(iteration).await?;
            if failed.is_empty() {
                return self.approve(iteration, acceptance).await.map(Some);
            }
            last.failed = failed;
        }
        if is_stalled && !found.is_empty() {
            self.log(AuditLogged::stalled(iteration, found.len()));
            self.close(iteration, Judged::None).await?;
            self.commit(iteration).await?;
            return self.outcome.stalled(&self.ledger, iteration).await.map(Some);
        }
        // No fix goes unaudited.
        let limit = self.options.max_iterations();
        if limit != 0 && iteration >= limit {
            return self.used_up(iteration, limit, found.len(), last).await.map(Some);
        }
        self.course.release(found.iter().filter_map(|noticed| noticed.finding.file.clone()));
        let fixed = self.audit.fix(&mut self.course, iteration, &found, &last.failed).await?;
        fixed.skips.iter().for_each(|skip| self.ledger.explain(skip.number, &skip.reason));
        self.log(fixed.logged(iteration, found.len()));
        if !found.is_empty() {
            last.failed = self.check(iteration).await?.1;
        }
        last.fixed = Some(fixed);
        self.close(iteration, Judged::None).await?;
        self.course.pause(iteration).await?;
        Ok(None)
    }

    /// The ending where the last allowed iteration has left something.
    async fn used_up(
        &mut self,
        iteration: u32,
        limit: u32,
        found: usize,
        last: &Last,
    ) -> Result<Ending, Halt> {
        self.log(AuditLogged::used_up(iteration, found));
        self.close(iteration, Judged::None).await?;
        self.commit(iteration).await?;
        match last.failed.first() {
            Some(check) if found == 0 => {
                Ok(Ending::TestsFailed { iteration, reason: check.failure() })
            }
            _ => self.outcome.used_up(&self.ledger, iteration, limit).await,
        }
    }

    fn audited(&self) -> Audited<'_> {
        Audited { ledger: &self.ledger, left_out: self.left_out, by_auditors: self.is_audited }
    }

    /// What the audit of this iteration found.
    async fn found(&mut self, iteration: u32) -> Result<Vec<Noticed>, Halt> {
        let given = self.options.given.clone().filter(|_| iteration == 1);
        self.is_audited = given.is_none();
        let Found { findings, left_out } = match given {
            Some(given) => self.audit.given(given)?,
            None => self.audit.findings(&mut self.course, iteration).await?,
        };
        self.left_out = left_out;
        if let Some(text) = self.outcome.left_out(left_out) {
            self.run.note(iteration, EventKind::Noted { text });
        }
        let observed = self.ledger.observe(iteration, findings);
        let found = observed.noticed.clone();
        self.run.note(iteration, EventKind::FindingsSeen(FindingsSeen { iteration, observed }));
        Ok(found)
    }

    /// Says where the fixer's words and the audit differ.
    fn compare(&self, iteration: u32, found: &[Noticed], last: &Last) {
        let Some(fixed) = &last.fixed else { return };
        let still = found.iter().filter(|noticed| noticed.standing == Standing::Open).count();
        let beyond = still.saturating_sub(fixed.skipped.len());
        if beyond > 0 && fixed.applied > 0 {
            let are = if beyond == 1 { "is" } else { "are" };
            let text = format!(
                "the fixer says that it fixed {}, and at least {beyond} of them {are} still there",
                fixed.applied
            );
            self.run.note(iteration, EventKind::Noted { text });
        }
    }

    /// Whether this audit is no better than the one before.
    fn is_stalled(&self, found: &[Noticed], last: &Last) -> bool {
        let Some(before) = last.found else { return false };
        let is_as_many = before == found.len();
        match self.options.stall {
            Stall::Count => is_as_many,
            Stall::Same => {
                is_as_many && found.iter().all(|noticed| noticed.standing == Standing::Open)
            }
        }
    }

    /// Proves the work; gives what it is accepted with, and the checks that failed.
    async fn check(&mut self, iteration: u32) -> Result<(Acceptance, Vec<CheckReport>), Halt> {
        let checked = Place::new(iteration, "checked");
        if !self.run.belongs(&checked, true) {
            return Ok((Acceptance::default(), Vec::new()));
        }
        let seen = self.course.look(checked).await?;
        let proven = self.course.prove(&Places::of_claim(iteration), &seen).await?;
        let failed = proven.rejection.as_ref().map(Rejection::reports).unwrap_or_default();
        Ok((proven.acceptance(), failed))
    }

    async fn approve(&mut self, iteration: u32, acceptance: Acceptance) -> Result<Ending, Halt> {
        self.log(AuditLogged::approved(iteration));
        let tree = self.outcome.accept(iteration, &acceptance, &self.course).await?;
        self.close(iteration, acceptance.judged()).await?;
        let committed = self.commit(iteration).await?;
        let done = (tree, committed);
        self.outcome.approved(self.audited(), iteration, &acceptance, done).await
    }

    /// Commits the fixes of the whole loop, where that is wanted; never what the user had changed.
    async fn commit(&self, iteration: u32) -> Result<Committed, Halt> {
        if !self.options.commit && !self.options.push {
            return Ok(Committed::default());
        }
        let message = format!("Fix what {iteration} audits found");
        let place = Place::new(iteration, "commit/fixes");
        self.run.commit_told(place, message, self.outcome.basis.spare.clone()).await
    }

    fn log(&self, logged: AuditLogged) {
        self.run.note(logged.iteration, EventKind::AuditLogged(logged));
    }

    async fn close(&mut self, iteration: u32, judged: Judged) -> Result<(), Halt> {
        let seen = self.course.look(Place::new(iteration, "tree")).await?;
        let hearing = Hearing::of_kind(judged);
        self.course.close(iteration, Round::without_session(seen, hearing)).await
    }
}
