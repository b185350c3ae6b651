//! A loop's events as a test writes them.

use std::path::Path;

use serde_json::json;
use windlass_core::{
    claim::ClaimReading,
    ending::{ClaimedBy, Ending},
    event::{ClaimFate, Event, EventKind, IterationSummary},
    evidence::Evidence,
    ids::{LoopId, Place},
    outcome::Outcome,
    process::StreamStats,
    said::{Said, Usage},
    step::{CheckReport, CheckStep, SessionReport, SessionStep, Step, StepResult},
    time::Timestamp,
};
use windlass_store::store::NewLoop;
use windlass_system::ownership::Owner;

/// When every scripted loop begins.
pub(crate) const BEGIN: i64 = 1_763_237_000_000;

pub(crate) fn new_loop(name: &str, directory: &Path) -> NewLoop {
    NewLoop {
        id: LoopId::of_number(fastrand::u64(..)),
        name: name.to_owned(),
        kind: "iterate".to_owned(),
        directory: directory.to_owned(),
        worktree: None,
        agent: "scripted".to_owned(),
        options: json!({ "prompt": "do it", "rules": { "max_iterations": 20 } }),
        owner: Owner::this_process(),
    }
}

/// Numbers and dates events: one a second.
pub(crate) fn stamp(id: &LoopId, after: u64, kinds: Vec<EventKind>) -> Vec<Event> {
    (after + 1..)
        .zip(kinds)
        .map(|(seq, kind)| Event {
            seq,
            at: Timestamp(BEGIN + i64::try_from(seq).unwrap() * 1000),
            ran_ms: None,
            loop_id: id.clone(),
            kind,
        })
        .collect()
}

pub(crate) fn started() -> EventKind {
    EventKind::LoopStarted {
        name: "brave-otter".to_owned(),
        kind: "iterate".to_owned(),
        directory: "/somewhere".to_owned(),
        agent: "scripted".to_owned(),
        max_iterations: 20,
        version: "0.1.0".to_owned(),
        start: None,
    }
}

pub(crate) fn session_started(place: &Place, prompt: &str) -> EventKind {
    EventKind::StepStarted {
        place: place.clone(),
        step: Step::Session(SessionStep {
            role: "agent".to_owned(),
            agent: "scripted".to_owned(),
            prompt: prompt.to_owned(),
            lesson: None,
            task: None,
        }),
        fingerprint: "f1".to_owned(),
    }
}

pub(crate) fn text(place: &Place, text: &str) -> EventKind {
    EventKind::AgentSaid { place: place.clone(), said: Said::Text { text: text.to_owned() } }
}

pub(crate) fn session_finished(place: &Place, outcome: Outcome, text: &str) -> EventKind {
    let claim = ClaimReading {
        blocked: None,
        by: Some(ClaimedBy::Promise),
        text: Some("<promise>COMPLETE</promise>".to_owned()),
        status: None,
        near_miss: None,
    };
    EventKind::StepFinished {
        place: place.clone(),
        result: StepResult::Session(Box::new(SessionReport {
            outcome,
            final_text: text.to_owned(),
            claim,
            problem: None,
            usage: Usage { input_tokens: 100, output_tokens: 20, cost_usd: Some(0.25) },
            model: Some("m1".to_owned()),
            tools: 2,
            denied: 0,
            denied_tools: Vec::new(),
            session_id: None,
            said: 0,
            exit_code: Some(0),
            stdout: StreamStats { bytes: 10, dropped: 0 },
            stderr: StreamStats::default(),
            leftovers: Vec::new(),
            lost_background: Vec::new(),
            overage: None,
            duration_ms: 1500,
        })),
    }
}

pub(crate) fn check_started(place: &Place) -> EventKind {
    EventKind::StepStarted {
        place: place.clone(),
        step: Step::Check(CheckStep {
            command: "cargo test".to_owned(),
            tree: Some("t1".to_owned()),
            found_in: None,
            at_most_ms: None,
            is_baseline: false,
        }),
        fingerprint: "f2".to_owned(),
    }
}

pub(crate) fn check_finished(place: &Place, passed: bool) -> EventKind {
    EventKind::StepFinished {
        place: place.clone(),
        result: StepResult::Check(CheckReport {
            command: "cargo test".to_owned(),
            passed,
            exit_code: Some(i32::from(!passed)),
            timed_out: false,
            tail: "test result".to_owned(),
            output_hash: "h1".to_owned(),
            tree: Some("t1".to_owned()),
            duration_ms: 700,
            tests: None,
            first_error: None,
        }),
    }
}

pub(crate) fn iteration_finished(iteration: u32, claim: ClaimFate) -> EventKind {
    EventKind::IterationFinished(IterationSummary {
        iteration,
        tree: Some(format!("t{iteration}")),
        head: Some("c0".to_owned()),
        files_changed: 2,
        lines_changed: 12,
        files_modified: 2,
        claim,
        failure: None,
        evidence: Evidence::default(),
        duration_ms: 5000,
    })
}

/// One whole iteration with a claim that is rejected or accepted.
pub(crate) fn iteration(number: u32, accepted: bool) -> Vec<EventKind> {
    let agent = Place::new(number, "agent");
    let check = Place::new(number, "check/1");
    let by = ClaimedBy::Promise;
    vec![
        EventKind::IterationStarted { iteration: number },
        session_started(&agent, &format!("prompt {number}")),
        text(&agent, "I look"),
        EventKind::AgentSaid {
            place: agent.clone(),
            said: Said::ToolUse { name: "Edit".to_owned(), summary: "edits a.rs".to_owned() },
        },
        session_finished(&agent, Outcome::Finished, &format!("words {number}")),
        EventKind::Claimed { iteration: number, by },
        check_started(&check),
        check_finished(&check, accepted),
        if accepted {
            EventKind::ClaimAccepted {
                iteration: number,
                by,
                checks: 1,
                waived: false,
                tree: Some(format!("t{number}")),
                doubts: Vec::new(),
            }
        } else {
            EventKind::ClaimRejected {
                iteration: number,
                reasons: vec!["`cargo test` failed".to_owned()],
            }
        },
        iteration_finished(
            number,
            if accepted { ClaimFate::Accepted } else { ClaimFate::Rejected },
        ),
    ]
}

/// A loop that is done in two iterations.
pub(crate) fn whole_loop() -> Vec<EventKind> {
    let mut kinds = vec![started()];
    kinds.extend(iteration(1, false));
    kinds.extend(iteration(2, true));
    kinds.push(EventKind::LoopFinished {
        ending: Ending::Done { by: ClaimedBy::Promise, unverified: false },
    });
    kinds
}
