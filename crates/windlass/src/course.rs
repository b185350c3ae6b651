//! The course of a loop: what is the same in every kind, whatever an iteration does. It calls the
//! agents, looks at the tree that they leave, hears claims, commits, and sums the iteration up.

mod background;
mod hindsight;
mod proving;
mod reading;
mod round;

use std::{
    collections::BTreeMap,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU32, Ordering},
    },
};

use windlass_core::{
    claim::NearMiss,
    context::{self, Asked, Context, Learner, Lesson, Rejection},
    ending::{ClaimedBy, Ending},
    event::{EventKind, IterationSummary},
    evidence::TaskMark,
    ids::Place,
    options::ContextWhen,
    role,
    step::{SessionReport, SessionStep},
};

use self::{background::Background, hindsight::Hindsight};
pub(crate) use self::{
    reading::has_changed_files,
    round::{Round, Worked},
};

use crate::{
    backoff,
    every_kind::Common,
    halt::Halt,
    identity::LoopIdentity,
    limits::{self, Shift},
    pace,
    proof::{self, Hearing, Judged, LoopStart},
    run::{Run, Seen},
};

/// What agents are asked in one session, by how each can be taught.
pub(crate) type ByLearner = BTreeMap<Learner, Asked>;

/// A loop on its course.
pub(crate) struct Course<'a> {
    run: &'a Run<'a>,
    options: &'a Common,
    named: &'a LoopIdentity,
    loop_start: LoopStart,
    /// Guarded files that a finding is about: they are not guarded any more.
    released: Vec<String>,
    /// Those of them that differed when the work was proven.
    differed: Vec<String>,
    /// Who takes turns in each part.
    shifts: BTreeMap<&'static str, Shift>,
    hindsight: Hindsight,
    background: Background,
    /// Who worked since the last look, and what the session came to.
    worked: Mutex<Option<(u32, &'static str, SessionReport)>>,
    /// The last iteration in which a session was told to have changed nothing because it lacked permission.
    idle_told: AtomicU32,
    /// What the last look showed.
    seen: Seen,
    rejection: Option<Rejection>,
    /// What almost claimed in the last iteration.
    near_miss: Option<NearMiss>,
    failure: Option<String>,
    failures: u32,
}

impl<'a> Course<'a> {
    /// Records what is there before the first iteration. The files in `spared` are the agent's to
    /// change, also where a check names it.
    pub(crate) async fn start(
        run: &'a Run<'a>,
        options: &'a Common,
        named: &'a LoopIdentity,
        spared: &[String],
    ) -> Result<Self, Halt> {
        let loop_start = LoopStart::record(run, &options.proof, spared).await?;
        let seen = loop_start.seen.clone();
        Ok(Self {
            run,
            options,
            named,
            shifts: BTreeMap::new(),
            hindsight: Hindsight::new(&options.rules, seen.head()),
            background: Background::default(),
            worked: Mutex::default(),
            idle_told: AtomicU32::new(0),
            loop_start,
            released: Vec::new(),
            differed: Vec::new(),
            seen,
            rejection: None,
            near_miss: None,
            failure: None,
            failures: 0,
        })
    }

    /// The tree at the loop's start.
    pub(crate) fn start_tree(&self) -> Option<String> {
        self.loop_start.seen.tree()
    }

    /// The tree that the last iteration left.
    pub(crate) fn last_tree(&self) -> Option<String> {
        self.seen.tree()
    }

    /// How many iterations in a row have failed.
    pub(crate) fn failures(&self) -> u32 {
        self.failures
    }

    /// Paths that the user had changed before the loop.
    pub(crate) fn dirty(&self) -> &[String] {
        &self.loop_start.dirty
    }

    /// Why the last claim was rejected.
    pub(crate) fn rejection(&self) -> Option<&Rejection> {
        self.rejection.as_ref()
    }

    /// What the agents of the loop are asked in an iteration: the user's words, and what windlass
    /// adds to them.
    pub(crate) fn prompt(
        &self,
        user: &str,
        iteration: u32,
        lesson: Lesson<'_>,
        when: ContextWhen,
    ) -> ByLearner {
        let context = Context {
            iteration,
            max_iterations: self.allowed(iteration),
            lesson,
            failure: self.failure.as_deref(),
            lost_background: self.background.lost_last(),
            rejection: self.rejection.as_ref(),
            near_miss: self.near_miss.as_ref(),
        };
        let limit = self.named.prompt_limit;
        let learners = self.named.learners.values().copied().chain([Learner::ByPrompt]);
        learners
            .map(|learner| (learner, context::asked(user, &context, (when, learner), limit)))
            .collect()
    }

