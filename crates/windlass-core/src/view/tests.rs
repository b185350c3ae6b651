//! Recorded events in, the view of them out.

use insta::assert_debug_snapshot;

use super::*;
use crate::{ids::LoopId, said::Said};

/// A loop of two iterations as it is stored: a rejected claim, then a proven one.
const RECORDED: &str = r#"
{"type":"loop_started","name":"brave-otter","kind":"iterate","directory":"/work","agent":"command","max_iterations":20,"version":"0.1.0"}
{"type":"iteration_started","iteration":1}
{"type":"step_started","place":"1/agent","step":{"type":"session","role":"agent","agent":"command","prompt":"Mend it"},"fingerprint":"a"}
{"type":"agent_said","place":"1/agent","said":{"type":"text","text":"\u001b[31mI look\u001b[0m\nand mend\r\n"}}
{"type":"ticked","place":"1/agent","bytes":120,"last_line":"still \u001b]52;c;AA\u0007mending"}
{"type":"step_finished","place":"1/agent","result":{"type":"session","outcome":{"type":"finished"},"final_text":"done","claim":{"by":"promise"},"usage":{"input_tokens":10,"output_tokens":5,"cost_usd":0.25},"tools":1,"exit_code":0,"stdout":{"bytes":200,"dropped":0},"stderr":{"bytes":7,"dropped":0},"duration_ms":3000}}
{"type":"claimed","iteration":1,"by":"promise"}
{"type":"step_started","place":"1/check/1","step":{"type":"check","command":"cargo test","tree":"t1"},"fingerprint":"b"}
{"type":"step_finished","place":"1/check/1","result":{"type":"check","command":"cargo test","passed":false,"exit_code":1,"timed_out":false,"tail":"boom","output_hash":"h","tree":"t1","duration_ms":100}}
{"type":"claim_rejected","iteration":1,"reasons":["check `cargo test` failed with exit code 1"]}
{"type":"iteration_finished","iteration":1,"tree":"t1","head":null,"files_changed":2,"files_modified":2,"claim":"rejected","duration_ms":3200}
{"type":"rule_warned","rule":"stagnation","reason":"2 iterations without progress"}
{"type":"from_the_future","whatever":1}
"#;

const REST: &str = r#"
{"type":"iteration_started","iteration":2}
{"type":"step_started","place":"2/agent","step":{"type":"session","role":"agent","agent":"command","prompt":"Mend it"},"fingerprint":"c"}
{"type":"step_finished","place":"2/agent","result":{"type":"session","outcome":{"type":"finished"},"final_text":"done","claim":{"by":"promise"},"usage":{"input_tokens":10,"output_tokens":5,"cost_usd":0.25},"tools":1,"exit_code":0,"stdout":{"bytes":200,"dropped":0},"stderr":{"bytes":0,"dropped":0},"duration_ms":3000}}
{"type":"claimed","iteration":2,"by":"promise"}
{"type":"step_started","place":"2/check/1","step":{"type":"check","command":"cargo test","tree":"t2"},"fingerprint":"d"}
{"type":"step_finished","place":"2/check/1","result":{"type":"check","command":"cargo test","passed":true,"exit_code":0,"timed_out":false,"tail":"ok","output_hash":"h","tree":"t2","duration_ms":100}}
{"type":"claim_accepted","iteration":2,"by":"promise","checks":1,"tree":"t2"}
{"type":"iteration_finished","iteration":2,"tree":"t2","head":null,"files_changed":1,"files_modified":1,"claim":"accepted","duration_ms":3200}
{"type":"loop_finished","ending":{"type":"done","by":"promise"}}
"#;

fn event(seq: u64, kind: EventKind) -> Event {
    let at = Timestamp(i64::try_from(seq).unwrap() * 1000);
    Event { seq, at, ran_ms: None, loop_id: LoopId::from("1a2b".to_owned()), kind }
}

fn view_of(recorded: &str) -> LoopView {
    let mut view = LoopView::default();
    for (seq, line) in (1..).zip(recorded.lines().filter(|line| !line.is_empty())) {
        view.apply(&event(seq, serde_json::from_str(line).unwrap()));
    }
    view
}

