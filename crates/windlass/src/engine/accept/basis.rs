//! What there is to accept in a loop, read from its events.

use std::collections::BTreeMap;

use windlass_core::{
    ending::Ending,
    event::{Event, EventKind, IterationSummary},
    proof_record::{OriginalsState, ProofRecord, ProvenCheck},
    status::Status,
    step::StepResult,
};

/// What the user takes as it is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Basis {
    /// The iteration that it is about.
    pub iteration: u32,
    /// The tree that it is about; `None` outside a repository.
    pub tree: Option<String>,
    /// The reasons against it, a clause each.
    pub against: Vec<String>,
    /// What was run for and against it.
    pub proof: ProofRecord,
}

impl Basis {
    /// What there is to accept in a loop of that kind, or why there is nothing.
    pub(super) fn of(kind: &str, history: &[Event]) -> Result<Self, &'static str> {
        let mut read = Reading::default();
        history.iter().for_each(|event| read.event(event));
        let found = match kind {
            "merge" => return Err("it is a merge: merge the work of its loop again"),
            "heal" | "pr" => read.tests.take(),
            _ => read.claim.take(),
        };
        let nothing = match kind {
            "heal" | "pr" => "its tests did not fail",
            "develop" => {
                "no approval of its reviewer was rejected, and it did not report being blocked"
            }
            _ => "no claim of it was rejected, and it did not report being blocked",
        };
        let found = found.ok_or(nothing)?;
        let proof = read.proof(&found);
        Ok(Self { iteration: found.iteration, tree: found.tree, against: found.against, proof })
    }
}

/// Something that could be accepted.
#[derive(Clone, Debug, Default)]
struct Found {
    iteration: u32,
    tree: Option<String>,
    against: Vec<String>,
}

/// What the events have told so far.
#[derive(Default)]
struct Reading {
    /// The last iteration that came to its end.
    last: u32,
    /// The last tree that was recorded.
    tree: Option<String>,
    /// The last claim, where it was rejected, or the last report of being blocked.
    claim: Option<Found>,
    /// The tests, where they failed last.
    tests: Option<Found>,
    /// The checks of the last iteration that had any, as they ran last, in their order.
    checks: BTreeMap<usize, ProvenCheck>,
    checked_in: u32,
    /// The last proof, and the iteration that it is of.
    proof: Option<(u32, ProofRecord)>,
}

impl Reading {
    fn event(&mut self, event: &Event) {
        match &event.kind {
            EventKind::StepFinished { place, result } => self.step(place.iteration(), result),
            EventKind::ClaimRejected { iteration, reasons } => {
                self.claim = Some(self.found(*iteration, reasons.clone()));
            }
            EventKind::ClaimAccepted { .. } => {
                self.claim = None;
                self.tests = None;
            }
            EventKind::Proof(taken) => self.proven(taken.iteration, &taken.proof),
            EventKind::IterationFinished(summary) => self.finished(summary),
            EventKind::LoopFinished { ending } => self.ended(ending),
            _ => (),
        }
    }

    fn found(&self, iteration: u32, against: Vec<String>) -> Found {
        Found { iteration, tree: self.tree.clone(), against }
    }

    fn step(&mut self, iteration: u32, result: &StepResult) {
        match result {
            StepResult::Snapshot { snapshot: Some(snapshot), .. } => {
                self.tree = Some(snapshot.tree.clone());
                self.still(iteration);
            }
            StepResult::Check(report) => {
                if self.checked_in != iteration {
                    self.checks.clear();
                    self.checked_in = iteration;
                }
                let known = self.checks.iter().find(|(_, known)| known.command == report.command);
                let at = known.map_or(self.checks.len(), |(at, _)| *at);
                self.checks.insert(at, ProvenCheck::from(report));
                let failed = self.checks.values().find(|check| !check.passed);
                self.tests = failed.map(|check| {
                    let against = format!("the check `{}` failed", check.command);
                    self.found(iteration, vec![against])
                });
            }
            _ => (),
        }
    }

    /// Takes in that an iteration left another tree after its claim or its tests, which is the one that
    /// they are about: checks leave files, too.
    fn still(&mut self, iteration: u32) {
        for found in [&mut self.claim, &mut self.tests].into_iter().flatten() {
            if found.iteration == iteration {
                found.tree.clone_from(&self.tree);
            }
        }
    }

    fn proven(&mut self, iteration: u32, proof: &ProofRecord) {
        let failed = proof.checks.iter().find(|check| !check.passed);
        if proof.originals == OriginalsState::Failed {
            let against = "existing tests do not pass as they were".to_owned();
            self.tests = Some(self.found(iteration, vec![against]));
        } else if failed.is_none() {
            self.tests = None;
        }
        self.proof = Some((iteration, proof.clone()));
    }

    fn finished(&mut self, summary: &IterationSummary) {
        self.last = summary.iteration;
        if summary.tree.is_some() {
            self.tree.clone_from(&summary.tree);
        }
        self.still(summary.iteration);
        let evidence = &summary.evidence;
        // Events of earlier versions have the status block alone.
        let status = evidence.status.as_ref().filter(|one| one.status == Some(Status::Blocked));
        let of_status = || status.map(|one| one.recommendation.clone().unwrap_or_default());
        if let Some(words) = evidence.blocked.clone().or_else(of_status) {
            let against = match words.trim() {
                "" => "the agent says that it is blocked".to_owned(),
                words => format!("the agent says that it is blocked: {words}"),
            };
            self.claim = Some(self.found(summary.iteration, vec![against]));
        }
    }

    fn ended(&mut self, ending: &Ending) {
        match ending {
            Ending::TestsFailed { iteration, reason } => {
                self.tests = Some(self.found(*iteration, vec![reason.clone()]));
            }
            // Other tasks may have been worked on since the report.
            Ending::Rule { rule, reason, .. } if rule == "blocked" => {
                let iteration = self.last;
                self.claim = Some(self.found(iteration, vec![reason.clone()]));
            }
            _ => (),
        }
    }

    /// What was run for and against it.
    fn proof(&mut self, found: &Found) -> ProofRecord {
        if let Some((iteration, proof)) = self.proof.take()
            && iteration == found.iteration
        {
            return proof;
        }
        let is_of_it = self.checked_in == found.iteration;
        let checks = std::mem::take(&mut self.checks).into_values().filter(|_| is_of_it).collect();
        ProofRecord { checks, ..ProofRecord::default() }
    }
}
