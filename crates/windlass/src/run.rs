//! `Run`: all that a loop can do. Start reading here.
//!
//! A loop is an ordinary async function over these verbs. Each verb is a durable step: it is taken
//! down, done, and taken down again with its result. In a resumed loop a step that was already
//! done is answered from the journal, and the loop does not notice.

mod past;
mod seen;

use std::{mem::discriminant, sync::Mutex, time::Instant};

pub use past::Past;
pub use seen::Seen;

use crate::{
    ask::Choice,
    event::{EventKind, IterationSummary},
    forge::Pull,
    halt::Halt,
    ids::Place,
    journal::Journal,
    options::Proof,
    outcome::Outcome,
    patch::DiffReport,
    perform::{Listener, Worker},
    posting::Post,
    protect::{self, Fingerprints},
    step::{CheckReport, CheckStep, SessionReport, SessionStep, Step, StepResult, WaitFor},
    stop::{Stop, StopLevel},
    store::{Calls, Durability},
    time::{Timestamp, millis},
};

/// One loop on its way.
pub struct Run<'a> {
    worker: &'a Worker,
    journal: &'a Journal,
    stop: Stop,
    past: Past,
    /// When the current iteration began, for its duration.
    iteration_began: Mutex<Instant>,
}

impl<'a> Run<'a> {
    /// A run over what `past` holds.
    pub fn new(worker: &'a Worker, journal: &'a Journal, stop: Stop, past: Past) -> Self {
        Self { worker, journal, stop, past, iteration_began: Mutex::new(Instant::now()) }
    }

    /// Begins an iteration, unless the loop is to stop.
    pub fn begin(&self, iteration: u32) -> Result<(), Halt> {
        if let Ok(mut began) = self.iteration_began.lock() {
            *began = Instant::now();
        }
        if iteration <= self.past.finished {
            return Ok(());
        }
        self.go_on()?;
        if iteration > self.past.started {
            self.journal.emit(EventKind::IterationStarted { iteration });
        }
        Ok(())
    }

    /// Ends an iteration: makes it safe against a power cut, and lets the rules judge it.
    pub fn finish(&self, mut summary: IterationSummary) -> Result<(), Halt> {
        if summary.iteration <= self.past.finished {
            return Ok(());
        }
        if let Ok(began) = self.iteration_began.lock() {
            summary.duration_ms = millis(began.elapsed());
        }
        self.journal.emit(EventKind::IterationFinished(summary));
        Ok(self.journal.flush(Durability::Power)?)
    }

    /// Whether the iteration was brought to its end by an earlier owner.
    pub fn is_past(&self, iteration: u32) -> bool {
        // What comes before the first iteration is over when that begins.
        if iteration == 0 { self.past.started > 0 } else { iteration <= self.past.finished }
    }

    /// Says whether the loop may go on after an iteration; it could in the past.
    pub fn go_on_after(&self, iteration: u32) -> Result<(), Halt> {
        if iteration < self.past.started { Ok(()) } else { self.go_on() }
    }

    /// Says whether the loop may begin something new.
    pub fn go_on(&self) -> Result<(), Halt> {
        if self.stop.level() >= StopLevel::AfterIteration { Err(Halt::Stopped) } else { Ok(()) }
    }

    /// Takes a fact down, once an iteration: not where an earlier owner has done so.
    pub fn note(&self, iteration: u32, kind: EventKind) {
        let noted = self.past.noted.contains(&(iteration, discriminant(&kind)))
            || self.past.notes.contains(&kind);
        if !noted && !self.is_past(iteration) {
            self.journal.emit(kind);
        }
    }

    /// Calls an agent of the loop in a role.
    pub async fn session(&self, place: Place, step: SessionStep) -> Result<SessionReport, Halt> {
        match self.step(place, Step::Session(step)).await? {
            StepResult::Session(report) if report.outcome == Outcome::Cancelled => {
                Err(Halt::Stopped)
            }
            StepResult::Session(report) => Ok(report),
            other => Err(misfit(&other)),
        }
    }

