//! `Run`: all that a loop can do. Start reading here.
//!
//! A loop is an ordinary async function over these verbs. Each verb is a durable step: it is taken
//! down, done, and taken down again with its result. In a resumed loop a step that was already
//! done is answered from the journal, and the loop does not notice.

mod committed;
mod earlier;
mod idle;
mod merged;
mod overages;
mod past;
mod programs;
mod proving;
mod recorded;
mod reviewed;
mod seen;
mod user_changes;

use std::{
    mem::discriminant,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU32, Ordering},
    },
    time::Duration,
};

use serde_json::{Value, json};

pub(crate) use committed::Committed;
pub(crate) use overages::{Overages, UsedUp};
pub(crate) use past::{ClaimFate, Past};
pub(crate) use recorded::RecordedClaim;
pub(crate) use reviewed::Base;
pub(crate) use seen::Seen;

use self::{proving::FailingCounts, seen::KnownTrees, user_changes::UserChanges};

use windlass_core::{
    ask::Choice,
    event::{EventKind, IterationSummary},
    ids::Place,
    options::{Moment, Proof, SandboxName},
    outcome::Outcome,
    step::{
        CheckReport, CheckStep, Fingerprints, HookStep, SessionReport, SessionStep, Step,
        StepResult, WaitFor,
    },
    stop::StopLevel,
    time::{Timestamp, millis},
};
use windlass_proof::{PathPrograms, check_files};
use windlass_store::{journal::Journal, store::Durability};
use windlass_system::{clock::Clock, stop::Stop};

use crate::{
    halt::Halt,
    identity::LoopIdentity,
    perform::{Listener, Worker},
};

/// One loop on its way.
pub(crate) struct Run<'a> {
    worker: &'a Worker,
    journal: &'a Journal,
    stop: Stop,
    named: &'a LoopIdentity,
    past: Past,
    /// What the snapshots show of programs that checks find in the work tree.
    programs: Mutex<PathPrograms>,
    /// When the current iteration began, since boot, for its duration.
    iteration_began: Mutex<Duration>,
    /// Whether something ran since the last look that may have changed files.
    is_unseen: AtomicBool,
    /// The iteration that has begun and is not over; 0 where there is none.
    under_way: AtomicU32,
    /// The trees that others are compared with.
    trees: KnownTrees,
    /// What the user changed while nothing ran.
    user_changes: Mutex<UserChanges>,
    /// How many tests failed when they were counted.
    failing: Mutex<FailingCounts>,
    /// Which agents have used up their plans.
    overages: Overages,
}

impl<'a> Run<'a> {
    /// A run over what `past` holds.
    pub(crate) fn new(
        worker: &'a Worker,
        journal: &'a Journal,
        named: &'a LoopIdentity,
        stop: Stop,
        past: Past,
    ) -> Self {
        let iteration_began = Mutex::new(journal.clock().since_boot());
        let user_changes = Mutex::new(past.user_changes.clone());
        let failing = Mutex::new(past.failing.clone());
        let run = Self {
            worker,
            journal,
            stop,
            named,
            past,
            programs: Mutex::default(),
            iteration_began,
            is_unseen: AtomicBool::new(false),
            under_way: AtomicU32::new(0),
            trees: KnownTrees::default(),
            user_changes,
            failing,
            overages: Overages::default(),
        };
        run.recall_programs();
        run
    }

    /// Begins an iteration, unless the loop is to stop.
    pub(crate) fn begin(&self, iteration: u32) -> Result<(), Halt> {
        if let Ok(mut began) = self.iteration_began.lock() {
            *began = self.clock().since_boot();
        }
        if iteration <= self.past.finished {
            return Ok(());
        }
        self.go_on()?;
        self.under_way.store(iteration, Ordering::Relaxed);
        if iteration > self.past.started {
            self.journal.emit(EventKind::IterationStarted { iteration });
        }
        Ok(())
    }

    /// Ends an iteration: stores it for good, lets the rules judge it, and runs the user's hooks.
    pub(crate) async fn finish(&self, mut summary: IterationSummary) -> Result<(), Halt> {
        let iteration = summary.iteration;
        self.trees.left(summary.tree.as_ref());
        if iteration > self.past.finished {
            if let Ok(began) = self.iteration_began.lock() {
                summary.duration_ms = millis(self.clock().since_boot().saturating_sub(*began));
            }
            self.under_way.store(0, Ordering::Relaxed);
            self.journal.emit(EventKind::IterationFinished(summary.clone()));
            self.journal.flush(Durability::Power)?;
        }
        // Of the iterations that are past, the last one may have been cut off before its hooks.
        if iteration < self.past.started {
            return Ok(());
        }
        let event = EventKind::IterationFinished(summary);
        self.hook(Place::new(iteration, "on/iteration_end"), Moment::IterationEnd, json!(event))
            .await?;
        let trips = self.journal.trips();
        let Some(trip) = trips.iter().find(|trip| trip.opens_circuit()) else {
            return Ok(());
        };
        let event = json!({"type": "rule_tripped", "rule": trip.rule, "reason": trip.reason});
        self.hook(Place::new(iteration, "on/trip"), Moment::Trip, event).await
    }

