//! What follows from events: one `match` that keeps the tables which people read up to date.
//!
//! The row of the loop is loaded, folded over the events in memory, and saved once an append.

mod checks;
mod findings;
mod sessions;
mod state;
mod tasks;

use rusqlite::{Connection, Result, params};
use windlass_core::{
    ending::Ending,
    event::{ClaimFate, Event, EventKind, Fix, IterationSummary},
    ids::{LoopId, Place},
    rules::{is_opening, leaves_open},
    step::{Step, StepResult},
    time::Timestamp,
};

use self::{sessions::Sessions, state::LoopState};
use super::{
    Waiting,
    columns::{TimeColumn, int, json},
    events::Words,
};

/// The tables of one loop, about to learn of events.
pub(super) struct Projection<'a> {
    connection: &'a Connection,
    id: &'a LoopId,
    state: LoopState,
    sessions: Sessions<'a>,
}

impl<'a> Projection<'a> {
    /// Loads what is known of a loop; `None` where the epoch is not the loop's.
    pub(super) fn load(
        connection: &'a Connection,
        id: &'a LoopId,
        epoch: u64,
    ) -> Result<Option<Self>> {
        let state = LoopState::load(connection, id, epoch)?;
        let sessions = Sessions::new(connection, id);
        Ok(state.map(|state| Self { connection, id, state, sessions }))
    }

    /// The number of the last event.
    pub(super) fn last_seq(&self) -> u64 {
        self.state.last_seq
    }

    /// Saves what was learnt; says whether the epoch still was the loop's.
    pub(super) fn save(self, epoch: u64) -> Result<bool> {
        self.sessions.save()?;
        self.state.save(self.connection, self.id, epoch)
    }

    /// Learns of one event; says where its words are kept.
    pub(super) fn apply(&mut self, event: &Event) -> Result<Words> {
        self.state.pass_time(event);
        self.state.last_seq = event.seq;
        match &event.kind {
            EventKind::LoopStarted { max_iterations, .. } => {
                self.state.started_at = event.at;
                self.state.max_iterations = *max_iterations;
            }
            EventKind::LoopResumed { max_iterations, .. } => self.resumed(*max_iterations)?,
            EventKind::OptionChanged(change) => {
                if let Some(agent) = change.agent() {
                    self.connection
                        .prepare_cached("UPDATE loops SET agent = ? WHERE id = ?")?
                        .execute(params![agent, self.id.as_str()])?;
                }
            }
            EventKind::IterationStarted { iteration } => {
                self.state.iteration = *iteration;
                self.iteration_row(*iteration, event.at)?;
            }
            EventKind::Phase(entered) => {
                entered.phase.word().clone_into(&mut self.state.phase);
                tasks::attempted(self.connection, self.id, entered)?;
            }
            EventKind::StepStarted { place, step, .. } => {
                return self.step_started(event.at, place, step);
            }
            EventKind::AgentSaid { place, said } => {
                return self.sessions.said(place, said, event.at);
            }
            EventKind::StepFinished { place, result } => {
                return self.step_finished(event.at, place, result);
            }
            // A claim may be there before the first iteration.
            EventKind::ClaimRejected { iteration: 0, .. } => {}
            EventKind::ClaimRejected { iteration, reasons } => {
                self.iteration_row(*iteration, event.at)?;
                self.connection
                    .prepare_cached(
                        "UPDATE iterations SET claim = 'rejected', rejected_because = ?
                         WHERE loop = ? AND number = ?",
                    )?
                    .execute(params![json(reasons)?, self.id.as_str(), iteration])?;
            }
            EventKind::ClaimAccepted { checks, waived, .. } => {
                self.state.verified = *checks > 0 && !waived;
                self.state.completion_text = self.sessions.last_claim()?;
            }
            EventKind::TasksMoved(moved) => {
                self.state.tasks_completed = moved.completed_so_far;
                self.state.tasks_open = Some(moved.open);
                self.state.tasks_done = Some(moved.done);
            }
            EventKind::FindingsSeen(seen) => {
                self.state
                    .trajectory
                    .push(u32::try_from(seen.observed.noticed.len()).unwrap_or(u32::MAX));
                findings::seen(self.connection, self.id, seen)?;
            }
            EventKind::FixTried(tried) => {
                self.state.fixes += u32::from(tried.fix == Fix::Applied);
                findings::tried(self.connection, self.id, tried)?;
            }
            EventKind::AuditLogged(logged) => {
                self.state.fixes = self.state.fixes.saturating_add(logged.applied);
                findings::skipped(self.connection, self.id, &logged.skips)?;
            }
            EventKind::IterationFinished(summary) => self.iteration_finished(summary, event.at)?,
            EventKind::RuleWarned { reason, .. } => self.state.half_open_circuit(reason),
            EventKind::RuleTripped { reason, .. } if is_opening(&event.kind) => {
                self.state.open_circuit(reason);
            }
            EventKind::CircuitReset => self.state.close_circuit(),
            EventKind::LoopFinished { ending } => self.finished(ending, event.at)?,
            EventKind::RuleTripped { .. }
            | EventKind::Claimed { .. }
            | EventKind::StopRequested { .. }
            | EventKind::RolledBack { .. }
            | EventKind::Noted { .. }
            | EventKind::NearMiss { .. }
            | EventKind::AgentConfigFound(_)
            | EventKind::Baseline(_)
            | EventKind::Guarded(_)
            | EventKind::Tests(_)
            | EventKind::Originals(_)
            | EventKind::Proof(_)
            | EventKind::LeftBehind(_)
            | EventKind::PullRead(_)
            | EventKind::Ticked { .. }
            | EventKind::Unknown => {}
        }
        Ok(Words::default())
    }

