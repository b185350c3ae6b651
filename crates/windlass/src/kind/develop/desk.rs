//! What developer and reviewer are given to read.

use windlass_core::{
    context::Rejection,
    ids::Place,
    prompts::{Cut, DevelopGiven, FailedCheck, PromptName, Prompts, ReviewDiffGiven},
    text::patch::{self, DiffReport},
};

use super::{Options, assignment::Task};
use crate::{course::Course, halt::Halt, identity::LoopIdentity, run::Run};

/// What a prompt may need beside the diff, where an agent takes no prompt of any length.
const BESIDE_THE_DIFF: usize = 24 * 1024;

/// What a reviewer reads where nobody can tell what changed.
const NO_REPOSITORY: &str = "(This is no repository, so nobody can tell what has changed. Look at \
                             the files themselves.)";

/// What developer and reviewer are given to read.
pub(super) struct Desk<'a> {
    run: &'a Run<'a>,
    prompts: Prompts,
    plan: Option<String>,
    checks: &'a [String],
    pub(super) max_iterations: u32,
    /// The most bytes of a prompt.
    limit: Option<usize>,
    /// The tree at the loop's start.
    since: Option<String>,
    /// The jj commit at the loop's start.
    revision: Option<String>,
}

/// How it stands with a task before an iteration.
#[derive(Clone, Debug, Default)]
pub(super) struct Standing {
    /// What the reviewer said last.
    pub(super) feedback: Option<String>,
    /// How the last session failed.
    pub(super) failure: Option<String>,
    /// Why an approval was not accepted.
    pub(super) rejection: Option<Rejection>,
}

impl<'a> Desk<'a> {
    /// Reads the plan, and records where the loop begins.
    pub(super) async fn open(
        run: &'a Run<'a>,
        options: &'a Options,
        named: &LoopIdentity,
        course: &Course<'_>,
    ) -> Result<Self, Halt> {
        let prompts = Prompts::new(&options.prompts)
            .map_err(|error| Halt::Failed { message: error.to_string(), code: 2 })?;
        let plan = match &options.plan {
            Some(path) => Some(run.read(Place::new(0, "plan"), path).await?.0),
            None => None,
        };
        Ok(Self {
            run,
            prompts,
            plan,
            checks: &options.common.proof.checks,
            max_iterations: options.common.rules.max_iterations,
            limit: named.prompt_limit,
            since: course.start_tree(),
            revision: run.mark().await?,
        })
    }

    /// What the developer is asked.
    pub(super) fn for_developer(
        &self,
        task: &Task,
        attempt: u32,
        standing: &Standing,
    ) -> Result<String, Halt> {
        let rejection = standing.rejection.as_ref();
        let failed: Vec<FailedCheck<'_>> = rejection
            .into_iter()
            .flat_map(|rejection| &rejection.failed)
            .map(|check| FailedCheck { command: &check.command, output: &check.tail })
            .collect();
        let given = DevelopGiven {
            task: &task.text,
            plan: self.plan.as_deref(),
            iteration: attempt,
            max_iterations: self.max_iterations,
            feedback: standing.feedback.as_deref(),
            failure: standing.failure.as_deref(),
            reasons: rejection.map_or(&[], |rejection| &rejection.reasons),
            failed: &failed,
            checks: self.checks,
        };
        let cuts = [Cut::KeepEnd("output"), Cut::KeepStart("feedback"), Cut::KeepStart("plan")];
        self.fill(PromptName::Develop, given, &cuts)
    }

    /// What changed since the loop began.
    pub(super) async fn diff(&self, iteration: u32) -> Result<DiffReport, Halt> {
        let beside = BESIDE_THE_DIFF + self.plan.as_ref().map_or(0, String::len);
        let room = self.limit.map_or(patch::LIMIT, |limit| limit.saturating_sub(beside));
        let place = Place::new(iteration, "diff");
        let (since, revision) = (self.since.clone(), self.revision.clone());
        self.run.diff(place, since, revision, room.min(patch::LIMIT)).await
    }

    /// What the reviewer is asked.
    pub(super) fn for_reviewer(
        &self,
        task: &Task,
        attempt: u32,
        standing: &Standing,
        diff: &DiffReport,
    ) -> Result<String, Halt> {
        let left_out = diff.left_out_lines();
        let given = ReviewDiffGiven {
            task: &task.text,
            plan: self.plan.as_deref(),
            iteration: attempt,
            max_iterations: self.max_iterations,
            feedback: standing.feedback.as_deref(),
            checks: self.checks,
            diff: if diff.by.is_none() { NO_REPOSITORY } else { &diff.text },
            left_out: &left_out,
            binary: &diff.binary,
        };
        let cuts = [Cut::KeepStart("diff"), Cut::KeepStart("feedback"), Cut::KeepStart("plan")];
        self.fill(PromptName::ReviewDiff, given, &cuts)
    }

    fn fill(
        &self,
        name: PromptName,
        given: impl serde::Serialize,
        cuts: &[Cut<'_>],
    ) -> Result<String, Halt> {
        self.prompts
            .render_within(name, given, self.limit, cuts)
            .map_err(|error| Halt::Failed { message: error.to_string(), code: 2 })
    }
}
