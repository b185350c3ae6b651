//! Events and results to feed screens with, among them what a hostile agent says.

mod proven;

pub(crate) use proven::{proven, proven_result, refuted};
use windlass_core::{
    event::{Event, EventKind},
    findings::Counts,
    ids::LoopId,
    result::{LoopResult, SCHEMA},
    said::Usage,
    time::Timestamp,
};

/// A loop of two iterations as it is stored: a rejected claim, then a proven one.
const RECORDED: &str = r#"
{"type":"loop_started","name":"brave-otter","kind":"iterate","directory":"/work","agent":"command","max_iterations":20,"version":"0.1.0"}
{"type":"noted","text":"`/work` is not in a git repository, so progress cannot be measured"}
{"type":"iteration_started","iteration":1}
{"type":"step_started","place":"1/agent","step":{"type":"session","role":"agent","agent":"command","prompt":"Mend it"},"fingerprint":"a"}
{"type":"agent_said","place":"1/agent","said":{"type":"text","text":"I look\nand mend\n"}}
{"type":"agent_said","place":"1/agent","said":{"type":"tool_use","name":"Edit","summary":"edits src/a.rs"}}
{"type":"agent_said","place":"1/agent","said":{"type":"tool_result","summary":"no such file","failed":true}}
{"type":"agent_said","place":"1/agent","said":{"type":"stderr","text":"careful"}}
{"type":"ticked","place":"1/agent","bytes":120,"last_line":"still mending"}
{"type":"step_finished","place":"1/agent","result":{"type":"session","outcome":{"type":"finished"},"final_text":"done","claim":{"by":"promise","text":"<promise>COMPLETE</promise>"},"usage":{"input_tokens":1200,"output_tokens":50,"cost_usd":0.25},"tools":1,"exit_code":0,"stdout":{"bytes":200,"dropped":2048},"stderr":{"bytes":7,"dropped":0},"leftovers":["sleep","node"],"duration_ms":3000}}
{"type":"claimed","iteration":1,"by":"promise"}
{"type":"step_started","place":"1/check/1","step":{"type":"check","command":"cargo test","tree":"1a2b3c4d5e"},"fingerprint":"b"}
{"type":"step_finished","place":"1/check/1","result":{"type":"check","command":"cargo test","passed":false,"exit_code":1,"timed_out":false,"tail":"running 1 test\n\nassertion failed","output_hash":"h","tree":"1a2b3c4d5e","duration_ms":2100}}
{"type":"claim_rejected","iteration":1,"reasons":["check `cargo test` failed with exit code 1"]}
{"type":"iteration_finished","iteration":1,"tree":"1a2b3c4d5e","head":null,"files_changed":2,"files_modified":2,"claim":"rejected","duration_ms":5200}
{"type":"rule_warned","rule":"stagnation","reason":"2 iterations without progress"}
{"type":"step_started","place":"1/wait","step":{"type":"wait","until":"1970-01-01T00:01:17Z","reason":"the session failed"},"fingerprint":"w"}
{"type":"step_finished","place":"1/wait","result":{"type":"waited"}}
{"type":"iteration_started","iteration":2}
{"type":"step_started","place":"2/agent","step":{"type":"session","role":"agent","agent":"command","prompt":"Mend it"},"fingerprint":"c"}
{"type":"step_finished","place":"2/agent","result":{"type":"session","outcome":{"type":"finished"},"final_text":"done","claim":{"by":"exit"},"usage":{"input_tokens":10,"output_tokens":5,"cost_usd":0.25},"tools":1,"exit_code":0,"stdout":{"bytes":200,"dropped":0},"stderr":{"bytes":0,"dropped":0},"duration_ms":61000}}
{"type":"claimed","iteration":2,"by":"exit"}
{"type":"step_started","place":"2/check/1","step":{"type":"check","command":"cargo test","tree":"2b3c4d5e6f"},"fingerprint":"d"}
{"type":"step_finished","place":"2/check/1","result":{"type":"check","command":"cargo test","passed":true,"exit_code":0,"timed_out":false,"tail":"ok","output_hash":"h","tree":"2b3c4d5e6f","duration_ms":100}}
{"type":"step_finished","place":"2/commit","result":{"type":"commit","commit":"99aabbccdd","left_out":["a.txt: it was dirty before the loop"]}}
{"type":"claim_accepted","iteration":2,"by":"exit","checks":1,"tree":"2b3c4d5e6f"}
{"type":"iteration_finished","iteration":2,"tree":"2b3c4d5e6f","head":null,"files_changed":1,"files_modified":1,"claim":"accepted","duration_ms":61200}
{"type":"loop_finished","ending":{"type":"done","by":"exit"}}
"#;

