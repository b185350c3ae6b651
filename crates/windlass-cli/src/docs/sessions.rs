//! Examples for `docs/events.md`: what a loop starts with, and a session.

use windlass_core::{
    claim::ClaimReading,
    ending::ClaimedBy,
    event::{StartAgent, StartBudget, StartCheck, StartReport},
    outcome::Outcome,
    process::StreamStats,
    said::Usage,
    step::{SessionReport, StepResult},
};

/// What the loop of the first example starts with.
pub(super) fn start() -> StartReport {
    StartReport {
        task: Some("Make the tests pass".to_owned()),
        agents: vec![StartAgent {
            name: "claude".to_owned(),
            version: Some("2.1.197".to_owned()),
            permissions: Some("asks before edits and commands".to_owned()),
            ..StartAgent::default()
        }],
        sandbox: "bwrap".to_owned(),
        network: Some("full network".to_owned()),
        budget: StartBudget {
            max_cost: "10".parse().ok(),
            max_duration: "8h".parse().ok(),
            reports_cost: true,
            ..StartBudget::default()
        },
        checks: vec![StartCheck {
            command: "cargo test --no-fail-fast".to_owned(),
            found_in: Some("Cargo.toml".to_owned()),
        }],
        inhibits_sleep: true,
        warnings: vec![
            "this machine runs on battery: the loop is interrupted when that is empty".to_owned(),
        ],
        ..StartReport::default()
    }
}

pub(super) fn session() -> StepResult {
    StepResult::Session(Box::new(SessionReport {
        outcome: Outcome::Finished,
        final_text: "I fixed it.\n<promise>COMPLETE</promise>".to_owned(),
        claim: ClaimReading {
            blocked: None,
            near_miss: None,
            by: Some(ClaimedBy::Promise),
            text: Some("<promise>COMPLETE</promise>".to_owned()),
            status: None,
        },
        problem: None,
        usage: Usage::default(),
        model: None,
        tools: 0,
        denied: 0,
        denied_tools: Vec::new(),
        session_id: None,
        said: 41,
        exit_code: Some(0),
        stdout: StreamStats { bytes: 41, dropped: 0 },
        stderr: StreamStats::default(),
        leftovers: Vec::new(),
        lost_background: Vec::new(),
        overage: None,
        duration_ms: 60_800,
    }))
}
