//! What a screen needs to know of a loop: a fold over its events, for every screen. It does no I/O
//! and has no clock. Its memory is bounded, and words of agents come out sanitised.

// An event that is added and forgotten here would be missing on every screen.
#![warn(clippy::wildcard_enum_match_arm)]

mod parts;
mod proven;
mod trail;
mod work;

pub use parts::{CheckView, Circuit, Claim, Fate, Phase, TasksView};
pub use trail::{Convergence, Measure, Point, Trail};
pub use work::{FailedCheck, ToolUsed};

use std::collections::VecDeque;

use crate::{
    ask::Choice,
    ending::Ending,
    event::{
        BaselineTaken, ClaimFate, Event, EventKind, Fix, IterationSummary, OriginalsRan,
        PhaseEntered, TestsCounted,
    },
    findings::Ledger,
    proof_record::ProofRecord,
    rules::{is_opening, leaves_open},
    said::Usage,
    step::guarded::GuardReport,
    step::{SessionReport, Step, StepResult},
    text::sanitise,
    time::Timestamp,
};

/// How many of the last lines are kept.
pub(crate) const LAST_LINES: usize = 8;
/// How many characters of a line are kept.
const LONGEST_LINE: usize = 400;

/// A loop as its events show it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LoopView {
    /// The name that people type.
    pub name: String,
    /// The loop kind.
    pub kind: String,
    /// Where the user started it.
    pub directory: String,
    /// The agent's name.
    pub agent: String,
    /// The iteration that it is in, or was in last; 0 before the first.
    pub iteration: u32,
    /// The allowed iterations; 0 for no limit.
    pub max_iterations: u32,
    /// The part of its iteration that it is in, where an iteration has several.
    pub stage: Option<PhaseEntered>,
    /// What it does now.
    pub phase: Phase,
    /// Since when.
    pub phase_since: Option<Timestamp>,
    /// When it was started.
    pub started_at: Option<Timestamp>,
    /// When its last event came.
    pub updated_at: Option<Timestamp>,
    /// The last claim and what became of it.
    pub claim: Option<Claim>,
    /// The checks of this iteration, in the order in which they ran.
    pub checks: Vec<CheckView>,
    /// How the tasks stand, in loops that have a task file.
    pub tasks: Option<TasksView>,
    /// What reviews found, and what became of it.
    pub ledger: Ledger,
    /// The pull request that it is about.
    pub pull: Option<u64>,
    /// How many fixes were applied, over all iterations.
    pub fixes: u32,
    /// How many sessions were begun.
    pub sessions: u32,
    /// Tokens and money of the sessions that are over.
    pub usage: Usage,
    /// How many checks were run, over all iterations.
    pub checks_run: u32,
    /// How many files the last finished iteration changed.
    pub files_changed: u32,
    /// How many files differ from the loop's start.
    pub files_modified: u32,
    /// How many iterations running failed, up to the last.
    pub failures_running: u32,
    /// How the last iteration failed, where it did.
    pub failure: Option<String>,
    /// Whether a rule warned or tripped.
    pub circuit: Circuit,
    /// The level of the strongest request to stop, and who asked.
    pub stop: Option<(String, String)>,
    /// The last lines of the agent, oldest first.
    pub last_lines: VecDeque<String>,
    /// The tool that an agent used last.
    pub last_tool: Option<ToolUsed>,
    /// The check that failed last, and has not passed since.
    pub failed_check: Option<FailedCheck>,
    /// The tools that the last session was denied, where the agent names them.
    pub denied_tools: Vec<String>,
    /// Bytes that came out of the session that runs.
    pub bytes: u64,
    /// Failing tests that the user skipped: the iteration and the command.
    pub skipped_tests: Vec<(u32, String)>,
    /// What the checks said before the first session.
    pub baseline: Option<BaselineTaken>,
    /// What is guarded.
    pub guarded: Option<GuardReport>,
    /// How many tests each check ran last.
    pub tests: Vec<TestsCounted>,
    /// The result of the checks on the tests as they were, the last time.
    pub originals: Option<OriginalsRan>,
    /// The evidence for and against the last claim.
    pub proof: Option<ProofRecord>,
    /// How it ended.
    pub ending: Option<Ending>,
}

impl LoopView {
    /// The last line of the agent.
    pub fn last_line(&self) -> Option<&str> {
        self.last_lines.back().map(String::as_str)
    }