    /// Runs the program that the user wants to be run at a moment of the loop, if there is one.
    pub(crate) async fn hook(&self, place: Place, on: Moment, event: Value) -> Result<(), Halt> {
        let command = self.worker.hooks.at(on).to_vec();
        if command.is_empty() {
            return Ok(());
        }
        let (id, name) = (&self.named.id, &self.named.name);
        let mut input = json!({"on": on, "id": id, "loop": name, "event": event});
        self.worker.secrets.clean_json(&mut input);
        match self.step(place, Step::Hook(HookStep { on, command, input })).await? {
            StepResult::Hooked { problems, stops: true } => {
                Err(Halt::Failed { message: problems.join("; "), code: 4 })
            }
            StepResult::Hooked { .. } => Ok(()),
            other => Err(misfit(&other)),
        }
    }

    /// Whether the iteration was brought to its end by an earlier owner.
    pub(crate) fn is_past(&self, iteration: u32) -> bool {
        // What comes before the first iteration is over when that begins.
        if iteration == 0 { self.past.started > 0 } else { iteration <= self.past.finished }
    }

    /// Says whether the loop may go on after an iteration; it could in the past.
    pub(crate) fn go_on_after(&self, iteration: u32) -> Result<(), Halt> {
        if iteration < self.past.started { Ok(()) } else { self.go_on() }
    }

    /// Says whether the loop may begin something new.
    pub(crate) fn go_on(&self) -> Result<(), Halt> {
        if self.stop.level() >= StopLevel::AfterIteration { Err(Halt::Stopped) } else { Ok(()) }
    }

    /// Takes a fact down, once an iteration: not where an earlier owner has done so.
    pub(crate) fn note(&self, iteration: u32, kind: EventKind) {
        let noted = self.past.noted.contains(&(iteration, discriminant(&kind)))
            || self.past.notes.contains(&kind);
        if !noted && !self.is_past(iteration) {
            self.journal.emit(kind);
        }
    }

    /// Calls an agent of the loop in a role.
    pub(crate) async fn session(
        &self,
        place: Place,
        step: SessionStep,
    ) -> Result<SessionReport, Halt> {
        match self.step(place, Step::Session(step)).await? {
            StepResult::Session(report) if report.outcome == Outcome::Cancelled => {
                Err(Halt::Stopped)
            }
            StepResult::Session(report) => Ok(*report),
            other => Err(misfit(&other)),
        }
    }

    /// Runs a command that must pass.
    pub(crate) async fn check(&self, place: Place, step: CheckStep) -> Result<CheckReport, Halt> {
        let iteration = place.iteration();
        match self.step(place, Step::Check(step)).await? {
            StepResult::Check(report) => {
                self.programs().checked(iteration);
                Ok(report)
            }
            other => Err(misfit(&other)),
        }
    }

    /// Reads a file that the loop is about; gives its text, and what snapshots call it.
    pub(crate) async fn read(
        &self,
        place: Place,
        path: &str,
    ) -> Result<(String, Option<String>), Halt> {
        match self.step(place, Step::Read { path: path.to_owned() }).await? {
            StepResult::Read { text, in_tree } => Ok((text, in_tree)),
            other => Err(misfit(&other)),
        }
    }

    /// Records which files the user had changed before the loop.
    pub(crate) async fn dirty(&self, place: Place) -> Result<Vec<String>, Halt> {
        match self.step(place, Step::Dirty).await? {
            StepResult::Dirty { paths } => Ok(paths),
            other => Err(misfit(&other)),
        }
    }

    /// Whether something confines agents and checks.
    pub(crate) fn is_confined(&self) -> bool {
        self.worker.sandboxes.name() != SandboxName::None
    }

    /// The files in the work tree that the commands of the checks name.
    pub(crate) async fn files_named_by(&self, proof: &Proof) -> Result<Vec<String>, Halt> {
        if proof.no_protect_checks {
            return Ok(Vec::new());
        }
        let found = self.worker.files.existing(check_files(&proof.command_lines())).await;
        found.map_err(|message| Halt::Failed { message, code: 4 })
    }

