//! The course of a loop that works with one session an iteration. What comes after the session is
//! the same in all of them: look at the tree, judge the claim, commit, and sum the iteration up.

use crate::{
    backoff,
    churning::Churning,
    context::{self, Context},
    ending::{ClaimedBy, Ending},
    event::{ClaimFate, IterationSummary},
    evidence::{Evidence, TaskMark},
    halt::Halt,
    ids::Place,
    kind::{Common, Named},
    limits::Shift,
    options::Claiming,
    pace,
    progress::Progress,
    proof::{self, Baseline, Hearing, Judged, Rejection},
    run::{Run, Seen},
    step::{CheckReport, SessionReport},
};

/// A loop on its course.
pub struct Course<'a> {
    run: &'a Run<'a>,
    options: &'a Common,
    claiming: &'a Claiming,
    named: &'a Named,
    baseline: Baseline,
    shift: Shift,
    progress: Progress,
    churning: Churning,
    /// What the last iteration left.
    seen: Seen,
    rejection: Option<Rejection>,
    failure: Option<String>,
    failures: u32,
}

/// What a session left behind, before anything is judged.
pub struct Worked {
    /// What the session came to.
    pub session: SessionReport,
    /// The tree that it left.
    pub seen: Seen,
    /// What speaks against its claim, whatever the checks say: a clause each.
    pub objections: Vec<String>,
}

impl<'a> Course<'a> {
    /// Records what is there before the first iteration. The file in `spared` is the agent's to
    /// change, also where a check names it.
    pub async fn start(
        run: &'a Run<'a>,
        (options, claiming): (&'a Common, &'a Claiming),
        named: &'a Named,
        spared: Option<&str>,
    ) -> Result<Self, Halt> {
        let baseline = Baseline::record(run, &options.proof, spared).await?;
        let seen = baseline.seen.clone();
        Ok(Self {
            run,
            options,
            claiming,
            named,
            shift: Shift::new(&named.agent, &options.limits),
            progress: Progress::from(seen.head()),
            churning: Churning::default(),
            baseline,
            seen,
            rejection: None,
            failure: None,
            failures: 0,
        })
    }

    /// The prompt of an iteration: the user's words, and what windlass adds to them.
    pub fn prompt(&self, user: &str, iteration: u32, no_context: bool) -> String {
        let (claiming, limit) = (self.claiming, self.named.prompt_limit);
        let checks = &self.options.proof.checks;
        if (iteration == 1 && self.rejection.is_none()) || no_context {
            return context::lesson_only(user, claiming, checks, limit);
        }
        let context = Context {
            iteration,
            max_iterations: self.options.rules.max_iterations,
            claiming,
            checks,
            failure: self.failure.as_deref(),
            rejection: self.rejection.as_ref(),
        };
        context::prompt(user, &context, limit)
    }

    /// Calls the agent, and looks at the tree that it left.
    pub async fn work(&mut self, iteration: u32, prompt: &str) -> Result<Worked, Halt> {
        let how = (&self.options.limits, &self.options.pace);
        let session = self.shift.session(self.run, how, iteration, "agent", prompt).await?;
        let seen = self.look(iteration, "tree").await?;
        Ok(Worked { session, seen, objections: Vec::new() })
    }

    /// Judges a claim that is there before any session. Gives the loop's ending if it is proven.
    pub async fn open_with(&mut self, by: ClaimedBy) -> Result<Option<Ending>, Halt> {
        let proof = &self.options.proof;
        let hearing = proof::judge(self.run, proof, &self.baseline, 0, by, &self.seen).await?;
        if !proof.checks.is_empty() {
            // What the checks leave is not the work of the first iteration.
            self.seen = self.look(0, "opened").await?;
        }
        match hearing.judged {
            Judged::Accepted { checks } => {
                return Ok(Some(Ending::Done { by, unverified: checks == 0 }));
            }
            Judged::Rejected(rejection) => self.rejection = Some(rejection),
            Judged::None => (),
        }
        Ok(None)
    }

    async fn look(&self, iteration: u32, what: &str) -> Result<Seen, Halt> {
        let place = Place::new(iteration, what);
        self.run.look(place, self.seen.tree(), self.baseline.seen.tree()).await
    }

