//! What earlier owners of a loop have already done, gathered from its events.

use std::{
    collections::{HashMap, HashSet},
    mem::{Discriminant, discriminant},
};

use crate::{
    event::{Event, EventKind},
    ids::Place,
    outcome::Outcome,
    step::{Step, StepResult},
    time::Timestamp,
};

/// What earlier owners of the loop have already done.
#[derive(Debug, Default)]
pub struct Past {
    pub(super) steps: HashMap<Place, Done>,
    /// When the waits that were begun are to end, so that they end then in a resumed loop too.
    pub(super) waits: HashMap<Place, Timestamp>,
    /// Which agents were called, so that a resumed loop calls the same ones.
    pub(super) agents: HashMap<Place, String>,
    /// What was noted of each iteration, so that it is not noted again.
    pub(super) noted: HashSet<(u32, Discriminant<EventKind>)>,
    /// What else was noted since the last iteration that came to its end.
    pub(super) notes: Vec<EventKind>,
    pub(super) started: u32,
    pub(super) finished: u32,
}

/// A step that is done.
#[derive(Debug)]
pub(super) struct Done {
    pub(super) fingerprint: String,
    pub(super) result: StepResult,
}

impl Past {
    /// Gathers what is done from a loop's events.
    pub fn of(history: &[Event]) -> Self {
        let mut past = Self::default();
        let mut fingerprints: HashMap<&Place, &String> = HashMap::new();
        for event in history {
            match &event.kind {
                EventKind::IterationStarted { iteration } => past.started = *iteration,
                EventKind::IterationFinished(summary) => {
                    past.finished = summary.iteration;
                    past.notes.clear();
                }
                EventKind::Noted { .. }
                | EventKind::TasksMoved(_)
                | EventKind::Phase(_)
                | EventKind::FindingsSeen(_)
                | EventKind::FixTried(_)
                | EventKind::AuditLogged(_)
                | EventKind::PullRead(_) => {
                    past.notes.push(event.kind.clone());
                }
                EventKind::StepStarted { place, fingerprint, step } => {
                    fingerprints.insert(place, fingerprint);
                    match step {
                        Step::Wait { until, .. } => {
                            past.waits.insert(place.clone(), *until);
                        }
                        Step::Session(session) => {
                            past.agents.insert(place.clone(), session.agent.clone());
                        }
                        _ => (),
                    }
                }
                EventKind::StepFinished { place, result } if counts_as_done(result) => {
                    let fingerprint = fingerprints.get(place).map_or("", |print| print);
                    let done = Done { fingerprint: fingerprint.to_owned(), result: result.clone() };
                    past.steps.insert(place.clone(), done);
                }
                EventKind::Claimed { iteration, .. }
                | EventKind::ClaimAccepted { iteration, .. }
                | EventKind::ClaimRejected { iteration, .. } => {
                    past.noted.insert((*iteration, discriminant(&event.kind)));
                }
                _ => (),
            }
        }
        past
    }
}

/// A session that was called off is done again; everything else that came to an end is done.
fn counts_as_done(result: &StepResult) -> bool {
    !matches!(result, StepResult::Session(report) if report.outcome == Outcome::Cancelled)
}
