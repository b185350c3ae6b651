//! How OpenCode, Gemini and Aider are called, and how sessions are read that were not recorded.

use std::{collections::BTreeMap, ffi::OsString, path::Path, time::Duration};

use windlass_agents::{Agent, Aider, Ask, Gemini, OpenCode, Reading, SkipPermissions, Wishes};
use windlass_core::{
    ending::ClaimedBy,
    options::Claiming,
    outcome::Outcome,
    process::{EndedBy, Exit},
    said::Said,
};

use crate::transcripts_more::{decode, decode_with};

const TAG: &str = "<promise>COMPLETE</promise>";

fn exit(code: i32) -> Exit {
    Exit {
        code: Some(code),
        signal: None,
        ended_by: None,
        leftovers: Vec::new(),
        survivors: Vec::new(),
        leaky: false,
        duration: Duration::ZERO,
    }
}

fn read(agent: &dyn Agent, lines: &[&str], code: i32) -> Reading {
    decode(agent, [lines.join("\n").as_bytes()], &exit(code)).0
}

fn cut_short(reason: &str) -> Outcome {
    Outcome::CutShort { reason: reason.to_owned() }
}

/// The program, its arguments, and what it reads.
fn called(agent: &dyn Agent, wishes: &Wishes) -> String {
    let env = BTreeMap::from([(OsString::from("HOME"), OsString::from("/h"))]);
    let ask = Ask {
        role: "agent",
        iteration: 1,
        prompt: "Do it.",
        directory: Path::new("/w"),
        env: &env,
        claiming: &Claiming::default(),
        wishes,
        is_root: false,
        prompt_file: Path::new("/p/prompt"),
        hooks_file: None,
    };
    let spec = agent.command(&ask);
    assert_eq!(spec.directory, Path::new("/w"));
    assert!(spec.env.contains(&("HOME".into(), "/h".into())));
    let args: Vec<&str> = spec.args.iter().map(|arg| arg.to_str().unwrap()).collect();
    let called = format!("{} {}", spec.program.to_str().unwrap(), args.join(" "));
    if agent.reads_prompt_file() {
        assert!(spec.stdin.is_empty());
        return format!("{called}, which says {:?}", agent.prompt_file_text(&ask));
    }
    format!("{called} < {:?}", String::from_utf8(spec.stdin).unwrap())
}

#[test]
fn wishes_become_each_agents_own_flags() {
    let wishes = Wishes {
        model: Some("a/b".to_owned()),
        append_system_prompt: Some("Be kind.\n".to_owned()),
        skip_permissions: SkipPermissions::Always,
        extra_args: vec!["--more".to_owned()],
    };
    insta::assert_snapshot!(
        [&OpenCode as &dyn Agent, &Gemini, &Aider]
            .map(|agent| called(agent, &Wishes::default()) + "\n" + &called(agent, &wishes))
            .join("\n"),
        @r#"
    opencode run --format json --title windlass < "Do it."
    opencode run --format json --title windlass -m a/b --auto --more < "Be kind.\n\nDo it."
    gemini -o stream-json < "Do it."
    gemini -o stream-json -m a/b --yolo --skip-trust --more < "Be kind.\n\nDo it."
    aider --no-pretty --no-fancy-input --no-check-update --no-show-release-notes --no-show-model-warnings --no-analytics --no-gitignore --no-detect-urls --no-auto-commits --no-dirty-commits --chat-history-file=/dev/null --input-history-file=/dev/null --message-file /p/prompt, which says "Do it."
    aider --no-pretty --no-fancy-input --no-check-update --no-show-release-notes --no-show-model-warnings --no-analytics --no-gitignore --no-detect-urls --no-auto-commits --no-dirty-commits --chat-history-file=/dev/null --input-history-file=/dev/null --model a/b --yes-always --message-file /p/prompt --more, which says "Be kind.\n\nDo it."
    "#
    );
}