/// Loops that go wrong in other ways.
const WRONG: &str = r#"
{"type":"loop_resumed","epoch":2,"max_iterations":0}
{"type":"iteration_started","iteration":7}
{"type":"step_finished","place":"7/agent","result":{"type":"session","outcome":{"type":"crashed","code":3},"final_text":"","claim":{"by":null},"problem":"no such model","usage":{"input_tokens":0,"output_tokens":0,"cost_usd":null},"tools":0,"exit_code":3,"stdout":{"bytes":0,"dropped":0},"stderr":{"bytes":0,"dropped":0},"duration_ms":40}}
{"type":"step_finished","place":"7/check/1","result":{"type":"check","command":"make","passed":false,"exit_code":null,"timed_out":true,"tail":"","output_hash":"h","tree":null,"duration_ms":1800000}}
{"type":"claim_accepted","iteration":7,"by":"promise","checks":0,"tree":null}
{"type":"iteration_finished","iteration":7,"tree":null,"head":null,"files_changed":0,"files_modified":0,"claim":"none","failure":"exited with code 3","duration_ms":50}
{"type":"rule_tripped","rule":"churn","reason":"the same lines came and went 4 times"}
{"type":"circuit_reset"}
{"type":"rolled_back","iteration":0,"from":"a","to":"b"}
{"type":"rolled_back","iteration":3,"from":"a","to":"b"}
{"type":"stop_requested","level":"after_iteration","by":"sigint"}
{"type":"stop_requested","level":"kill","by":"sigint"}
{"type":"from_the_future","x":1}
"#;

/// What a hostile agent says.
pub(crate) const EVIL: &[&str] = &[
    "\u{1b}]52;c;ZXZpbA==\u{7}",
    "\u{1b}]8;;http://evil\u{1b}\\link\u{1b}]8;;\u{1b}\\",
    "\u{1b}[2J\u{1b}[31m",
    "\u{9b}31m\u{9d}0;title\u{9c}",
    "\u{1b}P$q\u{1b}\\\u{1b}_G\u{1b}\\",
    "\u{202e}txt.exe\u{2066}\u{200b}\u{feff}\u{e0041}",
    "safe\rrm -rf /\u{8}\u{7f}\0\u{b}",
    "\u{1b}]0;never ends",
];

/// Snapshots that do not depend on where on earth they are made.
pub(crate) fn anywhere() -> insta::Settings {
    let mut settings = insta::Settings::clone_current();
    settings.add_filter(r"until \d\d:\d\d", "until HH:MM");
    settings
}

/// One event of a sample loop.
pub(crate) fn event(seq: u64, kind: EventKind) -> Event {
    let at = Timestamp(i64::try_from(seq).unwrap() * 1000);
    Event { seq, at, ran_ms: None, loop_id: LoopId::from("1a2b3c4d5e6f7a8b".to_owned()), kind }
}

fn read(recorded: &str) -> Vec<Event> {
    let lines = recorded.lines().filter(|line| !line.is_empty());
    (1..).zip(lines).map(|(seq, line)| event(seq, serde_json::from_str(line).unwrap())).collect()
}

/// A loop that ended well.
pub(crate) fn good() -> Vec<Event> {
    read(RECORDED)
}

/// Events of loops that did not.
pub(crate) fn wrong() -> Vec<Event> {
    read(WRONG)
}

/// Both, with hostile words wherever somebody's words can stand.
pub(crate) fn evil() -> Vec<Event> {
    let mut events = Vec::new();
    for evil in EVIL {
        for event in good().into_iter().chain(wrong()).chain(proven()) {
            let json = poisoned(serde_json::to_value(&event.kind).unwrap(), evil);
            events.push(Event { kind: serde_json::from_value(json).unwrap(), ..event });
        }
    }
    events
}

fn poisoned(value: serde_json::Value, evil: &str) -> serde_json::Value {
    use serde_json::Value;
    const FIXED: [&str; 12] = [
        "type",
        "by",
        "claim",
        "until",
        "place",
        "what",
        "how",
        "state",
        "baseline",
        "originals",
        "hidden",
        "confidence",
    ];
    match value {
        Value::String(text) => Value::String(format!("{text}{evil}x\n{evil}y")),
        Value::Array(items) => items.into_iter().map(|item| poisoned(item, evil)).collect(),
        Value::Object(fields) => fields
            .into_iter()
            .map(|(key, value)| match (key.as_str(), value) {
                (key, value @ Value::String(_)) if FIXED.contains(&key) => (key.to_owned(), value),
                (key, value) => (key.to_owned(), poisoned(value, evil)),
            })
            .collect(),
        other @ (Value::Null | Value::Bool(_) | Value::Number(_)) => other,
    }
}

/// What the sample loop came to.
pub(crate) fn result() -> LoopResult {
    LoopResult {
        schema: SCHEMA,
        id: "1a2b3c4d5e6f7a8b".to_owned(),
        name: "brave-otter".to_owned(),
        kind: "iterate".to_owned(),
        directory: "/work/shop".to_owned(),
        worktree: None,
        agent: "command".to_owned(),
        ending: serde_json::json!({"type": "done", "by": "exit"}),
        success: true,
        verified: true,
        doubts: Vec::new(),
        proof: None,
        loop_mode: true,
        task: Some("Make the tests pass".to_owned()),
        iterations: 2,
        sessions: 2,
        findings: Counts::default(),
        fixes: 0,
        tasks_completed: 0,
        files_modified: 3,
        usage: Usage { input_tokens: 1210, output_tokens: 55, cost_usd: Some(0.5) },
        posted: None,
        left_behind: Vec::new(),
        completion_text: None,
        final_text: "done".to_owned(),
        final_status: None,
        rate_limit_hit: false,
        task_list: None,
        duration_ms: 66_400,
        exit_code: Some(0),
        error: None,
    }
}

/// The same result with an ending of that JSON.
pub(crate) fn result_with(ending: serde_json::Value) -> LoopResult {
    LoopResult { ending, ..result() }
}