    /// How many iterations there may be. One that an agent failed in can be done again after the last.
    fn allowed(&self, iteration: u32) -> u32 {
        match self.options.rules.max_iterations {
            0 => 0,
            limit => limit.max(iteration),
        }
    }

    /// Calls the agent of a part, as often as it takes until the answer is not a limit.
    pub(crate) async fn call(
        &mut self,
        place: Place,
        role: &'static str,
        task: Option<&str>,
        prompt: String,
    ) -> Result<SessionReport, Halt> {
        let prompt = self.background.told(role, prompt, self.named.prompt_limit);
        let asked = ByLearner::from([(Learner::ByPrompt, Asked::only(prompt))]);
        self.call_each(place, role, task, &asked).await
    }

    /// Calls the agent of a part with what it is asked by how it can be taught.
    async fn call_each(
        &mut self,
        place: Place,
        role: &'static str,
        task: Option<&str>,
        asked: &ByLearner,
    ) -> Result<SessionReport, Halt> {
        let named = self.named;
        let limits = &self.options.limits;
        let shift =
            self.shifts.entry(role).or_insert_with(|| Shift::new(named.agent_of(role), limits));
        let step = |agent: &str| {
            let asked = asked.get(&named.learner(agent)).or_else(|| asked.get(&Learner::ByPrompt));
            let Asked { prompt, lesson } = asked.cloned().unwrap_or_default();
            let task = task.map(str::to_owned);
            SessionStep { lesson, task, ..SessionStep::new(role, agent, prompt) }
        };
        let iteration = place.iteration();
        let report = shift.session(self.run, (limits, &self.options.pace), &place, step).await?;
        self.background.observe(self.run, (iteration, role), &report);
        // Once an iteration is enough.
        if !role::must_answer(role) && self.idle_told.load(Ordering::Relaxed) != iteration {
            *self.worked.lock().unwrap_or_else(PoisonError::into_inner) =
                Some((iteration, role, report.clone()));
        }
        Ok(report)
    }

    /// Calls the one agent of the loop, and looks at the tree that it left.
    pub(crate) async fn work(&mut self, iteration: u32, asked: ByLearner) -> Result<Worked, Halt> {
        let place = Place::new(iteration, role::AGENT);
        let session = self.call_each(place, role::AGENT, None, &asked).await?;
        let seen = self.look(Place::new(iteration, "tree")).await?;
        Ok(Worked { session, seen, objections: Vec::new(), blocked_task: None })
    }

    /// Looks at the tree, and counts what changed since the iteration before and since the start. Says
    /// so where the session before it changed nothing because it lacked permission.
    pub(crate) async fn look(&self, place: Place) -> Result<Seen, Halt> {
        let seen = self.run.look(place, self.seen.tree(), self.loop_start.seen.tree()).await?;
        let worked = self.worked.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some((iteration, role, session)) = worked
            && self.run.tell_idle(iteration, role, &session, &seen)
        {
            self.idle_told.store(iteration, Ordering::Relaxed);
        }
        Ok(seen)
    }

    /// Judges a claim that is there before any session. Gives the loop's ending if it is proven.
    pub(crate) async fn open_with(&mut self, by: ClaimedBy) -> Result<Option<Ending>, Halt> {
        let proof = &self.options.proof;
        let hearing = proof::judge(&self.case(), 0, by, &self.seen).await?;
        let place = Place::new(0, "opened");
        if self.run.belongs(&place, proof.has_checks()) {
            // What the checks leave is not the work of the first iteration.
            self.seen = self.look(place).await?;
        }
        Ok(self.verdict(hearing.judged, by))
    }