#[test]
fn gemini_runs_as_one_process() {
    let env = BTreeMap::from([("GEMINI_CLI_NO_RELAUNCH".into(), "false".into())]);
    let ask = Ask {
        role: "agent",
        iteration: 1,
        prompt: "",
        directory: Path::new("/w"),
        env: &env,
        claiming: &Claiming::default(),
        wishes: &Wishes::default(),
        is_root: false,
        prompt_file: Path::new("/"),
        hooks_file: None,
    };
    assert_eq!(
        Gemini.command(&ask).env,
        [("GEMINI_CLI_NO_RELAUNCH".into(), OsString::from("true"))]
    );
}

#[test]
fn nothing_printed_is_no_answer_and_garbled_lines_are_kept_raw() {
    let garbled = b"\xff\xfe{\"type\":\n[1,2]\n{\"type\":7}\n{\"type\":\"text\",\"part\":[]}\n\"x\"\n{\"type\":\"step_finish\",\"part\":{\"tokens\":{\"input\":18446744073709551615,\"cache\":{\"read\":9}}}}";
    for agent in [&OpenCode as &dyn Agent, &Gemini, &Aider] {
        assert_eq!(read(agent, &[], 0).outcome, Outcome::NoResult, "{}", agent.name());
        let (reading, said) = decode(agent, [garbled.as_slice()], &exit(3));
        assert_eq!(reading.outcome, Outcome::Crashed { signal: None, code: Some(3) });
        assert!(said.iter().any(|said| matches!(said, Said::Raw { .. })));
    }
}

#[test]
fn what_windlass_ended_is_not_the_agents_failure() {
    let stop = Exit { ended_by: Some(EndedBy::Stop), ..exit(0) };
    for agent in [&OpenCode as &dyn Agent, &Gemini, &Aider] {
        let (reading, _) = decode(agent, [b"".as_slice()], &stop);
        assert_eq!(reading.outcome, Outcome::Cancelled);
    }
}

fn opencode_text(text: &str) -> String {
    serde_json::json!({"type": "text", "part": {"text": text}}).to_string()
}

const STEP: &str = r#"{"type":"step_start","part":{}}"#;
const STOP: &str = r#"{"type":"step_finish","part":{"reason":"stop"}}"#;
const CALLS: &str = r#"{"type":"step_finish","part":{"reason":"tool-calls"}}"#;

