//! What the recorded sessions do not show.

use std::{collections::BTreeMap, path::Path, time::Duration};

use windlass_core::{
    options::Claiming, outcome::Outcome, process::Exit, said::Said, time::Timestamp,
};

use super::*;
use crate::{Reading, SkipPermissions, Wishes};

fn with_ask<T>(wishes: &Wishes, then: impl FnOnce(&Ask<'_>) -> T) -> T {
    then(&Ask {
        role: "agent",
        iteration: 1,
        prompt: "do it",
        directory: Path::new("/w"),
        env: &BTreeMap::new(),
        claiming: &Claiming::default(),
        wishes,
        is_root: false,
        prompt_file: Path::new("/"),
        hooks_file: None,
    })
}

fn read(lines: &[&str], code: i32) -> (Reading, Vec<Said>) {
    let exit = Exit {
        code: Some(code),
        signal: None,
        ended_by: None,
        leftovers: Vec::new(),
        survivors: Vec::new(),
        leaky: false,
        duration: Duration::ZERO,
    };
    with_ask(&Wishes::default(), |ask| {
        let (mut decoder, mut said) = (Codex.decoder(ask), Vec::new());
        decoder.started(&"2026-11-15T20:00:00+01:00[+01:00]".parse().unwrap());
        lines.iter().for_each(|line| decoder.line(line.as_bytes(), false, &mut said));
        (decoder.finish(&exit, &mut said), said)
    })
}

#[test]
fn wishes_become_flags_and_the_prompt_goes_in_by_stdin() {
    let wishes = Wishes {
        model: Some("gpt-5.5".to_owned()),
        append_system_prompt: Some("say \"5\"\nor 6".to_owned()),
        skip_permissions: SkipPermissions::Always,
        extra_args: vec!["-c".to_owned(), "x=1".to_owned()],
    };
    let spec = with_ask(&wishes, |ask| Codex.command(ask));
    let args: Vec<_> = spec.args.iter().map(|arg| arg.to_str().unwrap()).collect();
    assert_eq!(
        args.join(" "),
        "exec --json --skip-git-repo-check -m gpt-5.5 -c \
         developer_instructions=\"say \\\"5\\\"\\nor 6\" \
         --dangerously-bypass-approvals-and-sandbox -c x=1 -"
    );
    assert_eq!(spec.stdin, b"do it");
    let spec = with_ask(&Wishes::default(), |ask| Codex.command(ask));
    assert!(spec.args.contains(&"sandbox_mode=\"workspace-write\"".into()));
}

#[test]
fn a_usage_limit_is_over_at_the_users_own_time() {
    let failed = r#"{"type":"turn.failed","error":{"message":"You’ve hit your usage limit. Upgrade to Pro or try again at 11:45 PM."}}"#;
    let (reading, said) = read(&[failed], 1);
    let until: Timestamp = serde_json::from_str(r#""2026-11-15T22:45:00Z""#).unwrap();
    let until = Some(until);
    assert_eq!(reading.outcome, Outcome::Limited { until });
    assert_eq!(said.last(), Some(&Said::Limit { until }));
}

#[test]
fn only_the_last_message_of_a_turn_that_completed_claims() {
    let claim = r#"{"type":"item.completed","item":{"id":"1","type":"agent_message","text":"<promise>COMPLETE</promise>"}}"#;
    let more =
        r#"{"type":"item.completed","item":{"id":"2","type":"agent_message","text":"Not yet."}}"#;
    let tool = r#"{"type":"item.completed","item":{"id":"3","type":"command_execution","command":"cat p","aggregated_output":"<promise>COMPLETE</promise>","exit_code":0,"status":"completed"}}"#;
    let end = r#"{"type":"turn.completed"}"#;
    let failed = r#"{"type":"turn.failed","error":{"message":"oh"}}"#;
    assert!(read(&[claim, end], 0).0.claim.by.is_some());
    assert!(read(&[claim, end], 1).0.claim.by.is_some());
    for lines in [vec![claim, more, end], vec![claim, failed], vec![claim], vec![more, tool, end]] {
        assert_eq!(read(&lines, 0).0.claim.by, None, "{lines:?}");
    }
    assert_eq!(read(&[claim], 0).0.outcome, Outcome::NoResult);
}

#[test]
fn a_declined_tool_at_the_end_is_a_denial_and_its_shell_is_not_shown() {
    let tool = r#"{"type":"item.completed","item":{"id":"1","type":"command_execution","command":"/bin/bash -lc 'rm -r x'","aggregated_output":"","exit_code":null,"status":"declined"}}"#;
    let (reading, said) = read(&[tool, r#"{"type":"turn.completed"}"#], 0);
    assert_eq!((reading.outcome, reading.tools), (Outcome::PermissionDenied, 1));
    let said: Vec<_> = said.iter().map(Said::content).collect();
    assert_eq!(said, ["runs rm -r x", "declined"]);
}

#[test]
fn what_is_not_of_the_stream_is_kept_raw() {
    let lines = [r#"{"type":"item.comp"#, r#"{"type":"new"}"#, "WARN", "", "{}"];
    let (reading, said) = read(&lines, 1);
    assert_eq!(reading.outcome, Outcome::Crashed { signal: None, code: Some(1) });
    assert!(said.iter().all(|said| matches!(said, Said::Raw { .. })));
    assert_eq!(said.len(), 4);
}