    /// Takes one more event in. Events of a newer windlass are passed over.
    pub fn apply(&mut self, event: &Event) {
        self.updated_at = Some(event.at);
        match &event.kind {
            EventKind::LoopStarted { name, kind, directory, agent, max_iterations, .. } => {
                self.name = line(name);
                self.kind = line(kind);
                self.directory = line(directory);
                self.agent = line(agent);
                self.max_iterations = *max_iterations;
                self.started_at = Some(event.at);
                self.enter(Phase::Starting, event.at);
            }
            EventKind::LoopResumed { max_iterations, .. } => {
                self.max_iterations = *max_iterations;
                self.ending = None;
                self.stop = None;
                self.calm_circuit();
                self.enter(Phase::Starting, event.at);
            }
            EventKind::OptionChanged(change) => {
                if let Some(agent) = change.agent() {
                    self.agent = line(agent);
                }
            }
            EventKind::IterationStarted { iteration } => {
                self.iteration = *iteration;
                self.checks.clear();
                self.enter(Phase::Starting, event.at);
            }
            EventKind::Phase(entered) => self.stage = Some(entered.clone()),
            EventKind::StepStarted { step, .. } => self.step_started(step, event.at),
            EventKind::StepFinished { result, .. } => self.step_finished(result, event.at),
            EventKind::AgentSaid { said, .. } => self.said(said, event.at),
            EventKind::Ticked { bytes, last_line, .. } => {
                self.bytes = *bytes;
                if self.last_line() != Some(&*sanitise::line(last_line)) {
                    self.add_line(last_line);
                }
            }
            EventKind::TasksMoved(moved) => self.tasks.get_or_insert_default().apply(moved),
            EventKind::FindingsSeen(seen) => self.ledger.apply(seen.iteration, &seen.observed),
            EventKind::FixTried(tried) => {
                self.fixes += u32::from(tried.fix == Fix::Applied);
                if let Some(mark) = &tried.mark {
                    self.ledger.mark(tried.number, mark.clone());
                }
            }
            EventKind::AuditLogged(logged) => {
                self.fixes = self.fixes.saturating_add(logged.applied);
                logged.skips.iter().for_each(|skip| self.ledger.explain(skip.number, &skip.reason));
            }
            EventKind::PullRead(pull) => self.pull = Some(pull.number),
            EventKind::IterationFinished(summary) => self.iteration_finished(summary, event.at),
            EventKind::Claimed { iteration, by } => {
                self.claim = Some(Claim { iteration: *iteration, by: *by, fate: Fate::Open });
            }
            EventKind::ClaimRejected { reasons, .. } => {
                let reasons = reasons.iter().map(|reason| line(reason)).collect();
                if let Some(claim) = &mut self.claim {
                    claim.fate = Fate::Rejected { reasons };
                }
            }
            EventKind::ClaimAccepted { iteration, by, checks, tree, doubts, waived } => {
                let doubts = doubts.iter().map(|doubt| line(doubt)).collect();
                let (checks, tree, waived) = (*checks, tree.clone(), *waived);
                let fate = Fate::Accepted { checks, tree, doubts, waived };
                self.claim = Some(Claim { iteration: *iteration, by: *by, fate });
            }
            EventKind::Baseline(taken) => self.baseline = Some(taken.clone()),
            EventKind::Guarded(report) => self.guarded = Some(report.clone()),
            EventKind::Tests(counted) => self.counted(counted),
            EventKind::Originals(ran) => self.originals = Some(ran.clone()),
            EventKind::Proof(taken) => self.proof = Some(taken.proof.clone()),
            EventKind::RuleWarned { rule, reason } => {
                // The first to speak is the one that ties go to.
                if self.circuit == Circuit::Closed {
                    self.circuit = Circuit::HalfOpen { rule: line(rule), reason: line(reason) };
                }
            }
            EventKind::RuleTripped { rule, reason, .. }
                if is_opening(&event.kind) && !matches!(self.circuit, Circuit::Open { .. }) =>
            {
                self.circuit = Circuit::Open { rule: line(rule), reason: line(reason) };
            }
            EventKind::CircuitReset => {
                self.circuit = Circuit::Closed;
                self.failures_running = 0;
            }
            EventKind::StopRequested { level, by } => self.stop = Some((line(level), line(by))),
            EventKind::LoopFinished { ending } => {
                self.ending = Some(ending.clone());
                self.ease_circuit(ending);
                self.enter(Phase::Ended, event.at);
            }
            EventKind::RuleTripped { .. }
            | EventKind::Noted { .. }
            | EventKind::NearMiss { .. }
            | EventKind::AgentConfigFound(_)
            | EventKind::LeftBehind(_)
            | EventKind::RolledBack { .. }
            | EventKind::Unknown => {}
        }
    }

    /// A warning holds for one iteration; a rule that still has something to say says it again.
    fn calm_circuit(&mut self) {
        if matches!(self.circuit, Circuit::HalfOpen { .. }) {
            self.circuit = Circuit::Closed;
        }
    }

    /// A trip beside another ending is no more than a warning to whoever takes the loop up again.
    fn ease_circuit(&mut self, ending: &Ending) {
        if let Circuit::Open { rule, reason } = &self.circuit
            && !leaves_open(ending)
        {
            self.circuit = Circuit::HalfOpen { rule: rule.clone(), reason: reason.clone() };
        }
    }

