//! AWAKEN: the tests after the fixes, and what is done where they fail.

use windlass_core::{
    ask::Choice,
    context::Rejection,
    ending::Ending,
    event::EventKind,
    ids::Place,
    options::Proof,
    prompts::{Cut, HealTestsGiven, PromptName},
    role,
};

use super::{Options, review::Review};
use crate::{
    course::Course,
    halt::Halt,
    proof::{Acceptance, Places},
    run::{Run, Seen},
};

/// The tests of a loop.
pub(super) struct Tests<'a> {
    run: &'a Run<'a>,
    options: &'a Options,
}

/// What the tests came to.
pub(super) enum Awakened {
    /// The work is proven.
    Passed(Acceptance),
    /// There are none, or whoever was asked passes over them.
    Skipped,
    /// They fail.
    Failed { reason: String },
}

impl<'a> Tests<'a> {
    pub(super) fn find(run: &'a Run<'a>, options: &'a Options) -> Self {
        Self { run, options }
    }

    /// Runs the tests, and lets the agent mend what fails, as often as it may.
    pub(super) async fn run(
        &self,
        course: &mut Course<'a>,
        review: &Review<'a>,
        iteration: u32,
    ) -> Result<Awakened, Halt> {
        if !course.has_checks() {
            if !self.options.common.proof.no_check {
                let text = "there are no tests that windlass can find; say how to run them with \
                            `--test CMD`";
                self.run.note(iteration, EventKind::Noted { text: text.to_owned() });
            }
            return Ok(Awakened::Skipped);
        }
        let (mut round, mut mended) = (0, 0);
        let mut failures = Vec::new();
        loop {
            round += 1;
            let failed = match self.round(course, iteration, round, None).await? {
                Ok(acceptance) => return Ok(Awakened::Passed(acceptance)),
                Err(failed) => failed,
            };
            match self.choose(iteration, round, mended, &failed).await? {
                Choice::Retry => (),
                Choice::Fix => {
                    mended += 1;
                    failures.extend(self.mend(course, review, iteration, mended, &failed).await?);
                }
                Choice::Skip => return Ok(Awakened::Skipped),
                // Trust is not offered here.
                Choice::Abort | Choice::Trust => {
                    self.give_up_if_in_vain(iteration, mended, &failures)?;
                    return Ok(Awakened::Failed { reason: failed.line() });
                }
            }
        }
    }

    /// Proves what a clean review is about by the checks that the user gave; gives what it is accepted
    /// with, or what failed. Tests are for work, and there is none that they have not seen.
    pub(super) async fn prove(
        &self,
        course: &mut Course<'a>,
        iteration: u32,
    ) -> Result<Result<Acceptance, String>, Halt> {
        let proof = Proof { found: Vec::new(), ..self.options.common.proof.clone() };
        if !proof.has_checks() {
            return Ok(Ok(Acceptance::default()));
        }
        let round = self.round(course, iteration, 1, Some(&proof)).await?;
        Ok(round.map_err(|rejection| rejection.line()))
    }

    async fn round(
        &self,
        course: &mut Course<'a>,
        iteration: u32,
        round: u32,
        proof: Option<&Proof>,
    ) -> Result<Result<Acceptance, Rejection>, Halt> {
        let place = Place::new(iteration, format_args!("test/{round}/tree"));
        let seen = match self.run.belongs(&place, true) {
            true => course.look(place).await?,
            false => Seen::default(),
        };
        let places = Places::of_tests(iteration, round);
        let proven = match proof {
            Some(proof) => course.prove_by(proof, &places, &seen).await?,
            None => course.prove(&places, &seen).await?,
        };
        let acceptance = proven.acceptance();
        Ok(proven.rejection.map_or(Ok(acceptance), Err))
    }

    /// What to do about tests that fail: whoever sits at the terminal says so; else the agent has
    /// its tries.
    async fn choose(
        &self,
        iteration: u32,
        round: u32,
        mended: u32,
        failed: &Rejection,
    ) -> Result<Choice, Halt> {
        let place = Place::new(iteration, format_args!("ask/{round}"));
        let question = format!("{}. What now?", failed.line());
        let choices = vec![Choice::Retry, Choice::Fix, Choice::Skip, Choice::Abort];
        if let Some(choice) = self.run.ask(place, question, choices).await? {
            return Ok(choice);
        }
        let may = mended < self.options.heal_attempts;
        Ok(if may { Choice::Fix } else { Choice::Abort })
    }

    async fn mend(
        &self,
        course: &mut Course<'a>,
        review: &Review<'a>,
        iteration: u32,
        attempt: u32,
        failed: &Rejection,
    ) -> Result<Option<String>, Halt> {
        let Some(failed) = failed.reports().into_iter().next() else { return Ok(None) };
        let given = HealTestsGiven {
            command: &failed.command,
            status: &failed.how(),
            output: &failed.tail,
            attempt,
            max_attempts: self.options.heal_attempts.max(attempt),
        };
        let prompt = review.prompt(PromptName::HealTests, given, &[Cut::KeepEnd("output")])?;
        let place = Place::new(iteration, format_args!("{}/tests/{attempt}", role::FIXER));
        let session = course.call(place, role::FIXER, None, prompt).await?;
        course.give_up_if_hopeless(iteration, &session)?;
        Ok(session.failure())
    }

    /// Ends the loop where every session that was to fix the tests failed: then nobody has tried.
    fn give_up_if_in_vain(
        &self,
        iteration: u32,
        mended: u32,
        failures: &[String],
    ) -> Result<(), Halt> {
        match failures.last() {
            Some(last)
                if u32::try_from(failures.len()) == Ok(mended) && !self.run.is_past(iteration) =>
            {
                let reason = format!(
                    "the tests fail, and every session that was to fix them failed: {last}"
                );
                Err(Halt::Ended(Ending::agent_failed(reason)))
            }
            _ => Ok(()),
        }
    }
}