    /// Records what protected files hold.
    pub(crate) async fn fingerprint(
        &self,
        place: Place,
        globs: Vec<String>,
        files: Vec<String>,
    ) -> Result<Fingerprints, Halt> {
        match self.step(place, Step::Fingerprint { globs, files }).await? {
            StepResult::Fingerprint { files } => Ok(files),
            other => Err(misfit(&other)),
        }
    }

    /// Asks whoever sits at the terminal; `None` where nobody does.
    pub(crate) async fn ask(
        &self,
        place: Place,
        question: String,
        choices: Vec<Choice>,
    ) -> Result<Option<Choice>, Halt> {
        if self.worker.asker.is_none() && !self.is_done(&place) {
            return Ok(None);
        }
        match self.step(place, Step::Ask { question, choices }).await? {
            StepResult::Answered { choice } => Ok(choice),
            other => Err(misfit(&other)),
        }
    }

    /// Waits until a time that stays the same over a resume.
    pub(crate) async fn wait(
        &self,
        place: Place,
        until: Timestamp,
        what: WaitFor,
        reason: &str,
    ) -> Result<(), Halt> {
        let begun = self.past.waits.get(&place);
        let until = begun.map_or(until, |begun| begun.until(self.clock().now()));
        let looked = place.inner("tree");
        self.step(place, Step::Wait { until, what, reason: reason.to_owned() }).await?;
        // What is different after a wait is the user's work.
        if self.trees.start().is_some() && self.belongs(&looked, true) {
            self.look(looked, None, None).await?;
        }
        Ok(())
    }

    /// The clock that the loop goes by.
    pub(crate) fn clock(&self) -> &Clock {
        self.journal.clock()
    }

    /// Does one step, or gives what it gave when it was done before.
    async fn step(&self, place: Place, step: Step) -> Result<StepResult, Halt> {
        // As it is stored, so that it is the same in a resumed loop.
        let secrets = &self.worker.secrets;
        let fingerprint = secrets.redact(&step.fingerprint()).into_owned();
        if let Some(done) = self.past.steps.get(&place)
            && !self.is_outdated(&place, &step, done, &fingerprint)
        {
            // Its options may be others by now, but a step of another kind is another loop's.
            let kind = |print: &str| print.split(' ').next().map(str::to_owned);
            if kind(&done.fingerprint) != kind(&fingerprint) {
                return Err(Halt::Failed {
                    message: format!("step {place} of this loop is not what it was before"),
                    code: 2,
                });
            }
            return Ok(done.result.clone());
        }
        // What is run at the end of a loop is run of one that was stopped too.
        let is_last = matches!(&step, Step::Hook(hook) if hook.on == Moment::LoopEnd);
        if self.stop.level() >= StopLevel::End && !is_last {
            return Err(Halt::Stopped);
        }
        self.do_step(place, step, fingerprint).await
    }

    /// Does a step, takes it down, and what it gave.
    async fn do_step(
        &self,
        place: Place,
        step: Step,
        fingerprint: String,
    ) -> Result<StepResult, Halt> {
        let secrets = &self.worker.secrets;
        if step.may_change_files() {
            self.is_unseen.store(true, Ordering::Relaxed);
        }
        self.user_changes.lock().unwrap_or_else(PoisonError::into_inner).begins(&step);
        let acts = step.acts();
        let is_look = matches!(step, Step::Snapshot { .. });
        self.journal.emit(EventKind::StepStarted {
            place: place.clone(),
            step: step.clone(),
            fingerprint,
        });
        if acts {
            self.journal.flush(Durability::Process)?;
        }
        let listener = Listener::new(self.journal, &place, secrets);
        // It is large, and every loop function would carry it.
        let performed = self.worker.perform_watched(&place, &step, &self.stop, listener);
        let result = Box::pin(performed).await;
        if is_look {
            // However it went: a look that failed is not repeated when the loop ends.
            self.is_unseen.store(false, Ordering::Relaxed);
        }
        let result = result?;
        let result = match result {
            // What follows from these must be the same in a resumed loop, which has no more than
            // what was stored. What they claim was read before.
            StepResult::Session(_) | StepResult::Check(_) | StepResult::Originals(_) => {
                secrets.cleaned(&result).unwrap_or(result)
            }
            result => result,
        };
        let iteration = place.iteration();
        self.user_changes.lock().unwrap_or_else(PoisonError::into_inner).ends(iteration, &result);
        for text in result.notes().iter().cloned() {
            self.journal.emit(EventKind::Noted { text });
        }
        self.journal.emit(EventKind::StepFinished { place, result: result.clone() });
        if acts {
            // What was done in the world is never done again, whatever happens to this process.
            self.journal.flush(Durability::Process)?;
        }
        Ok(result)
    }
}

fn misfit(result: &StepResult) -> Halt {
    Halt::Failed { message: format!("a step gave what it cannot give: {result:?}"), code: 70 }
}
