//! `heal`: a review, its findings, a fix for each, and the tests; once, or until a review finds
//! nothing more.

mod fixes;
mod review;
mod tests_phase;

use std::path::Path;

use serde::{Deserialize, Serialize};

use self::{
    fixes::Fixes,
    review::Review,
    tests_phase::{Awakened, Tests},
};
use super::{Common, Named};
use crate::{
    course::{Course, Round},
    detect,
    ending::{ClaimedBy, Ending},
    event::{EventKind, FindingsSeen, Phase, PhaseEntered},
    findings::{Finding, Ledger, Noticed},
    halt::Halt,
    ids::Place,
    options::{PromptOptions, Rules},
    proof::{Hearing, Judged},
    run::Run,
};

/// Review, fix and test
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default)]
pub struct Options {
    /// Repeat all of it until a review finds nothing
    #[cfg_attr(feature = "clap", arg(id = "loop", long = "loop"))]
    #[serde(rename = "loop")]
    pub looped: bool,

    /// Review only: fix nothing
    #[cfg_attr(feature = "clap", arg(long))]
    pub review_only: bool,

    /// The phase to begin with; what comes before it is taken from `.review-output.md`
    #[cfg_attr(feature = "clap", arg(long, value_name = "PHASE", default_value = "review"))]
    pub start_at: StartAt,

    /// The branch that the work is compared with; the usual one if left out
    #[cfg_attr(feature = "clap", arg(long, value_name = "BRANCH", conflicts_with = "all"))]
    pub base: Option<String>,

    /// Review everything, and not only what differs from the base
    #[cfg_attr(feature = "clap", arg(long, conflicts_with = "paths"))]
    pub all: bool,

    /// Review these files and directories
    #[cfg_attr(feature = "clap", arg(value_name = "PATH", conflicts_with = "base"))]
    pub paths: Vec<String>,

    /// The command that runs the tests; found by windlass if left out
    #[cfg_attr(feature = "clap", arg(long, value_name = "CMD"))]
    pub test: Option<String>,

    /// How often the agent may try to mend tests that fail after the fixes
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub heal_attempts: u32,

    /// The agent that reviews; the loop's agent if left out
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAME[:MODEL]", help_heading = "Agent"))]
    pub reviewer: Option<String>,

    /// The agent that fixes; the loop's agent if left out
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAME[:MODEL]", help_heading = "Agent"))]
    pub fixer: Option<String>,

    /// Findings that stand for the first review.
    #[cfg_attr(feature = "clap", arg(skip))]
    pub given: Option<Vec<Finding>>,

    /// What every kind has.
    #[cfg_attr(feature = "clap", command(flatten))]
    #[serde(flatten)]
    pub common: Common,

    /// The prompts that the user has replaced.
    #[cfg_attr(feature = "clap", command(flatten))]
    #[serde(flatten)]
    pub prompts: PromptOptions,
}

/// The phase that a loop begins with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "snake_case")]
pub enum StartAt {
    /// The review
    #[default]
    Review,
    /// Reading the findings of the review that is kept
    Parse,
    /// Fixing the findings of the review that is kept
    Fix,
    /// The tests
    Test,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            looped: false,
            review_only: false,
            start_at: StartAt::Review,
            base: None,
            all: false,
            paths: Vec::new(),
            test: None,
            heal_attempts: 2,
            reviewer: None,
            fixer: None,
            given: None,
            common: Common { rules: Rules::of_reviewed_loops(), ..Common::default() },
            prompts: PromptOptions::default(),
        }
    }
}

impl Options {
    /// How many iterations there may be; 0 for no limit.
    pub fn max_iterations(&self) -> u32 {
        if self.looped { self.common.rules.max_iterations } else { 1 }
    }

    /// Finds out how the tests are run, where nobody says; gives what is to be told of it.
    pub(crate) fn find_tests(&mut self, directory: &Path) -> Option<String> {
        if self.test.is_some() || self.review_only {
            return None;
        }
        let found = detect::tests(directory)?;
        let text = format!("the tests are run with `{}`: {}", found.command, found.because);
        self.test = Some(found.command);
        Some(text)
    }