    /// Runs a command that must pass.
    pub async fn check(
        &self,
        place: Place,
        command: &str,
        tree: Option<String>,
    ) -> Result<CheckReport, Halt> {
        let step = Step::Check(CheckStep { command: command.to_owned(), tree });
        match self.step(place, step).await? {
            StepResult::Check(report) => Ok(report),
            other => Err(misfit(&other)),
        }
    }

    /// Records the work tree, and counts what changed since `previous` and since `start`.
    pub async fn look(
        &self,
        place: Place,
        previous: Option<String>,
        start: Option<String>,
    ) -> Result<Seen, Halt> {
        self.snapshot(place, Step::Snapshot { previous, start, tracked_only: false }).await
    }

    /// Records the work tree, and counts the tracked files that changed since `previous`.
    pub async fn look_at_tracked(
        &self,
        place: Place,
        previous: Option<String>,
    ) -> Result<Seen, Halt> {
        self.snapshot(place, Step::Snapshot { previous, start: None, tracked_only: true }).await
    }

    async fn snapshot(&self, place: Place, step: Step) -> Result<Seen, Halt> {
        match self.step(place, step).await? {
            StepResult::Snapshot {
                snapshot,
                changed,
                modified,
                paths,
                lines,
                only_numbers,
                ..
            } => Ok(Seen { snapshot, changed, modified, paths, lines, only_numbers }),
            other => Err(misfit(&other)),
        }
    }

    /// Reads a file that the loop is about; gives its text, and what snapshots call it.
    pub async fn read(&self, place: Place, path: &str) -> Result<(String, Option<String>), Halt> {
        match self.step(place, Step::Read { path: path.to_owned() }).await? {
            StepResult::Read { text, in_tree } => Ok((text, in_tree)),
            other => Err(misfit(&other)),
        }
    }

    /// Records which files the user had changed before the loop.
    pub async fn dirty(&self) -> Result<Vec<String>, Halt> {
        match self.step(Place::new(0, "dirty"), Step::Dirty).await? {
            StepResult::Dirty { paths } => Ok(paths),
            other => Err(misfit(&other)),
        }
    }

    /// The files in the work tree that the commands of the checks name.
    pub fn files_named_by(&self, proof: &Proof) -> Vec<String> {
        if proof.no_protect_checks {
            return Vec::new();
        }
        protect::named_by_checks(&self.worker.directory, &proof.checks)
    }

