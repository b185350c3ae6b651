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

/// What a reviewer is told of a task that is tried again after others had their turn.
const OTHERS_TOO: &str = "\n\n(Other tasks were worked on since this one began, and the diff shows \
                          their work too. Judge this task only.)";

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
    start: Option<String>,
    /// The jj commit at the loop's start.
    start_revision: Option<String>,
}

/// How it stands with a task before an iteration.
#[derive(Clone, Debug, Default)]
pub(super) struct Standing {
    /// The tree where the task began.
    since: Option<String>,
    /// The jj commit there.
    revision: Option<String>,
    /// How often it was tried.
    pub(super) attempt: u32,
    /// Set where other tasks were worked on since it began.
    pub(super) has_company: bool,
    /// Set where the developer's work was not reviewed, because the reviewer failed: the next
    /// iteration begins with that.
    pub(super) review_is_due: bool,
    /// Set where the developer was blocked in its last try.
    pub(super) was_blocked: bool,
    /// How the last session failed, in any role.
    pub(super) trouble: Option<String>,
    /// What the reviewer said last.
    pub(super) feedback: Option<String>,
    /// How the developer's last session failed.
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
            start: course.start_tree(),
            start_revision: run.mark(Place::new(0, "mark")).await?,
        })
    }

    /// How it stands with a task that begins with that iteration.
    pub(super) async fn begin(
        &self,
        iteration: u32,
        course: &Course<'_>,
    ) -> Result<Standing, Halt> {
        if iteration == 1 {
            let (since, revision) = (self.start.clone(), self.start_revision.clone());
            return Ok(Standing { since, revision, ..Standing::default() });
        }
        let place = Place::new(iteration, "mark");
        // An earlier version marked the loop's start only, and where the task began nobody knows now.
        let is_unmarked = self.run.has_begun(iteration) && !self.run.is_done(&place);
        let revision = match &self.start_revision {
            Some(_) if !is_unmarked => self.run.mark(place).await?,
            start => start.clone(),
        };
        Ok(Standing { since: course.last_tree(), revision, ..Standing::default() })
    }

    /// What the developer is asked.
    pub(super) fn for_developer(&self, task: &Task, standing: &Standing) -> Result<String, Halt> {
        let rejection = standing.rejection.as_ref();
        let failed: Vec<FailedCheck<'_>> = rejection
            .into_iter()
            .flat_map(|rejection| &rejection.failed)
            .map(|check| FailedCheck { command: &check.command, output: &check.tail })
            .collect();
        let given = DevelopGiven {
            task: &task.text,
            plan: self.plan.as_deref(),
            iteration: standing.attempt,
            max_iterations: self.allowed(standing),
            feedback: standing.feedback.as_deref(),
            failure: standing.failure.as_deref(),
            reasons: rejection.map_or(&[], |rejection| &rejection.reasons),
            failed: &failed,
            checks: self.checks,
        };
        let cuts = [Cut::KeepEnd("output"), Cut::KeepStart("feedback"), Cut::KeepStart("plan")];
        self.fill(PromptName::Develop, given, &cuts)
    }

    /// What changed since the task began.
    pub(super) async fn diff(
        &self,
        iteration: u32,
        standing: &Standing,
    ) -> Result<DiffReport, Halt> {
        let beside = BESIDE_THE_DIFF + self.plan.as_ref().map_or(0, String::len);
        let room = self.limit.map_or(patch::LIMIT, |limit| limit.saturating_sub(beside));
        let place = Place::new(iteration, "diff");
        let (since, revision) = (standing.since.clone(), standing.revision.clone());
        self.run.diff(place, since, revision, room.min(patch::LIMIT)).await
    }

    /// What the reviewer is asked.
    pub(super) fn for_reviewer(
        &self,
        task: &Task,
        standing: &Standing,
        diff: &DiffReport,
    ) -> Result<String, Halt> {
        let left_out = diff.left_out_lines();
        let company = if standing.has_company { OTHERS_TOO } else { "" };
        let given = ReviewDiffGiven {
            task: &format!("{}{company}", task.text),
            plan: self.plan.as_deref(),
            iteration: standing.attempt,
            max_iterations: self.allowed(standing),
            feedback: standing.feedback.as_deref(),
            checks: self.checks,
            diff: if diff.by.is_none() { NO_REPOSITORY } else { &diff.text },
            left_out: &left_out,
            binary: &diff.binary,
        };
        let cuts = [Cut::KeepStart("diff"), Cut::KeepStart("feedback"), Cut::KeepStart("plan")];
        self.fill(PromptName::ReviewDiff, given, &cuts)
    }

    /// How many iterations a task may have; never fewer than it had, for those of an earlier owner
    /// stay.
    fn allowed(&self, standing: &Standing) -> u32 {
        match self.max_iterations {
            0 => 0,
            limit => limit.max(standing.attempt),
        }
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