    /// Judges the claim that was made, brings the iteration to its end, and pauses where the
    /// session failed. Gives the loop's ending if it has come to one.
    pub(crate) async fn settle(
        &mut self,
        iteration: u32,
        worked: Worked,
        claimed: Option<ClaimedBy>,
        tasks: Option<TaskMark>,
    ) -> Result<Option<Ending>, Halt> {
        let near_miss = worked.session.claim.near_miss.clone();
        self.near_miss = near_miss.filter(|_| claimed.is_none());
        if let Some(NearMiss { why, text }) = self.near_miss.clone() {
            self.run.note(iteration, EventKind::NearMiss { iteration, why, text });
        }
        let (hearing, seen) = self.hear(iteration, &worked, claimed).await?;
        let judged = hearing.judged.clone();
        let mut round = Round::of(&worked.session, seen, hearing);
        round.evidence.tasks = tasks;
        // Where the checks alone decide, nobody has claimed anything before they pass.
        if claimed == Some(ClaimedBy::Checks) && matches!(judged, Judged::Rejected(_)) {
            round.hearing.judged = Judged::None;
        }
        round.evidence.blocked_task.clone_from(&worked.blocked_task);
        self.close(iteration, round).await?;
        if let Some(by) = claimed
            && let Some(ending) = self.verdict(judged, by)
        {
            return Ok(Some(ending));
        }
        self.give_up_if_hopeless(iteration, &worked.session)?;
        self.pause(iteration).await?;
        Ok(None)
    }

    /// Judges a claim; gives the tree as it is after the checks.
    pub(crate) async fn hear(
        &self,
        iteration: u32,
        worked: &Worked,
        claimed: Option<ClaimedBy>,
    ) -> Result<(Hearing, Seen), Halt> {
        let proof = &self.options.proof;
        let (seen, objections) = (&worked.seen, &worked.objections);
        let hearing = match claimed {
            Some(by) if !objections.is_empty() => {
                proof::reject(self.run, iteration, by, objections.clone())
            }
            Some(by) => proof::judge(&self.case(), iteration, by, seen).await?,
            None => Hearing::of_kind(Judged::None),
        };
        // Checks may change files too, and what they leave is what the iteration leaves.
        let place = Place::new(iteration, "left");
        let seen = match hearing.judged {
            Judged::None => seen.clone(),
            _ if !self.run.belongs(&place, proof.has_checks()) => seen.clone(),
            _ => self.look(place).await?,
        };
        Ok((hearing, seen))
    }

    /// Brings an iteration to its end: commits what it changed, and lets the rules judge it.
    pub(crate) async fn close(&mut self, iteration: u32, round: Round) -> Result<(), Halt> {
        let head = self.commit(iteration, &round.seen).await?.or_else(|| round.seen.head());
        let mut summary = round.summary(iteration, head);
        self.look_at_checks(&mut summary, &round.seen).await?;
        self.hindsight.observe(&summary);
        self.background.close();
        self.failures = if summary.failed_in_vain() { self.failures + 1 } else { 0 };
        self.failure = round.failure;
        self.seen = round.seen;
        self.run.finish(summary).await
    }

    /// Ends the loop where the session failed in a way that no other try can mend.
    pub(crate) fn give_up_if_hopeless(
        &self,
        iteration: u32,
        session: &SessionReport,
    ) -> Result<(), Halt> {
        if !session.outcome.is_hopeless() || self.run.is_past(iteration) {
            return Ok(());
        }
        let reason = session.failure().unwrap_or_else(|| session.outcome.to_string());
        Err(Halt::Ended(Ending::agent_failed(reason)))
    }

    /// Waits before the next iteration, where sessions fail or a pause is wanted.
    pub(crate) async fn pause(&self, iteration: u32) -> Result<(), Halt> {
        limits::between_iterations(self.run, &self.options.limits, iteration).await?;
        backoff::between_failures(self.run, iteration, self.failures).await?;
        pace::between_iterations(self.run, &self.options.pace, iteration).await
    }

    /// What a judged claim comes to; a rejection is kept for the next prompt.
    fn verdict(&mut self, judged: Judged, by: ClaimedBy) -> Option<Ending> {
        match judged {
            Judged::Accepted { checks, waived } => {
                return Some(Ending::accepted(by, checks > 0 && !waived));
            }
            Judged::Rejected(rejection) => self.rejection = Some(rejection),
            Judged::None => (),
        }
        None
    }

    /// One short of giving up for want of progress, the checks are run to look: what they say may
    /// move though nothing in the tree does, or nothing but numbers.
    async fn look_at_checks(
        &self,
        summary: &mut IterationSummary,
        seen: &Seen,
    ) -> Result<(), Halt> {
        let proof = &self.options.proof;
        if !summary.evidence.checks.is_empty() {
            return Ok(());
        }
        let is_due = proof.has_checks() && self.hindsight.is_near(summary);
        let first = Place::new(summary.iteration, "look/1");
        if self.run.belongs(&first, is_due) {
            let checks = proof::look(&self.case(), summary.iteration, seen).await?;
            summary.evidence.add_checks(&checks);
        }
        Ok(())
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
        self.run.commit(place, message, self.loop_start.dirty.clone()).await
    }
}