    /// Judges the claim that was made, brings the iteration to its end, and pauses where the
    /// session failed. Gives the loop's ending if it has come to one.
    pub async fn settle(
        &mut self,
        iteration: u32,
        worked: Worked,
        claimed: Option<ClaimedBy>,
        tasks: Option<TaskMark>,
    ) -> Result<Option<Ending>, Halt> {
        let Worked { session, seen, objections } = worked;
        let proof = &self.options.proof;
        let hearing = match claimed {
            Some(by) if !objections.is_empty() => {
                proof::reject(self.run, iteration, by, objections)
            }
            Some(by) => proof::judge(self.run, proof, &self.baseline, iteration, by, &seen).await?,
            None => Hearing { judged: Judged::None, checks: Vec::new() },
        };
        // Checks may change files too, and what they leave is what the iteration leaves.
        let seen = match hearing.judged {
            Judged::None => seen,
            _ if proof.checks.is_empty() => seen,
            _ => self.look(iteration, "left").await?,
        };
        let head = self.commit(iteration, &seen).await?.or_else(|| seen.head());
        self.failure = failure_of(&session);
        let mut summary = summary(iteration, &seen, head, &hearing, self.failure.clone());
        summary.evidence = evidence(&session, &hearing.checks, &seen, tasks);
        self.look_at_checks(&mut summary, &session, &seen, tasks).await?;
        self.progress.observe(&summary);
        self.churning.observe(&summary);
        self.seen = seen;
        self.failures = if summary.failed_in_vain() { self.failures + 1 } else { 0 };
        self.run.finish(summary)?;
        self.conclude(iteration, &session, hearing.judged, claimed).await
    }

    /// One short of giving up for want of progress, the checks are run to look: what they say may
    /// move though nothing in the tree does, or nothing but numbers.
    async fn look_at_checks(
        &self,
        summary: &mut IterationSummary,
        session: &SessionReport,
        seen: &Seen,
        tasks: Option<TaskMark>,
    ) -> Result<(), Halt> {
        if !summary.evidence.checks.is_empty() || self.options.proof.checks.is_empty() {
            return Ok(());
        }
        if !self.stands_still(summary) && !self.churns(summary) {
            return Ok(());
        }
        let checks = proof::look(self.run, &self.options.proof, summary.iteration, seen).await?;
        summary.evidence = evidence(session, &checks, seen, tasks);
        Ok(())
    }

    /// Whether the rule `stagnation` is at least one short of tripping.
    fn stands_still(&self, summary: &IterationSummary) -> bool {
        let threshold = self.options.rules.stagnation_threshold;
        let is_asked = threshold > 0 && summary.failure.is_none() && summary.tree.is_some();
        let running = self.progress.after(summary);
        is_asked && running > 0 && running + 1 >= threshold
    }

    /// Whether the rule `churn` is at least one short of tripping.
    fn churns(&self, summary: &IterationSummary) -> bool {
        let threshold = self.options.rules.churn_threshold;
        let running = self.churning.after(summary);
        threshold > 0 && running.is_some_and(|running| running + 1 >= threshold)
    }

    async fn conclude(
        &mut self,
        iteration: u32,
        session: &SessionReport,
        judged: Judged,
        claimed: Option<ClaimedBy>,
    ) -> Result<Option<Ending>, Halt> {
        match (judged, claimed) {
            (Judged::Accepted { checks }, Some(by)) => {
                return Ok(Some(Ending::Done { by, unverified: checks == 0 }));
            }
            (Judged::Rejected(rejection), _) => self.rejection = Some(rejection),
            _ => (),
        }
        if session.outcome.is_hopeless() && !self.run.is_past(iteration) {
            let reason = self.failure.clone().unwrap_or_else(|| session.outcome.to_string());
            return Ok(Some(Ending::AgentFailed { reason }));
        }
        backoff::between_failures(self.run, iteration, self.failures).await?;
        pace::between_iterations(self.run, &self.options.pace, iteration).await?;
        Ok(None)
    }

    async fn commit(&self, iteration: u32, seen: &Seen) -> Result<Option<String>, Halt> {
        let git = &self.options.git;
        // A tree that is as at the start may differ from the last commit: what was taken back
        // counts.
        if !git.auto_commit || (seen.modified == 0 && seen.changed == 0) {
            return Ok(None);
        }
        let message = git
            .commit_template
            .replace("{iteration}", &iteration.to_string())
            .replace("{name}", &self.named.name)
            .replace("{id}", &self.named.id);
        let place = Place::new(iteration, "commit");
        self.run.commit(place, message, self.baseline.dirty.clone()).await
    }
}

/// How the session failed, in a line; `None` where it finished.
fn failure_of(session: &SessionReport) -> Option<String> {
    session.outcome.is_failure().then(|| match &session.problem {
        Some(problem) => format!("{}: {problem}", session.outcome),
        None => session.outcome.to_string(),
    })
}

fn evidence(
    session: &SessionReport,
    checks: &[CheckReport],
    seen: &Seen,
    tasks: Option<TaskMark>,
) -> Evidence {
    Evidence { tasks, only_numbers: seen.only_numbers, ..Evidence::of(session, checks) }
}

fn summary(
    iteration: u32,
    seen: &Seen,
    head: Option<String>,
    hearing: &Hearing,
    failure: Option<String>,
) -> IterationSummary {
    IterationSummary {
        iteration,
        tree: seen.tree(),
        head,
        files_changed: seen.changed,
        files_modified: seen.modified,
        claim: match hearing.judged {
            Judged::None => ClaimFate::None,
            Judged::Accepted { .. } => ClaimFate::Accepted,
            Judged::Rejected(_) => ClaimFate::Rejected,
        },
        failure,
        evidence: Evidence::default(),
        duration_ms: 0,
    }
}