    fn resumed(&mut self, max_iterations: u32) -> Result<()> {
        self.state.max_iterations = max_iterations;
        self.state.ending = None;
        self.state.ended_at = None;
        self.state.calm_circuit();
        self.state.phase = "resumes".to_owned();
        self.sessions.interrupt_all()?;
        // A check that was cut off proves nothing and runs again.
        self.connection
            .execute("DELETE FROM checks WHERE loop = ? AND passed IS NULL", [self.id.as_str()])?;
        Ok(())
    }

    fn step_started(&mut self, at: Timestamp, place: &Place, step: &Step) -> Result<Words> {
        self.state.phase = phase(step);
        self.state.waiting = waiting(step)?;
        match step {
            Step::Session(step) => {
                self.state.sessions = self.state.sessions.saturating_add(1);
                let session = self.sessions.start(place, step, at)?;
                Ok(Words { session: Some(session), sequence: None })
            }
            Step::Check(step) => {
                checks::started(self.connection, self.id, place, step, at)?;
                Ok(Words::default())
            }
            Step::Snapshot { .. }
            | Step::Restore { .. }
            | Step::Dirty
            | Step::Read { .. }
            | Step::Base { .. }
            | Step::Tick { .. }
            | Step::Keep { .. }
            | Step::Write { .. }
            | Step::Gather { .. }
            | Step::Head(_)
            | Step::Post(_)
            | Step::Push { .. }
            | Step::Ask { .. }
            | Step::Fingerprint { .. }
            | Step::Guard(_)
            | Step::Guarded { .. }
            | Step::Originals(_)
            | Step::Programs
            | Step::Mark
            | Step::Diff { .. }
            | Step::Wait { .. }
            | Step::Hook(_)
            | Step::Unresolved { .. }
            | Step::Conclude { .. }
            | Step::Advance(_)
            | Step::Commit { .. } => Ok(Words::default()),
        }
    }

    fn step_finished(
        &mut self,
        at: Timestamp,
        place: &Place,
        result: &StepResult,
    ) -> Result<Words> {
        self.state.waiting = None;
        match result {
            StepResult::Session(report) => {
                self.state.usage = self.state.usage.plus(report.usage);
                if let Some(status) = &report.claim.status {
                    self.state.final_status = Some(json(status)?);
                }
                let session = self.sessions.finish(place, report)?;
                Ok(Words { session, sequence: None })
            }
            StepResult::Check(report) => {
                checks::finished(self.connection, self.id, place, report)?;
                Ok(Words::default())
            }
            StepResult::Originals(report) => {
                checks::originals(self.connection, self.id, place, report, at)?;
                Ok(Words::default())
            }
            StepResult::Written { path } => {
                self.state.task_list = Some(path.clone());
                Ok(Words::default())
            }
            StepResult::Snapshot { snapshot: Some(snapshot), changed, modified, .. } => {
                // A loop that is called off in the middle of an iteration has changed them too.
                if *modified > 0 {
                    self.state.files_modified = *modified;
                }
                // So they are there even when the iteration never comes to its end.
                self.connection
                    .prepare_cached(
                        "UPDATE iterations SET tree = ?, head = ?,
                            files_changed = max(files_changed, ?)
                         WHERE loop = ? AND number = ?",
                    )?
                    .execute(params![
                        snapshot.tree,
                        snapshot.head,
                        changed,
                        self.id.as_str(),
                        place.iteration()
                    ])?;
                Ok(Words::default())
            }
            StepResult::Snapshot { snapshot: None, .. }
            | StepResult::Restored(_)
            | StepResult::Dirty { .. }
            | StepResult::Read { .. }
            | StepResult::Fingerprint { .. }
            | StepResult::Guard(_)
            | StepResult::Guarded(_)
            | StepResult::Programs { .. }
            | StepResult::Base { .. }
            | StepResult::Ticked { .. }
            | StepResult::Kept
            | StepResult::Gathered { .. }
            | StepResult::Arrived { .. }
            | StepResult::Posted { .. }
            | StepResult::Limited { .. }
            | StepResult::Pushed { .. }
            | StepResult::Answered { .. }
            | StepResult::Mark { .. }
            | StepResult::Diff(_)
            | StepResult::Waited
            | StepResult::Hooked { .. }
            | StepResult::Unresolved { .. }
            | StepResult::Advanced { .. }
            | StepResult::Commit { .. } => Ok(Words::default()),
        }
    }

