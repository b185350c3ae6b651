//! What earlier owners of a loop have already done, gathered from its events.

// An event that is added and forgotten here would be emitted twice after a resume.
#![warn(clippy::wildcard_enum_match_arm)]

use std::{
    collections::{HashMap, HashSet},
    mem::{Discriminant, discriminant},
};

use windlass_core::{
    ending::Ending,
    event::{Event, EventKind, OptionChanged, Phase, PhaseEntered, ProofTaken, TestsCounted},
    findings::report,
    ids::Place,
    outcome::Outcome,
    role,
    step::{Step, StepResult},
    time::Timestamp,
};

use super::{proving::FailingCounts, user_changes::UserChanges};

/// What earlier owners of the loop have already done.
#[derive(Debug, Default)]
pub(crate) struct Past {
    pub(super) steps: HashMap<Place, Done>,
    /// When the waits that were begun are to end, so that they end then in a resumed loop too.
    pub(super) waits: HashMap<Place, Wait>,
    /// Which agents were called, so that a resumed loop calls the same ones.
    pub(super) agents: HashMap<Place, String>,
    /// What was noted of each iteration, so that it is not noted again.
    pub(super) noted: HashSet<(u32, Discriminant<EventKind>)>,
    /// Whether the loop has other checks than it was started with.
    pub(super) has_other_checks: bool,
    /// Which files were asked for by name where fingerprints were taken.
    pub(super) fingerprinted: HashMap<Place, Vec<String>>,
    /// What became of the claims of each iteration.
    pub(super) claims: HashMap<u32, ClaimFate>,
    /// What else was noted since the last iteration that came to its end.
    pub(super) notes: Vec<EventKind>,
    /// The task that each iteration was about, in loops that give out one at a time.
    pub(super) tasks: HashMap<u32, String>,
    /// The iterations after which a task was escalated.
    pub(super) escalated: HashSet<u32>,
    /// The iterations after which the loop was given up, for the agent kept failing.
    pub(super) given_up: HashSet<u32>,
    /// How many processes have driven the loop.
    pub(super) owners: u32,
    pub(super) started: u32,
    pub(super) finished: u32,
    /// The proofs, by iteration and by their number in it.
    pub(super) proofs: HashMap<(u32, u32), ProofTaken>,
    /// What the user changed while nothing ran.
    pub(super) user_changes: UserChanges,
    /// How many tests failed when they were counted, up to the last iteration that came to its end.
    pub(super) failing: FailingCounts,
    /// What was counted since.
    counted: Vec<TestsCounted>,
}

/// A wait that was begun.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wait {
    began: Timestamp,
    until: Timestamp,
}

impl Wait {
    /// When it is to end, now that the wall clock shows `now`: it takes no longer than it was to take at
    /// first, even if the clock was put back since.
    pub(super) fn until(self, now: Timestamp) -> Timestamp {
        self.until.min(now.plus(self.until.since(self.began)))
    }
}

/// What became of a claim.
#[derive(Clone, Debug)]
pub(crate) enum ClaimFate {
    /// It was accepted.
    Accepted {
        /// How many checks have proven it.
        checks: u32,
        /// Whether something was waived.
        waived: bool,
    },
    /// It was not, for these reasons.
    Rejected(Vec<String>),
}

impl ClaimFate {
    #[expect(clippy::wildcard_enum_match_arm, reason = "two events tell what became of a claim")]
    fn of(event: &EventKind) -> Option<Self> {
        match event {
            EventKind::ClaimAccepted { checks, waived, .. } => {
                Some(Self::Accepted { checks: *checks, waived: *waived })
            }
            EventKind::ClaimRejected { reasons, .. } => Some(Self::Rejected(reasons.clone())),
            _ => None,
        }
    }
}

/// A step that is done.
#[derive(Debug)]
pub(super) struct Done {
    pub(super) fingerprint: String,
    pub(super) result: StepResult,
}

