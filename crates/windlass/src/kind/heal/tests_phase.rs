//! AWAKEN: the tests after the fixes, and what is done where they fail.

use windlass_core::{
    ask::Choice,
    ending::Ending,
    event::EventKind,
    ids::Place,
    options::CheckCommand,
    prompts::{Cut, HealTestsGiven, PromptName},
    role,
    step::{CheckReport, CheckStep},
};

use super::{Options, review::Review};
use crate::{course::Course, halt::Halt, run::Run};

/// The tests of a loop.
pub(super) struct Tests<'a> {
    run: &'a Run<'a>,
    options: &'a Options,
}

/// What the tests came to.
pub(super) enum Awakened {
    /// All passed, so many commands.
    Passed { checks: u32 },
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
        let test = self.options.test.iter().map(CheckCommand::given);
        let commands: Vec<CheckCommand> =
            test.chain(self.options.common.proof.commands()).collect();
        if commands.is_empty() {
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
            let failed = match self.round(course, iteration, round, &commands).await? {
                Ok(checks) => return Ok(Awakened::Passed { checks }),
                Err(failed) => failed,
            };
            match self.choose(iteration, round, mended, &failed).await? {
                Choice::Retry => (),
                Choice::Fix => {
                    mended += 1;
                    failures.extend(self.mend(course, review, iteration, mended, &failed).await?);
                }
                Choice::Skip => return Ok(Awakened::Skipped),
                Choice::Abort => {
                    self.give_up_if_in_vain(iteration, mended, &failures)?;
                    return Ok(Awakened::Failed { reason: failed.failure() });
                }
            }
        }
    }

    /// Runs commands that must pass before the loop may end well; gives how many, or what failed.
    pub(super) async fn prove(
        &self,
        course: &mut Course<'a>,
        iteration: u32,
        commands: Vec<CheckCommand>,
    ) -> Result<Result<u32, String>, Halt> {
        let round = self.round(course, iteration, 1, &commands).await?;
        Ok(round.map_err(|failed| failed.failure()))
    }

    async fn round(
        &self,
        course: &mut Course<'a>,
        iteration: u32,
        round: u32,
        commands: &[CheckCommand],
    ) -> Result<Result<u32, CheckReport>, Halt> {
        let place = |what: &dyn std::fmt::Display| {
            Place::new(iteration, format_args!("test/{round}/{what}"))
        };
        if let Some(report) = course.changed_protected(place(&"protected")).await? {
            return Ok(Err(report));
        }
        if !self.run.belongs(&place(&"tree"), true) {
            return Ok(Ok(0));
        }
        let tree = course.look(place(&"tree")).await?.tree();
        let commands = self.run.checks_of(iteration, |number| place(&number), commands);
        for (number, command) in (1..).zip(&commands) {
            let report =
                self.run.check(place(&number), CheckStep::new(command, tree.clone())).await?;
            if !report.passed {
                return Ok(Err(report));
            }
        }
        Ok(Ok(u32::try_from(commands.len()).unwrap_or(u32::MAX)))
    }

    /// What to do about tests that fail: whoever sits at the terminal says so; else the agent has
    /// its tries.
    async fn choose(
        &self,
        iteration: u32,
        round: u32,
        mended: u32,
        failed: &CheckReport,
    ) -> Result<Choice, Halt> {
        let place = Place::new(iteration, format_args!("ask/{round}"));
        let question = format!("{}. What now?", failed.failure());
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
        failed: &CheckReport,
    ) -> Result<Option<String>, Halt> {
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
                Err(Halt::Ended(Ending::AgentFailed { reason }))
            }
            _ => Ok(()),
        }
    }
}
