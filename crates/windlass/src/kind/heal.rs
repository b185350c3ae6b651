//! `heal`: a review, its findings, a fix for each, and the tests; once, or until a review finds
//! nothing more.

mod fixes;
mod options;
mod review;
mod tests_phase;

pub use options::{Options, StartAt};

use windlass_core::{
    ending::{ClaimedBy, Ending},
    event::{EventKind, FindingsSeen, Phase, PhaseEntered},
    findings::{Ledger, Noticed},
    ids::Place,
};

use self::{
    fixes::Fixes,
    review::Review,
    tests_phase::{Awakened, Tests},
};
use crate::{
    course::{Course, Round},
    halt::Halt,
    identity::LoopIdentity,
    proof::{Acceptance, Hearing, Judged},
    run::Run,
};

pub(super) async fn drive(
    run: &Run<'_>,
    options: &Options,
    named: &LoopIdentity,
) -> Result<Ending, Halt> {
    let common = options.with_test();
    let course = Course::start(run, &common, named, &[]).await?;
    let review = Review::open(run, options, named).await?;
    let tests = Tests::find(run, options);
    let mut healing =
        Healing { run, options, course, review, tests, ledger: Ledger::default(), proven: None };
    for iteration in 1.. {
        run.begin(iteration)?;
        if let Some(ending) = healing.iterate(iteration).await? {
            return Ok(ending);
        }
    }
    unreachable!("there is always one more number")
}

/// A loop of that kind on its way.
struct Healing<'a> {
    run: &'a Run<'a>,
    options: &'a Options,
    course: Course<'a>,
    review: Review<'a>,
    tests: Tests<'a>,
    ledger: Ledger,
    /// The tree that the work was proven on last, and what it is accepted with.
    proven: Option<(Option<String>, Acceptance)>,
}

impl Healing<'_> {
    /// One iteration; gives the ending, if the loop has come to one.
    async fn iterate(&mut self, iteration: u32) -> Result<Option<Ending>, Halt> {
        let mut fixed = true;
        if self.options.start_at < StartAt::Test {
            let found = self.found(iteration).await?;
            self.course.release(found.iter().filter_map(|noticed| noticed.finding.file.clone()));
            if found.is_empty() {
                return self.clean(iteration).await.map(Some);
            }
            if self.options.review_only {
                self.close(iteration, Judged::None).await?;
                return Ok(Some(Ending::FindingsLeft { left: self.ledger.counts().open }));
            }
            self.enter(iteration, Phase::Heal);
            let fixes = Fixes { run: self.run, options: self.options, iteration };
            fixed = fixes.apply(&mut self.course, &mut self.ledger, &self.review, &found).await?;
        }
        self.enter(iteration, Phase::Awaken);
        let awakened = self.tests.run(&mut self.course, &self.review, iteration).await?;
        self.conclude(iteration, fixed, awakened).await
    }

    /// The findings of this iteration.
    async fn found(&mut self, iteration: u32) -> Result<Vec<Noticed>, Halt> {
        let given = self.options.given.clone().filter(|_| iteration == 1);
        let findings = match given {
            Some(given) => self.review.given(given)?,
            None => self.review.findings(&mut self.course, &self.ledger, iteration).await?,
        };
        let observed = self.ledger.observe(iteration, findings);
        let found = observed.noticed.clone();
        self.run.note(iteration, EventKind::FindingsSeen(FindingsSeen { iteration, observed }));
        Ok(found)
    }

    /// A review found nothing: that is the end, unless checks say otherwise.
    async fn clean(&mut self, iteration: u32) -> Result<Ending, Halt> {
        let tree = self.course.look(Place::new(iteration, "reviewed")).await?.tree();
        let known = self.proven.take().filter(|(proven, _)| tree.is_some() && *proven == tree);
        let proven = match known {
            Some((_, acceptance)) => Ok(acceptance),
            None => self.tests.prove(&mut self.course, iteration).await?,
        };
        match proven {
            Ok(acceptance) => {
                self.accept(iteration, acceptance).await?;
                Ok(Ending::Clean { iteration, left_out: 0 })
            }
            Err(reason) => {
                self.close(iteration, Judged::None).await?;
                Ok(Ending::TestsFailed { iteration, reason })
            }
        }
    }

    /// What an iteration with fixes comes to.
    async fn conclude(
        &mut self,
        iteration: u32,
        fixed: bool,
        awakened: Awakened,
    ) -> Result<Option<Ending>, Halt> {
        let acceptance = match awakened {
            Awakened::Passed(acceptance) => acceptance,
            Awakened::Skipped => Acceptance::default(),
            Awakened::Failed { reason } => {
                self.close(iteration, Judged::None).await?;
                return Ok(Some(Ending::TestsFailed { iteration, reason }));
            }
        };
        if !self.options.looped && fixed {
            let unverified = !acceptance.is_verified();
            self.accept(iteration, acceptance).await?;
            return Ok(Some(Ending::Done { by: ClaimedBy::Verdict, unverified }));
        }
        let tree = self.close(iteration, Judged::None).await?;
        self.proven = (acceptance.checks > 0).then_some((tree, acceptance));
        let left = self.ledger.counts().open + self.ledger.counts().skipped;
        if !self.options.looped {
            return Ok(Some(Ending::FindingsLeft { left }));
        }
        let limit = self.options.max_iterations();
        if limit != 0 && iteration >= limit {
            return Ok(Some(Ending::MaxIterations { limit, left: Some(left) }));
        }
        self.course.pause(iteration).await?;
        Ok(None)
    }

    /// Takes down that the work is done, and ends the iteration.
    async fn accept(&mut self, iteration: u32, acceptance: Acceptance) -> Result<(), Halt> {
        let by = ClaimedBy::Verdict;
        self.run.note(iteration, EventKind::Claimed { iteration, by });
        let tree = self.course.look(Place::new(iteration, "accepted")).await?.tree();
        self.run.note(iteration, acceptance.fact(iteration, by, tree));
        self.close(iteration, acceptance.judged()).await.map(drop)
    }

    /// Ends the iteration; gives the tree that it leaves.
    async fn close(&mut self, iteration: u32, judged: Judged) -> Result<Option<String>, Halt> {
        let seen = self.course.look(Place::new(iteration, "tree")).await?;
        let (tree, hearing) = (seen.tree(), Hearing::of_kind(judged));
        self.course.close(iteration, Round::without_session(seen, hearing)).await?;
        Ok(tree)
    }

    fn enter(&self, iteration: u32, phase: Phase) {
        enter(self.run, iteration, phase);
    }
}

fn enter(run: &Run<'_>, iteration: u32, phase: Phase) {
    run.note(iteration, EventKind::Phase(PhaseEntered::new(iteration, phase)));
}