#[test]
fn a_view_tells_what_is_going_on() {
    assert_debug_snapshot!(view_of(RECORDED), @r#"
    LoopView {
        name: "brave-otter",
        kind: "iterate",
        directory: "/work",
        agent: "command",
        iteration: 1,
        max_iterations: 20,
        stage: None,
        phase: Starting,
        phase_since: Some(
            Timestamp(
                11000,
            ),
        ),
        started_at: Some(
            Timestamp(
                1000,
            ),
        ),
        updated_at: Some(
            Timestamp(
                13000,
            ),
        ),
        claim: Some(
            Claim {
                iteration: 1,
                by: Promise,
                fate: Rejected {
                    reasons: [
                        "check `cargo test` failed with exit code 1",
                    ],
                },
            },
        ),
        checks: [
            CheckView {
                command: "cargo test",
                passed: Some(
                    false,
                ),
            },
        ],
        tasks: None,
        ledger: Ledger {
            entries: [],
            reports: [],
        },
        pull: None,
        fixes: 0,
        sessions: 1,
        usage: Usage {
            input_tokens: 10,
            output_tokens: 5,
            cost_usd: Some(
                0.25,
            ),
        },
        checks_run: 1,
        files_changed: 2,
        files_modified: 2,
        failures_running: 0,
        failure: None,
        circuit: HalfOpen {
            rule: "stagnation",
            reason: "2 iterations without progress",
        },
        stop: None,
        last_lines: [
            "I look",
            "and mend",
            "still mending",
        ],
        last_tool: None,
        failed_check: Some(
            FailedCheck {
                command: "cargo test",
                exit_code: Some(
                    1,
                ),
                timed_out: false,
                tests: None,
                first_error: None,
                last_lines: [
                    "boom",
                ],
            },
        ),
        denied_tools: [],
        bytes: 207,
        skipped_tests: [],
        baseline: None,
        guarded: None,
        tests: [],
        originals: None,
        proof: None,
        ending: None,
    }
    "#);
}

#[test]
fn a_view_tells_how_it_ended() {
    let view = view_of(&format!("{RECORDED}{REST}"));
    let passed: Vec<_> = view.checks.iter().map(|check| check.passed).collect();
    assert_eq!(passed, [Some(true)]);
    assert_debug_snapshot!((view.phase, view.claim, view.circuit, view.usage, view.ending), @r#"
    (
        Ended,
        Some(
            Claim {
                iteration: 2,
                by: Promise,
                fate: Accepted {
                    checks: 1,
                    tree: Some(
                        "t2",
                    ),
                    doubts: [],
                    waived: false,
                },
            },
        ),
        Closed,
        Usage {
            input_tokens: 20,
            output_tokens: 10,
            cost_usd: Some(
                0.5,
            ),
        },
        Some(
            Done {
                by: Promise,
                unverified: false,
            },
        ),
    )
    "#);
}

#[test]
fn a_resumed_loop_has_not_ended() {
    let mut view = view_of(&format!("{RECORDED}{REST}"));
    view.apply(&event(
        40,
        EventKind::LoopResumed { epoch: 2, max_iterations: 40, start: None, accepting: false },
    ));
    assert_eq!((view.phase, view.ending, view.max_iterations), (Phase::Starting, None, 40));
}

#[test]
fn a_tripped_rule_stays_open_until_it_is_reset() {
    let mut view = view_of(RECORDED);
    let (rule, reason) = ("churn".to_owned(), "too much".to_owned());
    view.apply(&event(
        30,
        EventKind::RuleTripped { rule: rule.clone(), reason: reason.clone(), undecided: None },
    ));
    view.apply(&event(
        31,
        EventKind::RuleWarned { rule: "other".to_owned(), reason: String::new() },
    ));
    assert_eq!(view.circuit, Circuit::Open { rule, reason });
    view.apply(&event(32, EventKind::CircuitReset));
    assert_eq!(view.circuit, Circuit::Closed);
}

#[test]
fn however_much_an_agent_says_a_view_stays_small() {
    let mut view = view_of(RECORDED);
    let place = crate::ids::Place::new(1, "agent");
    let text = format!("{}\n{}", "x\n".repeat(100_000), "y".repeat(100_000));
    view.apply(&event(30, EventKind::AgentSaid { place, said: Said::Text { text } }));
    assert_eq!(view.last_lines.len(), LAST_LINES);
    assert_eq!(view.last_line().map(str::len), Some(LONGEST_LINE));
}

#[test]
fn a_view_knows_how_the_tasks_stand_and_which_were_done() {
    let moved = [
        r#"{"type":"tasks_moved","iteration":0,"open":2,"done":1,"completed_so_far":0,"left":["a","b"]}"#,
        r#"{"type":"tasks_moved","iteration":1,"completed":["a\u001b[2J"],"open":1,"done":2,"completed_so_far":1,"left":["b"]}"#,
        r#"{"type":"tasks_moved","iteration":2,"completed":["b"],"reopened":["a"],"open":1,"done":2,"completed_so_far":1,"left":["a"]}"#,
    ];
    let view = view_of(&moved.join("\n")).tasks.unwrap();
    assert_eq!((view.open, view.done, view.completed), (1, 2, 1));
    assert_eq!((view.last_completed, view.left), (vec!["b".to_owned()], vec!["a".to_owned()]));
}