impl Past {
    /// Gathers what is done from a loop's events.
    pub(crate) fn of(history: &[Event]) -> Self {
        let mut past = Self::default();
        let mut fingerprints: HashMap<&Place, &String> = HashMap::new();
        let mut roles: HashMap<&Place, &str> = HashMap::new();
        // The steps of the iteration that is not over, as they were done.
        let mut open: Vec<(&Place, Option<Called>)> = Vec::new();
        for event in history {
            past.user_changes.note(&event.kind);
            match &event.kind {
                EventKind::IterationStarted { iteration } => past.started = *iteration,
                EventKind::IterationFinished(summary) => {
                    past.finished = summary.iteration;
                    past.counted.drain(..).for_each(|counted| past.failing.count(&counted));
                    past.notes.clear();
                    open.clear();
                }
                EventKind::Noted { .. }
                | EventKind::TasksMoved(_)
                | EventKind::Phase(_)
                | EventKind::FindingsSeen(_)
                | EventKind::FixTried(_)
                | EventKind::AuditLogged(_)
                | EventKind::Baseline(_)
                | EventKind::Guarded(_)
                | EventKind::Tests(_)
                | EventKind::Originals(_)
                | EventKind::Proof(_)
                | EventKind::PullRead(_) => {
                    if let EventKind::Phase(entered) = &event.kind {
                        past.note_phase(entered);
                    }
                    if let EventKind::Tests(counted) = &event.kind {
                        past.counted.push(counted.clone());
                    }
                    if let EventKind::Proof(taken) = &event.kind {
                        past.proofs.insert((taken.iteration, taken.round), (**taken).clone());
                    }
                    past.notes.push(event.kind.clone());
                }
                EventKind::StepStarted { place, fingerprint, step } => {
                    fingerprints.insert(place, fingerprint);
                    past.user_changes.begins(step);
                    if let Step::Wait { until, .. } = step {
                        past.waits.insert(place.clone(), Wait { began: event.at, until: *until });
                    }
                    if let Step::Fingerprint { files, .. } = step {
                        past.fingerprinted.insert(place.clone(), files.clone());
                    }
                    if let Step::Session(session) = step {
                        past.agents.insert(place.clone(), session.agent.clone());
                        roles.insert(place, &session.role);
                    }
                }
                EventKind::StepFinished { place, result } if counts_as_done(result) => {
                    past.user_changes.ends(place.iteration(), result);
                    let fingerprint = fingerprints.get(place).map_or("", |print| print);
                    let done = Done { fingerprint: fingerprint.to_owned(), result: result.clone() };
                    past.steps.insert(place.clone(), done);
                    open.push((place, Called::of(result, roles.get(place).copied())));
                }
                EventKind::LoopFinished { ending: Ending::AgentFailed { .. } } => {
                    if past.started == past.finished {
                        past.given_up.insert(past.finished);
                    }
                    let again = match in_vain(&open) {
                        Some(auditors) => auditors,
                        None => open.split_off(to_be_done_again(&open)),
                    };
                    again.iter().for_each(|(place, _)| drop(past.steps.remove(*place)));
                    past.steps.retain(|place, _| !is_of_open_audit(place, &open));
                }
                EventKind::Claimed { iteration, .. }
                | EventKind::ClaimAccepted { iteration, .. }
                | EventKind::ClaimRejected { iteration, .. }
                | EventKind::NearMiss { iteration, .. } => {
                    past.noted.insert((*iteration, discriminant(&event.kind)));
                    if let Some(fate) = ClaimFate::of(&event.kind) {
                        past.claims.insert(*iteration, fate);
                    }
                }
                EventKind::OptionChanged(change) => past.note_change(change),
                EventKind::LoopStarted { .. } | EventKind::LoopResumed { .. } => past.owners += 1,
                EventKind::AgentConfigFound(_)
                | EventKind::LeftBehind(_)
                | EventKind::LoopFinished { .. }
                | EventKind::StepFinished { .. }
                | EventKind::AgentSaid { .. }
                | EventKind::RuleWarned { .. }
                | EventKind::RuleTripped { .. }
                | EventKind::StopRequested { .. }
                | EventKind::CircuitReset
                | EventKind::RolledBack { .. }
                | EventKind::Ticked { .. }
                | EventKind::Unknown => (),
            }
        }
        past.forget_begun_readings();
        past
    }

    /// Takes in what is changed now that the loop is taken up again.
    pub(crate) fn note_changes(&mut self, opening: &[EventKind]) {
        for event in opening {
            if let EventKind::OptionChanged(change) = event {
                self.note_change(change);
            }
        }
    }