    fn enter(&mut self, phase: Phase, at: Timestamp) {
        self.phase = phase;
        self.phase_since = Some(at);
    }

    fn step_started(&mut self, step: &Step, at: Timestamp) {
        let phase = match step {
            Step::Session(session) => {
                self.sessions += 1;
                self.bytes = 0;
                Phase::Session { role: line(&session.role) }
            }
            Step::Check(check) => {
                let command = line(&check.command);
                self.checks_run += 1;
                self.checks.push(CheckView { command: command.clone(), passed: None });
                Phase::Check { command }
            }
            Step::Originals(originals) => {
                let commands = originals.checks.iter().map(|check| line(&check.command));
                let command = commands.collect::<Vec<_>>().join("; ");
                Phase::Originals { command }
            }
            Step::Snapshot { .. }
            | Step::Guard(_)
            | Step::Guarded { .. }
            | Step::Dirty
            | Step::Read { .. }
            | Step::Fingerprint { .. }
            | Step::Programs
            | Step::Mark
            | Step::Diff { .. }
            | Step::Unresolved { .. }
            | Step::Base { .. } => Phase::Snapshot,
            Step::Restore { .. }
            | Step::Tick { .. }
            | Step::Keep { .. }
            | Step::Write { .. }
            | Step::Hook(_) => Phase::Starting,
            Step::Gather { .. } | Step::Head(_) | Step::Post(_) | Step::Push { .. } => {
                Phase::Remote
            }
            Step::Ask { question, .. } => Phase::Asking { question: line(question) },
            Step::Wait { until, what, reason } => {
                Phase::Waiting { until: *until, what: *what, reason: line(reason) }
            }
            Step::Commit { .. } | Step::Conclude { .. } | Step::Advance(_) => Phase::Committing,
        };
        self.enter(phase, at);
    }

    fn step_finished(&mut self, result: &StepResult, at: Timestamp) {
        match result {
            StepResult::Session(report) => self.session_finished(report),
            StepResult::Check(report) => {
                self.checked(report);
                let command = line(&report.command);
                let running =
                    |check: &&mut CheckView| check.command == command && check.passed.is_none();
                if let Some(check) = self.checks.iter_mut().rev().find(running) {
                    check.passed = Some(report.passed);
                }
            }
            StepResult::Answered { choice: Some(Choice::Skip) } => {
                let failed = self.checks.iter().rev().find(|check| check.passed == Some(false));
                let command = failed.map(|check| check.command.clone()).unwrap_or_default();
                self.skipped_tests.push((self.iteration, command));
            }
            StepResult::Snapshot { .. }
            | StepResult::Guard(_)
            | StepResult::Guarded(_)
            | StepResult::Originals(_)
            | StepResult::Restored(_)
            | StepResult::Dirty { .. }
            | StepResult::Read { .. }
            | StepResult::Fingerprint { .. }
            | StepResult::Programs { .. }
            | StepResult::Mark { .. }
            | StepResult::Diff(_)
            | StepResult::Base { .. }
            | StepResult::Ticked { .. }
            | StepResult::Kept
            | StepResult::Written { .. }
            | StepResult::Gathered { .. }
            | StepResult::Arrived { .. }
            | StepResult::Posted { .. }
            | StepResult::Limited { .. }
            | StepResult::Pushed { .. }
            | StepResult::Answered { .. }
            | StepResult::Waited
            | StepResult::Hooked { .. }
            | StepResult::Unresolved { .. }
            | StepResult::Advanced { .. }
            | StepResult::Commit { .. } => {}
        }
        self.enter(Phase::Starting, at);
    }

    fn session_finished(&mut self, report: &SessionReport) {
        self.usage = self.usage.plus(report.usage);
        self.bytes = report.stdout.bytes.saturating_add(report.stderr.bytes);
        self.denied_tools = report.denied_tools.iter().map(|name| line(name)).collect();
    }

    fn iteration_finished(&mut self, summary: &IterationSummary, at: Timestamp) {
        self.calm_circuit();
        self.files_changed = summary.files_changed;
        self.files_modified = summary.files_modified;
        self.failure = summary.failure.as_deref().map(line);
        self.failures_running =
            if self.failure.is_some() { self.failures_running.saturating_add(1) } else { 0 };
        if summary.claim == ClaimFate::None {
            self.claim = self.claim.take().filter(|claim| claim.iteration != summary.iteration);
        }
        self.enter(Phase::Starting, at);
    }
}

/// One line that may be shown, of bounded length.
fn line(text: &str) -> String {
    let start = text.char_indices().nth(4 * LONGEST_LINE).map_or(text, |(end, _)| &text[..end]);
    sanitise::line(start).chars().take(LONGEST_LINE).collect()
}

#[cfg(test)]
mod tests;