    /// Records what protected files hold.
    pub async fn fingerprint(
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

    /// Finds what a branch is compared with: its name, and the tree there.
    pub async fn base(
        &self,
        place: Place,
        wanted: Vec<String>,
    ) -> Result<(Option<String>, Option<String>), Halt> {
        match self.step(place, Step::Base { wanted }).await? {
            StepResult::Base { name, tree } => Ok((name, tree)),
            other => Err(misfit(&other)),
        }
    }

    /// Marks a task as done in its file; says whether it was there and open.
    pub async fn tick(&self, place: Place, path: &str, task: &str) -> Result<bool, Halt> {
        let step = Step::Tick { path: path.to_owned(), task: task.to_owned() };
        match self.step(place, step).await? {
            StepResult::Ticked { found } => Ok(found),
            other => Err(misfit(&other)),
        }
    }

    /// Keeps a review in the work tree.
    pub async fn keep(&self, place: Place, text: String) -> Result<(), Halt> {
        self.step(place, Step::Keep { text }).await.map(drop)
    }

    /// Writes a file for the user.
    pub async fn write(&self, place: Place, path: String, text: String) -> Result<(), Halt> {
        self.step(place, Step::Write { path, text }).await.map(drop)
    }

    /// Asks a forge for a pull request; for that of the current branch, if no number is given.
    pub async fn gather(&self, place: Place, number: Option<u64>) -> Result<Pull, Halt> {
        match self.step(place, Step::Gather { number }).await? {
            StepResult::Gathered { pull } => Ok(*pull),
            other => Err(misfit(&other)),
        }
    }

    /// Posts to a forge, at most once; says where it can be seen.
    pub async fn post(&self, place: Place, post: Post) -> Result<Option<String>, Halt> {
        match self.step(place, Step::Post(post)).await? {
            StepResult::Posted { url } => Ok(url),
            other => Err(misfit(&other)),
        }
    }

    /// Pushes what is committed; gives the commit that is at the other end now.
    pub async fn push(&self, place: Place, branch: &str) -> Result<Option<String>, Halt> {
        match self.step(place, Step::Push { branch: branch.to_owned() }).await? {
            StepResult::Pushed { commit } => Ok(commit),
            other => Err(misfit(&other)),
        }
    }

    /// Asks whoever sits at the terminal; `None` where nobody does.
    pub async fn ask(
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

    /// Records where a jj repository stands as the loop begins; `None` where it works in none.
    pub async fn mark(&self) -> Result<Option<String>, Halt> {
        match self.step(Place::new(0, "mark"), Step::Mark).await? {
            StepResult::Mark { revision, .. } => Ok(revision),
            other => Err(misfit(&other)),
        }
    }

    /// Says what changed since the loop began, in at most `limit` bytes of whole files.
    pub async fn diff(
        &self,
        place: Place,
        since: Option<String>,
        revision: Option<String>,
        limit: usize,
    ) -> Result<DiffReport, Halt> {
        match self.step(place, Step::Diff { since, revision, limit }).await? {
            StepResult::Diff(report) => Ok(report),
            other => Err(misfit(&other)),
        }
    }

    /// Waits until a time that stays the same over a resume.
    pub async fn wait(
        &self,
        place: Place,
        until: Timestamp,
        what: WaitFor,
        reason: &str,
    ) -> Result<(), Halt> {
        let until = self.past.waits.get(&place).copied().unwrap_or(until);
        self.step(place, Step::Wait { until, what, reason: reason.to_owned() }).await.map(drop)
    }

    /// When the session was started that has just so many others after it, over all loops.
    pub fn call_before_last(
        &self,
        calls: Calls,
        count: u32,
        since: Timestamp,
    ) -> Result<Option<Timestamp>, Halt> {
        Ok(self.journal.call_before_last(calls, count, since)?)
    }

    /// Whether an earlier owner has done the step there.
    pub fn is_done(&self, place: &Place) -> bool {
        self.past.steps.contains_key(place)
    }

    /// The agent that an earlier owner called there.
    pub fn agent_at(&self, place: &Place) -> Option<&str> {
        self.past.agents.get(place).map(String::as_str)
    }

    /// Whether an earlier owner has begun to wait there.
    pub fn has_begun_to_wait(&self, place: &Place) -> bool {
        self.past.waits.contains_key(place)
    }

    /// Commits what the loop changed; gives the new commit.
    pub async fn commit(
        &self,
        place: Place,
        message: String,
        spare: Vec<String>,
    ) -> Result<Option<String>, Halt> {
        match self.step(place, Step::Commit { message, spare }).await? {
            StepResult::Commit { commit, .. } => Ok(commit),
            other => Err(misfit(&other)),
        }
    }

    /// Does one step, or gives what it gave when it was done before.
    async fn step(&self, place: Place, step: Step) -> Result<StepResult, Halt> {
        let fingerprint = step.fingerprint();
        if let Some(done) = self.past.steps.get(&place) {
            if done.fingerprint != fingerprint {
                return Err(Halt::Failed {
                    message: format!("step {place} of this loop is not what it was before"),
                    code: 2,
                });
            }
            return Ok(done.result.clone());
        }
        if self.stop.level() >= StopLevel::End {
            return Err(Halt::Stopped);
        }
        let acts = step.acts();
        self.journal.emit(EventKind::StepStarted {
            place: place.clone(),
            step: step.clone(),
            fingerprint,
        });
        if acts {
            self.journal.flush(Durability::Process)?;
        }
        let listener = Listener::new(self.journal, &place);
        let result = self.worker.perform(&place, &step, &self.stop, listener).await?;
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