    fn note_phase(&mut self, entered: &PhaseEntered) {
        if entered.phase == Phase::Escalated {
            self.escalated.insert(entered.iteration);
        }
        if let Some(task) = &entered.task {
            self.tasks.entry(entered.iteration).or_insert_with(|| task.clone());
        }
    }

    fn note_change(&mut self, change: &OptionChanged) {
        self.has_other_checks |= change.option == "checks";
    }

    /// What was recorded before somebody began to read and did not come to an end: the user may have
    /// changed files since, which are not to be put back.
    fn forget_begun_readings(&mut self) {
        let steps: HashSet<String> =
            self.steps.keys().map(|place| place.as_str().to_owned()).collect();
        self.steps.retain(|place, _| {
            let Some(reading) = place.as_str().strip_suffix("/before") else { return true };
            // `N/before` is a look of its own, at no session.
            !reading.contains('/')
                || steps.contains(reading)
                || steps.contains(&format!("{reading}/after"))
        });
    }
}

/// Whether it is what was recorded around an audit that is to be done again.
fn is_of_open_audit(place: &Place, open: &[(&Place, Option<Called>)]) -> bool {
    let around = ["/audit/before", "/audit/after", "/audit/restored"];
    around.iter().any(|end| place.as_str().ends_with(end))
        && open.iter().any(|(done, _)| *done == place)
}

/// A session that was cancelled is done again, and a hook that the loop stopped for, and what a forge
/// had no room for; everything
/// else that came to an end is done.
#[expect(clippy::wildcard_enum_match_arm, reason = "what came to an end is done")]
fn counts_as_done(result: &StepResult) -> bool {
    match result {
        StepResult::Session(report) => report.outcome != Outcome::Cancelled,
        StepResult::Hooked { stops, .. } => !stops,
        StepResult::Limited { .. } => false,
        _ => true,
    }
}

/// What a session came to, as far as another chance for the agent goes.
#[derive(Clone, Copy, Debug)]
struct Called {
    has_failed: bool,
    must_answer: bool,
    /// Whether it is an auditor's; then, whether it came to nothing.
    is_audit_in_vain: Option<bool>,
}

impl Called {
    fn of(result: &StepResult, role: Option<&str>) -> Option<Self> {
        let StepResult::Session(report) = result else { return None };
        let must_answer = role.is_some_and(role::must_answer);
        let is_in_vain = || report.failure().is_some() || report::read(&report.final_text).is_err();
        Some(Self {
            has_failed: report.outcome.is_failure(),
            must_answer,
            is_audit_in_vain: (role == Some(role::AUDITOR)).then(is_in_vain),
        })
    }
}

/// The auditors that are asked again where the loop was given up in an audit: they work side by side,
/// so which came last says nothing, and those that have answered need not answer twice.
fn in_vain<'a>(open: &[(&'a Place, Option<Called>)]) -> Option<Vec<(&'a Place, Option<Called>)>> {
    let last = open.iter().rev().find_map(|(_, called)| *called)?;
    last.is_audit_in_vain?;
    let is_in_vain = |(_, called): &&(&'a Place, Option<Called>)| {
        called.is_some_and(|called| called.is_audit_in_vain == Some(true))
    };
    let again: Vec<_> = open.iter().filter(is_in_vain).copied().collect();
    (!again.is_empty()).then_some(again)
}

/// From which step on an iteration is done again that was given up in its middle, for the agent kept
/// failing: from the first of the sessions that failed in the end; where none did, but nobody could
/// read what they said, from the first of those.
fn to_be_done_again(open: &[(&Place, Option<Called>)]) -> usize {
    let sessions = (0..).zip(open).filter_map(|(at, (_, called))| Some((at, (*called)?)));
    let sessions: Vec<(usize, Called)> = sessions.collect();
    let last_ones = |counts: fn(&Called) -> bool| {
        sessions.iter().rev().take_while(|(_, called)| counts(called)).last().map(|(at, _)| *at)
    };
    let first = last_ones(|called| called.has_failed);
    first.or_else(|| last_ones(|called| called.must_answer)).unwrap_or(open.len())
}