    fn iteration_row(&self, number: u32, at: Timestamp) -> Result<()> {
        self.connection
            .prepare_cached(
                "INSERT OR IGNORE INTO iterations (loop, number, started_at) VALUES (?, ?, ?)",
            )?
            .execute(params![self.id.as_str(), number, TimeColumn(at)])?;
        Ok(())
    }

    fn iteration_finished(&mut self, summary: &IterationSummary, at: Timestamp) -> Result<()> {
        self.state.files_modified = summary.files_modified;
        self.state.calm_circuit();
        self.iteration_row(summary.iteration, at)?;
        let claim = match summary.claim {
            ClaimFate::None => "none",
            ClaimFate::Rejected => "rejected",
            ClaimFate::Accepted | ClaimFate::AcceptedInPart => "accepted",
        };
        self.connection
            .prepare_cached(
                "UPDATE iterations SET tree = ?, head = ?, claim = ?, files_changed = ?,
                                       failure = ?, duration_ms = ?
                 WHERE loop = ? AND number = ?",
            )?
            .execute(params![
                summary.tree,
                summary.head,
                claim,
                summary.files_changed,
                summary.failure,
                int(summary.duration_ms),
                self.id.as_str(),
                summary.iteration,
            ])?;
        Ok(())
    }

    fn finished(&mut self, ending: &Ending, at: Timestamp) -> Result<()> {
        self.state.ended_at = Some(at);
        self.state.ending = Some(json(ending)?);
        if !leaves_open(ending) {
            self.state.ease_circuit();
        }
        self.state.phase = "ended".to_owned();
        self.state.waiting = None;
        self.sessions.interrupt_all()
    }
}

fn waiting(step: &Step) -> Result<Option<String>> {
    let Step::Wait { until, what, reason } = step else { return Ok(None) };
    json(&Waiting { until: *until, what: *what, reason: reason.clone() }).map(Some)
}

/// What the loop does while it does the step, in words for people.
fn phase(step: &Step) -> String {
    match step {
        Step::Session(step) => format!("{} running", step.role),
        Step::Check(step) => format!("check {}", step.command),
        Step::Snapshot { .. } | Step::Dirty | Step::Mark => "records the tree".to_owned(),
        Step::Diff { .. } => "looks at what changed".to_owned(),
        Step::Restore { .. } => "puts files back".to_owned(),
        Step::Read { path } => format!("reads {path}"),
        Step::Fingerprint { .. } => "looks at the protected files".to_owned(),
        Step::Guard(_) => "looks at what is guarded".to_owned(),
        Step::Guarded { .. } => "compares the guarded files".to_owned(),
        Step::Originals(step) => {
            let commands: Vec<&str> = step.checks.iter().map(|check| &*check.command).collect();
            format!("check {} on the original tests", commands.join("; "))
        }
        Step::Programs => "looks at the programs of the work tree".to_owned(),
        Step::Base { .. } => "looks for the base".to_owned(),
        Step::Tick { .. } => "ticks the task".to_owned(),
        Step::Keep { .. } => "keeps the review".to_owned(),
        Step::Write { path, .. } => format!("writes {path}"),
        Step::Gather { .. } => "reads the pull request".to_owned(),
        Step::Head(_) => "checks the head of the pull request out".to_owned(),
        Step::Post(post) => format!("posts the {}", post.word()),
        Step::Push { .. } => "pushes".to_owned(),
        Step::Ask { .. } => "waits for an answer".to_owned(),
        Step::Wait { reason, .. } if reason.is_empty() => "waits".to_owned(),
        Step::Wait { reason, .. } => format!("waits: {reason}"),
        Step::Hook(step) => format!("runs the hook {}", step.on),
        Step::Unresolved { .. } => "looks for conflicts".to_owned(),
        Step::Advance(step) => format!("moves {}", step.branch),
        Step::Commit { .. } | Step::Conclude { .. } => "commits".to_owned(),
    }
}