    /// What does not go together, in words.
    pub fn contradiction(&self) -> Option<&'static str> {
        match () {
            () if self.looped && self.review_only => {
                Some("`--loop` and `--review-only` exclude one another")
            }
            () if self.looped && self.start_at != StartAt::Review => {
                Some("`--loop` begins with the review, so `--start-at` cannot say otherwise")
            }
            () if self.review_only && self.start_at > StartAt::Parse => {
                Some("with `--review-only` there is nothing to fix or to test")
            }
            () if self.given.is_some() && self.start_at != StartAt::Review => {
                Some("`--findings` stands for the review, so `--start-at` cannot say otherwise")
            }
            () => None,
        }
    }
}

pub(super) async fn drive(run: &Run<'_>, options: &Options, named: &Named) -> Result<Ending, Halt> {
    let course = Course::start(run, &options.common, named, None).await?;
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
    /// The tree that the tests passed on last, and how many commands.
    proven: Option<(Option<String>, u32)>,
}

impl Healing<'_> {
    /// One iteration; gives the ending, if the loop has come to one.
    async fn iterate(&mut self, iteration: u32) -> Result<Option<Ending>, Halt> {
        let mut fixed = true;
        if self.options.start_at < StartAt::Test {
            let found = self.found(iteration).await?;
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
            Some(given) => given,
            None => self.review.findings(&mut self.course, &self.ledger, iteration).await?,
        };
        let observed = self.ledger.observe(iteration, findings);
        let found = observed.noticed.clone();
        self.run.note(iteration, EventKind::FindingsSeen(FindingsSeen { iteration, observed }));
        Ok(found)
    }

    /// A review found nothing: that is the end, unless checks say otherwise.
    async fn clean(&mut self, iteration: u32) -> Result<Ending, Halt> {
        let commands = self.options.common.proof.checks.clone();
        let tree = self.course.look(Place::new(iteration, "reviewed")).await?.tree();
        let known = self.proven.take().filter(|(proven, _)| tree.is_some() && *proven == tree);
        let proven = match known {
            Some((_, checks)) => Ok(checks),
            None => self.tests.prove(&mut self.course, iteration, commands).await?,
        };
        match proven {
            Ok(checks) => {
                self.accept(iteration, checks).await?;
                Ok(Ending::Clean { iteration })
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
        let checks = match awakened {
            Awakened::Passed { checks } => checks,
            Awakened::Skipped => 0,
            Awakened::Failed { reason } => {
                self.close(iteration, Judged::None).await?;
                return Ok(Some(Ending::TestsFailed { iteration, reason }));
            }
        };
        if !self.options.looped && fixed {
            self.accept(iteration, checks).await?;
            let by = ClaimedBy::Verdict;
            return Ok(Some(Ending::Done { by, unverified: checks == 0 }));
        }
        let tree = self.close(iteration, Judged::None).await?;
        self.proven = (checks > 0).then_some((tree, checks));
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
    async fn accept(&mut self, iteration: u32, checks: u32) -> Result<(), Halt> {
        let by = ClaimedBy::Verdict;
        self.run.note(iteration, EventKind::Claimed { iteration, by });
        let tree = self.course.look(Place::new(iteration, "accepted")).await?.tree();
        let accepted = EventKind::ClaimAccepted { iteration, by, checks, tree };
        self.run.note(iteration, accepted);
        self.close(iteration, Judged::Accepted { checks }).await.map(drop)
    }

    /// Ends the iteration; gives the tree that it leaves.
    async fn close(&mut self, iteration: u32, judged: Judged) -> Result<Option<String>, Halt> {
        let seen = self.course.look(Place::new(iteration, "tree")).await?;
        let (tree, hearing) = (seen.tree(), Hearing { judged, checks: Vec::new() });
        self.course.close(iteration, Round::without_session(seen, hearing)).await?;
        Ok(tree)
    }

    fn enter(&self, iteration: u32, phase: Phase) {
        enter(self.run, iteration, phase);
    }
}

fn enter(run: &Run<'_>, iteration: u32, phase: Phase) {
    let entered = PhaseEntered { iteration, phase, task: None, attempt: None, text: None };
    run.note(iteration, EventKind::Phase(entered));
}