#[test]
fn opencode_claims_only_in_its_last_step() {
    let tag = opencode_text(TAG);
    let claims = |lines: &[&str], code| read(&OpenCode, lines, code).claim.by;
    assert_eq!(claims(&[STEP, &tag, STOP], 0), Some(ClaimedBy::Promise));
    // What the process does after its last step does not undo it.
    assert_eq!(claims(&[STEP, &tag, STOP], 1), Some(ClaimedBy::Promise));
    assert_eq!(claims(&[STEP, &tag], 1), None);
    assert_eq!(claims(&[STEP, &tag, CALLS], 0), None);
    assert_eq!(claims(&[STEP, &tag, CALLS, STEP, &opencode_text("Wait."), STOP], 0), None);
    assert_eq!(claims(&[STEP, &opencode_text(&format!("```\n{TAG}\n```")), STOP], 0), None);
    let result =
        format!(r#"{{"type":"tool_use","part":{{"tool":"read","state":{{"output":"{TAG}"}}}}}}"#);
    assert_eq!(claims(&[STEP, &result, &opencode_text("Hm."), STOP], 0), None);
    let synthetic = format!(r#"{{"type":"text","part":{{"text":"{TAG}","synthetic":true}}}}"#);
    assert_eq!(claims(&[STEP, &synthetic, STOP], 0), None);
}

#[test]
fn opencode_says_in_its_last_error_why_it_failed() {
    let error = |name: &str, data: serde_json::Value| {
        let error = serde_json::json!({"type": "error", "timestamp": 1000,
            "error": {"name": name, "data": data}});
        read(&OpenCode, &[STEP, &error.to_string()], 1).outcome
    };
    use serde_json::json;
    assert_eq!(error("APIError", json!({"statusCode": 401})), Outcome::Auth);
    assert_eq!(error("ProviderAuthError", json!({})), Outcome::Auth);
    assert_eq!(error("ContextOverflowError", json!({})), cut_short("tokens"));
    let headers = json!({"statusCode": 429, "responseHeaders": {"retry-after": "3600"}});
    let until = Some(windlass_core::time::Timestamp(3_601_000));
    assert_eq!(error("APIError", headers), Outcome::Limited { until });
    // An error that it got over is over, and one with exit code 0 is an error still.
    let overflow = r#"{"type":"error","error":{"name":"ContextOverflowError"}}"#;
    assert_eq!(read(&OpenCode, &[overflow, STEP, STOP], 0).outcome, Outcome::Finished);
    assert_eq!(read(&OpenCode, &[STEP, STOP, overflow], 0).outcome, cut_short("tokens"));
}

const SUCCESS: &str = r#"{"type":"result","status":"success","stats":{}}"#;

fn gemini_says(role: &str, text: &str) -> String {
    serde_json::json!({"type": "message", "role": role, "content": text, "delta": true}).to_string()
}

#[test]
fn gemini_claims_only_in_its_own_last_words() {
    let claims = |lines: &[&str], code| read(&Gemini, lines, code).claim.by;
    let tag = gemini_says("assistant", TAG);
    assert_eq!(claims(&[&tag, SUCCESS], 0), Some(ClaimedBy::Promise));
    assert_eq!(claims(&[&tag, SUCCESS], 1), Some(ClaimedBy::Promise), "the result counts");
    assert_eq!(claims(&[&tag], 1), None);
    assert_eq!(claims(&[&tag], 0), None);
    assert_eq!(claims(&[&gemini_says("user", TAG), SUCCESS], 0), None);
    let tool = r#"{"type":"tool_use","tool_name":"read_file","parameters":{}}"#;
    let result = format!(r#"{{"type":"tool_result","status":"success","output":"{TAG}"}}"#);
    assert_eq!(claims(&[&tag, tool, &result, SUCCESS], 0), None);
    // The prompt is printed back before the answer begins, and is no part of it.
    let lines =
        [&*gemini_says("user", "<promise>COM"), &gemini_says("assistant", "PLETE</promise>")];
    assert_eq!(claims(&[lines[0], lines[1], SUCCESS], 0), None);
}

#[test]
fn gemini_is_cut_short_by_its_own_limits_and_limited_by_its_quota() {
    let tag = gemini_says("assistant", TAG);
    let warned =
        r#"{"type":"error","severity":"warning","message":"Loop detected, stopping execution"}"#;
    let reading = read(&Gemini, &[&tag, warned, SUCCESS], 0);
    assert_eq!((reading.outcome, reading.claim.by), (cut_short("loop"), None));
    let quota = r#"{"type":"result","status":"error","error":{"type":"unknown","message":"[API Error: You have exhausted your daily quota on this model.]"}}"#;
    assert_eq!(read(&Gemini, &[quota], 1).outcome, Outcome::Limited { until: None });
    for (code, outcome) in [
        (145, Outcome::Auth),
        (173, Outcome::Limited { until: None }),
        (247, Outcome::ModelError { status: Some(503) }),
        (143, Outcome::Crashed { signal: None, code: Some(143) }),
    ] {
        assert_eq!(read(&Gemini, &[], code).outcome, outcome);
    }
}

const BANNER: [&str; 3] = ["Aider v0.86.2", "Model: x with diff edit format", ""];
const TOKENS: &str = "Tokens: 2.5k sent, 50 received. Cost: $0.0082 message, $0.0082 session.";
const EDIT: [&str; 5] = ["<<<<<<< SEARCH", "a", "=======", "b", ">>>>>>> REPLACE"];

fn aider(parts: &[&[&str]]) -> Reading {
    read(&Aider, &[&BANNER, parts.concat().as_slice()].concat(), 0)
}

#[test]
fn aider_claims_nothing_with_an_edit_that_did_not_apply() {
    let claims = |parts: &[&[&str]]| aider(parts).claim.by;
    assert_eq!(claims(&[&EDIT, &[TAG, TOKENS, "Applied edit to a"]]), Some(ClaimedBy::Promise));
    assert_eq!(claims(&[&EDIT, &[TAG, TOKENS]]), None);
    let failed = "The LLM did not conform to the edit format.";
    assert_eq!(claims(&[&EDIT, &[TAG, TOKENS, failed]]), None);
    assert_eq!(claims(&[&EDIT, &[TAG, TOKENS, failed, "Applied edit to b"]]), None);
    let stops = aider(&[&EDIT, &[TAG, TOKENS, failed, "Only 3 reflections allowed, stopping."]]);
    assert_eq!((stops.outcome, stops.claim.by), (cut_short("turns"), None));
}

#[test]
fn aider_claims_only_in_its_last_answer() {
    let claims = |parts: &[&[&str]]| aider(parts).claim.by;
    assert_eq!(claims(&[&[TAG, TOKENS, "Wait.", TOKENS]]), None);
    assert_eq!(claims(&[&["<<<<<<< SEARCH", TAG, "=======", ">>>>>>> REPLACE", TOKENS]]), None);
    assert_eq!(claims(&[&["```", TAG, "```", TOKENS]]), None);
    // The output of tests stands between two answers.
    assert_eq!(claims(&[&["Done.", TOKENS, TAG, "FAILED", "", "Hm.", TOKENS]]), None);
    assert_eq!(claims(&[&["No.", TOKENS, "FAILED", "", TAG, TOKENS]]), Some(ClaimedBy::Promise));
    // A try that broke off says nothing.
    let broken = ["litellm.APIConnectionError: cut", "Retrying in 0.2 seconds...", "Hm.", TOKENS];
    assert_eq!(claims(&[&[TAG], &broken]), None);
    assert_eq!(claims(&[&[TAG]]), None);
}

#[test]
fn aider_that_only_speaks_of_an_error_has_none() {
    let reading = aider(&[&["litellm.RateLimitError: is raised here.", "", TAG, TOKENS]]);
    assert_eq!((reading.outcome, reading.claim.by), (Outcome::Finished, Some(ClaimedBy::Promise)));
    let no_key = "No LLM model was specified and no API keys were provided.";
    assert_eq!(read(&Aider, &[no_key], 1).outcome, Outcome::Auth);
    let reading = aider(&[&["Hi", "^C again to exit"]]);
    assert_eq!((reading.outcome, reading.final_text.as_str()), (Outcome::NoResult, "Hi"));
}

#[test]
fn with_an_empty_promise_the_end_of_a_session_claims() {
    let claiming = Claiming { promise: String::new(), ..Claiming::default() };
    let stdout = [STEP, STOP].join("\n");
    let (reading, _) = decode_with(&OpenCode, &claiming, [stdout.as_bytes()], &exit(0));
    assert_eq!(reading.claim.by, Some(ClaimedBy::Exit));
}

#[test]
fn the_agents_own_name_for_a_session_and_what_was_denied_are_kept() {
    let id = r#"{"type":"step_start","sessionID":"ses_1","part":{}}"#;
    let denied = r#"{"type":"tool_use","part":{"tool":"bash","state":{"status":"error","error":"The user rejected permission to use this"}}}"#;
    let reading = read(&OpenCode, &[id, denied, CALLS], 0);
    assert_eq!((reading.session_id.as_deref(), reading.denied), (Some("ses_1"), 1));
    assert_eq!(reading.outcome, Outcome::PermissionDenied);
    let init = r#"{"type":"init","session_id":"g1","model":"m"}"#;
    let reading = read(&Gemini, &[init, SUCCESS], 0);
    assert_eq!((reading.session_id.as_deref(), reading.denied), (Some("g1"), 0));
    assert_eq!(read(&Aider, &["hi"], 0).session_id, None);
}
