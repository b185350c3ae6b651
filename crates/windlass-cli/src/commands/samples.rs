//! Loops to show, among them one with hostile words in every place.

use std::path::PathBuf;

use serde_json::json;
use windlass_core::{
    ending::{ClaimedBy, Ending},
    ids::LoopId,
    outcome::Outcome,
    said::Usage,
    time::Timestamp,
};
use windlass_store::store::{
    CheckRecord, IterationRecord, LoopRecord, MessageRecord, Owner, SessionRecord,
};

use crate::report::ending::{Standing, State};

/// The moment that it is.
pub(crate) const NOW: Timestamp = Timestamp(1_763_237_000_000);
const EVIL: &str = "\u{1b}]52;c;ZXZpbA==\u{7}\u{202e}x\u{1b}[2J\r\u{9b}31m";

/// Snapshots that do not depend on where on earth they are made.
pub(crate) fn anywhere() -> insta::Settings {
    let mut settings = insta::Settings::clone_current();
    settings.add_filter(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", "YYYY-MM-DD HH:MM:SS");
    settings
}

fn at(seconds_ago: i64) -> Timestamp {
    Timestamp(NOW.0 - seconds_ago * 1000)
}

/// A loop that was proven done.
pub(crate) fn done() -> LoopRecord {
    LoopRecord {
        id: LoopId::from("1a2b3c4d5e6f7a8b".to_owned()),
        name: "brave-otter".to_owned(),
        kind: "iterate".to_owned(),
        directory: PathBuf::from("/work/shop"),
        worktree: None,
        agent: "command".to_owned(),
        task: Some("Make the tests pass".to_owned()),
        options: json!({"kind": "iterate", "prompt": "Make the tests pass", "command": "my-agent --fast"}),
        epoch: 1,
        owner: Owner { pid: 1, started: 0, boot: String::new() },
        iteration: 2,
        max_iterations: 20,
        phase: String::new(),
        sessions: 2,
        usage: Usage { input_tokens: 1210, output_tokens: 55, cost_usd: Some(0.5) },
        files_modified: 3,
        circuit: "closed".to_owned(),
        circuit_reason: None,
        ending: Some(Ending::Done { by: ClaimedBy::Promise, unverified: false }),
        verified: true,
        completion_text: None,
        final_status: None,
        waiting: None,
        tasks_completed: 0,
        tasks: None,
        fixes: 0,
        trajectory: Vec::new(),
        task_list: None,
        last_seq: 30,
        started_at: at(7300),
        updated_at: at(7200),
        ended_at: Some(at(7200)),
        active_ms: 66_400,
    }
}

/// A loop that runs.
pub(crate) fn running() -> LoopRecord {
    LoopRecord {
        ended_at: None,
        name: "calm-heron".to_owned(),
        iteration: 6,
        phase: "agent running".to_owned(),
        circuit: "half_open".to_owned(),
        circuit_reason: Some("2 iterations without progress".to_owned()),
        usage: Usage::default(),
        ending: None,
        verified: false,
        started_at: at(400),
        updated_at: at(12),
        ..done()
    }
}

/// A loop that a rule stopped.
pub(crate) fn tripped() -> LoopRecord {
    LoopRecord {
        circuit: "open".to_owned(),
        circuit_reason: Some("3 iterations without progress".to_owned()),
        ending: Some(Ending::Rule {
            rule: "stagnation".to_owned(),
            reason: "3 iterations without progress".to_owned(),
            undecided: None,
        }),
        verified: false,
        ..done()
    }
}

/// A loop without a limit that was cut off, with hostile words wherever they can stand.
pub(crate) fn evil() -> LoopRecord {
    LoopRecord {
        ended_at: None,
        name: format!("odd{EVIL}-newt"),
        kind: format!("iterate{EVIL}"),
        directory: PathBuf::from(format!("/work/{EVIL}")),
        agent: format!("agent{EVIL}"),
        task: Some(EVIL.to_owned()),
        phase: EVIL.to_owned(),
        circuit_reason: Some(EVIL.to_owned()),
        max_iterations: 0,
        ending: None,
        verified: false,
        ..done()
    }
}

/// How a loop stands whose owner lives or not.
pub(crate) fn standing(record: &LoopRecord, alive: bool) -> Standing {
    let mut standing = Standing::of_record(record);
    if record.ending.is_none() {
        standing.state = if alive { State::Running } else { State::Interrupted };
    }
    standing
}

/// What the agent said.
pub(crate) fn messages() -> Vec<MessageRecord> {
    let said =
        [("text", "I look"), ("usage", "3 tokens"), ("text", EVIL), ("tool_use", "edits a.rs")];
    let message = |(n, (kind, content)): (u64, (&str, &str))| MessageRecord {
        session: 1,
        sequence: n,
        kind: kind.to_owned(),
        content: content.to_owned(),
        at: NOW,
    };
    (1..).zip(said).map(message).collect()
}

/// Two iterations: a rejected claim, then an accepted one.
pub(crate) fn iterations() -> Vec<IterationRecord> {
    let check = |passed: bool| CheckRecord {
        cut_off: false,
        iteration: 1,
        command: "cargo test".to_owned(),
        passed: Some(passed),
        exit_code: Some(i32::from(!passed)),
        duration_ms: Some(2100),
        output_hash: None,
        tail: format!("assertion{EVIL} failed"),
        tree: Some("1a2b3c4d5e".to_owned()),
        tests: None,
        part: None,
        started_at: at(7250),
    };
    let rejected = IterationRecord {
        number: 1,
        tree: Some("1a2b3c4d5e".to_owned()),
        head: None,
        claim: Some("rejected".to_owned()),
        rejected_because: vec!["check `cargo test` failed with exit code 1".to_owned()],
        files_changed: 2,
        checks: vec![check(false)],
        originals: Vec::new(),
        started_at: at(7300),
        duration_ms: Some(5200),
        exit_code: Some(0),
        preview: format!("I mended {EVIL}"),
    };
    let accepted = IterationRecord {
        number: 2,
        claim: Some("accepted".to_owned()),
        rejected_because: Vec::new(),
        checks: vec![check(true)],
        preview: String::new(),
        ..rejected.clone()
    };
    vec![rejected, accepted]
}

/// The sessions of those iterations.
pub(crate) fn sessions() -> Vec<SessionRecord> {
    let first = SessionRecord {
        id: 1,
        iteration: 1,
        task: None,
        place: "1/agent".to_owned(),
        role: "agent".to_owned(),
        agent: "command".to_owned(),
        model: None,
        prompt: "Mend it".to_owned(),
        lesson: None,
        status: "finished".to_owned(),
        outcome: Some(Outcome::Finished),
        problem: None,
        text: "I fixed it".to_owned(),
        tools: 3,
        denied: 0,
        session_id: None,
        usage: Usage { input_tokens: 10, output_tokens: 5, cost_usd: Some(0.25) },
        exit_code: Some(0),
        started_at: at(7300),
        duration_ms: Some(3000),
    };
    let second = SessionRecord {
        id: 2,
        iteration: 2,
        place: "2/agent".to_owned(),
        status: "failed".to_owned(),
        outcome: Some(Outcome::Crashed { signal: None, code: Some(3) }),
        problem: Some(format!("no such{EVIL} model")),
        tools: 0,
        usage: Usage::default(),
        ..first.clone()
    };
    vec![first, second]
}
