//! What the recorded sessions do not show.

use std::{path::Path, time::Duration};

use windlass_core::{
    ending::ClaimedBy,
    options::Claiming,
    outcome::Outcome,
    process::{EndedBy, Exit},
    said::Said,
    time::Timestamp,
};

use super::*;
use crate::{Reading, SkipPermissions, Wishes};

fn with_ask<T>(wishes: &Wishes, then: impl FnOnce(&Ask<'_>) -> T) -> T {
    let env = [("HOME", "/h")];
    then(&Ask {
        role: "agent",
        iteration: 1,
        prompt: "say <promise>COMPLETE</promise>",
        directory: Path::new("/w"),
        env: &env.map(|(name, value)| (name.into(), value.into())).into(),
        claiming: &Claiming::default(),
        wishes,
        is_root: false,
        prompt_file: Path::new("/"),
        hooks_file: None,
    })
}

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

fn read(lines: &[&str], exit: &Exit) -> (Reading, Vec<Said>) {
    with_ask(&Wishes::default(), |ask| {
        let mut decoder = Claude.decoder(ask);
        let mut said = Vec::new();
        lines.iter().for_each(|line| decoder.line(line.as_bytes(), false, &mut said));
        (decoder.finish(exit, &mut said), said)
    })
}

fn outcome(lines: &[&str], code: i32) -> Outcome {
    read(lines, &exit(code)).0.outcome
}

const DONE: &str =
    r#"{"type":"result","is_error":false,"result":"ok\n<promise>COMPLETE</promise>"}"#;

#[test]
fn wishes_become_flags_and_the_prompt_goes_in_by_stdin() {
    let wishes = Wishes {
        model: Some("sonnet".to_owned()),
        append_system_prompt: Some("be kind".to_owned()),
        skip_permissions: SkipPermissions::Always,
        extra_args: vec!["--max-turns".to_owned(), "3".to_owned()],
    };
    let spec = with_ask(&wishes, |ask| Claude.command(ask));
    let args: Vec<_> = spec.args.iter().map(|arg| arg.to_str().unwrap()).collect();
    assert_eq!(
        args.join(" "),
        "-p --output-format stream-json --verbose --model sonnet --append-system-prompt be kind \
         --dangerously-skip-permissions --max-turns 3"
    );
    assert_eq!(spec.stdin, b"say <promise>COMPLETE</promise>");
    assert_eq!(names(&spec), ["DISABLE_AUTOUPDATER", "HOME"]);
}

fn names(spec: &ProcessSpec) -> Vec<&str> {
    spec.env.iter().map(|(name, _)| name.to_str().unwrap()).collect()
}

#[test]
fn root_says_that_it_is_meant_only_where_permissions_are_skipped() {
    for (skip_permissions, is_root, is_said) in
        [(true, true, true), (true, false, false), (false, true, false)]
    {
        let wishes = Wishes { skip_permissions: skip_permissions.into(), ..Wishes::default() };
        let spec = with_ask(&wishes, |ask| Claude.command(&Ask { is_root, ..*ask }));
        assert_eq!(names(&spec).contains(&"IS_SANDBOX"), is_said);
    }
}

#[test]
fn only_the_result_of_a_session_that_finished_claims() {
    assert_eq!(read(&[DONE], &exit(0)).0.claim.by, Some(ClaimedBy::Promise));
    let elsewhere = [
        r#"{"type":"user","message":{"content":[{"type":"tool_result","content":"<promise>COMPLETE</promise>"}]}}"#,
        r#"{"type":"user","message":{"content":"<promise>COMPLETE</promise>"}}"#,
        r#"{"type":"assistant","message":{"content":[{"type":"text","text":"<promise>COMPLETE</promise>"}]}}"#,
        "<promise>COMPLETE</promise>",
        r#"{"type":"result","is_error":false,"result":"```\n<promise>COMPLETE</promise>\n```"}"#,
    ];
    assert_eq!(read(&elsewhere, &exit(0)).0.claim.by, None);
    let failed = [r#"{"type":"result","is_error":true,"result":"<promise>COMPLETE</promise>"}"#];
    assert_eq!(read(&failed, &exit(0)).0.claim.by, None);
}

#[test]
fn the_result_counts_more_than_the_exit_code() {
    assert_eq!(outcome(&[DONE], 1), Outcome::Finished);
    let failed = [r#"{"type":"result","subtype":"success","is_error":true,"result":"oh"}"#];
    assert_eq!(outcome(&failed, 0), Outcome::ModelError { status: None });
    assert_eq!(outcome(&failed, 1), Outcome::Crashed { signal: None, code: Some(1) });
    assert_eq!(outcome(&[], 0), Outcome::NoResult);
}

#[test]
fn what_windlass_ended_is_not_what_the_agent_said() {
    let stopped = Exit { ended_by: Some(EndedBy::Stop), ..exit(143) };
    assert_eq!(read(&[DONE], &stopped).0.outcome, Outcome::Cancelled);
}

#[test]
fn a_key_that_is_refused_again_and_again_leaves_no_hope() {
    let retry = |error: &str| {
        format!(
            r#"{{"type":"system","subtype":"api_retry","attempt":1,"max_retries":10,"error_status":401,"error":"{error}"}}"#
        )
    };
    let (refused, overloaded) = (retry("authentication_failed"), retry("server_error"));
    let (refused, overloaded) = (refused.as_str(), overloaded.as_str());
    let is_hopeless = |lines: &[&str]| {
        let mut decoder = with_ask(&Wishes::default(), |ask| Claude.decoder(ask));
        lines.iter().for_each(|line| decoder.line(line.as_bytes(), false, &mut Vec::new()));
        decoder.is_hopeless()
    };
    assert!(is_hopeless(&[refused, refused, refused]));
    assert!(!is_hopeless(&[refused, refused, overloaded, refused]));
    let word = r#"{"type":"assistant","message":{"content":[{"type":"text","text":"Well."}]}}"#;
    assert!(!is_hopeless(&[refused, refused, word, refused]), "the login was renewed");
    let ended = Exit { ended_by: Some(EndedBy::Hopeless), ..exit(143) };
    let (reading, _) = read(&[refused, refused, refused], &ended);
    assert_eq!(reading.outcome, Outcome::Auth);
    assert_eq!(reading.problem.as_deref(), Some("its key or login was refused 3 times"));
}

#[test]
fn a_limit_that_turned_a_request_down_tells_when_it_is_over() {
    let rejected = r#"{"type":"rate_limit_event","rate_limit_info":{"status":"rejected","resetsAt":1763230000}}"#;
    let error = r#"{"type":"assistant","error":"rate_limit","message":{"model":"<synthetic>","content":[{"type":"text","text":"You've hit your session limit"}]}}"#;
    let result = r#"{"type":"result","is_error":true,"api_error_status":429,"result":"You've hit your session limit"}"#;
    let until = Some(Timestamp(1_763_230_000_000));
    let (reading, said) = read(&[rejected, error, result], &exit(1));
    assert_eq!(reading.outcome, Outcome::Limited { until });
    assert_eq!(said.iter().filter(|said| matches!(said, Said::Limit { .. })).count(), 1);
    let old = [
        r#"{"type":"result","is_error":true,"result":"Claude AI usage limit reached|1763230000"}"#,
    ];
    assert_eq!(outcome(&old, 1), Outcome::Limited { until });
    assert_eq!(outcome(&[rejected, DONE], 0), Outcome::Finished);
}

#[test]
fn a_turn_limit_a_refusal_and_a_denial_are_told_apart() {
    let turns = [
        r#"{"type":"result","subtype":"error_max_turns","is_error":true,"errors":["Reached max turns (2)"]}"#,
    ];
    assert_eq!(outcome(&turns, 1), Outcome::CutShort { reason: "turns".to_owned() });
    let refusal = [r#"{"type":"result","is_error":false,"stop_reason":"refusal","result":""}"#];
    assert_eq!(outcome(&refusal, 0), Outcome::CutShort { reason: "refusal".to_owned() });
    let tool = r#"{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t","name":"Write","input":{"file_path":"/w/a"}}]}}"#;
    let denied = r#"{"type":"result","is_error":false,"result":"I may not.","permission_denials":[{"tool_name":"Write","tool_use_id":"t"}]}"#;
    let (reading, said) = read(&[tool, denied], &exit(0));
    assert_eq!(reading.outcome, Outcome::PermissionDenied);
    assert_eq!(reading.problem.as_deref(), Some("the tool Write was denied"));
    assert_eq!(said[0], Said::ToolUse { name: "Write".to_owned(), summary: "writes a".to_owned() });
    let later = tool.replace(r#""id":"t""#, r#""id":"u""#);
    assert_eq!(outcome(&[tool, &later, denied], 0), Outcome::Finished);
}

#[test]
fn lines_that_are_unknown_half_or_garbled_are_kept_raw() {
    let lines = [
        r#"{"type":"system","subtype":"status"#,
        r#"{"type":"assistant","message":{"content":7}}"#,
        r#"{"type":"from_the_future","x":1}"#,
        "[1,2]",
        "\u{1b}[31mnpm warn",
        r#"{"subtype":"init","type":"system","model":"m"}"#,
        DONE,
    ];
    let (reading, said) = read(&lines, &exit(0));
    assert_eq!((reading.outcome, reading.model.as_deref()), (Outcome::Finished, Some("m")));
    let raw = said.iter().filter(|said| matches!(said, Said::Raw { .. })).count();
    assert_eq!((raw, said.len()), (5, 5));
}

#[test]
fn a_line_with_bytes_that_are_no_text_is_read_all_the_same() {
    with_ask(&Wishes::default(), |ask| {
        let (mut decoder, mut said) = (Claude.decoder(ask), Vec::new());
        decoder.line(b"{\"type\":\"assistant\",\"message\":{\"content\":[{\"type\":\"text\",\"text\":\"a\xffb\"}]}}", false, &mut said);
        assert_eq!(said, [Said::Text { text: "a\u{fffd}b".to_owned() }]);
    });
}

#[test]
fn what_hooks_said_to_the_agent_and_that_one_failed_is_told_and_nothing_else_of_them() {
    let response = |outcome: &str, output: &str| {
        format!(
            r#"{{"type":"system","subtype":"hook_response","hook_name":"PreToolUse:Bash","output":"{output}","exit_code":0,"outcome":"{outcome}"}}"#
        )
    };
    let feedback = |text: &str| {
        format!(
            r#"{{"type":"user","message":{{"role":"user","content":[{{"type":"text","text":"{text}"}}]}},"isSynthetic":true}}"#
        )
    };
    let lines = [
        r#"{"type":"system","subtype":"hook_started","hook_name":"Stop"}"#.to_owned(),
        response("success", ""),
        response("success", r#"{\"decision\":\"block\"}"#),
        response("success", r"remember\nthis"),
        response("error", "no such file"),
        feedback(r"Stop hook feedback:\nSay how it stands.\nNow."),
        feedback(r"The manual says: a hook feedback:\nis text"),
        DONE.to_owned(),
    ];
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let (reading, said) = read(&lines, &exit(0));
    assert_eq!(reading.outcome, Outcome::Finished);
    let hook = |summary: &str, failed| Said::Hook { summary: summary.to_owned(), failed };
    assert_eq!(
        said,
        [
            hook("PreToolUse:Bash: remember", false),
            hook("PreToolUse:Bash: no such file", true),
            hook("Stop: Say how it stands.", false),
        ]
    );
}
