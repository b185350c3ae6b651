//! Where a promise stands that never claims, for every agent: in the prompt, in what a tool
//! answered, in a file that was read, in a code block, in an error or a retry. And that it does
//! claim where the agent says it last.

use std::{collections::BTreeMap, path::Path, time::Duration};

use serde_json::{Value, json};
use windlass_agents::{Agent, Aider, Ask, Claude, Codex, Gemini, OpenCode, Wishes};
use windlass_core::{options::Claiming, process::Exit};

const TAG: &str = "<promise>COMPLETE</promise>";

/// Whether a session claims that was asked for the tag, printed these lines, and exited with 0.
fn claims(agent: &dyn Agent, lines: &[String]) -> bool {
    let prompt = format!("When all is done, say:\n{TAG}");
    let mut decoder = agent.decoder(&Ask {
        role: "agent",
        iteration: 1,
        prompt: &prompt,
        directory: Path::new("/w"),
        env: &BTreeMap::new(),
        claiming: &Claiming::default(),
        wishes: &Wishes::default(),
        is_root: false,
        prompt_file: Path::new("/p"),
        hooks_file: None,
    });
    let mut said = Vec::new();
    lines.iter().flat_map(|line| line.lines()).for_each(|line| {
        decoder.line(line.as_bytes(), false, &mut said);
    });
    let exit = Exit {
        code: Some(0),
        signal: None,
        ended_by: None,
        leftovers: Vec::new(),
        survivors: Vec::new(),
        leaky: false,
        duration: Duration::ZERO,
    };
    decoder.finish(&exit, &mut said).claim.by.is_some()
}

/// The sessions of one agent: what is said last, and what else stands in the stream.
struct Format {
    agent: &'static dyn Agent,
    /// A session that ends well with these last words, after these other lines.
    session: fn(&[String], &str) -> Vec<String>,
    /// Lines in which the words stand that are not the agent's own last ones, each with its name.
    elsewhere: Vec<(&'static str, Vec<String>)>,
}

fn lines(values: &[Value]) -> Vec<String> {
    values.iter().map(Value::to_string).collect()
}

fn claude() -> Format {
    let user = |content: Value| json!({"type": "user", "message": {"content": content}});
    let says =
        json!({"type": "assistant", "message": {"content": [{"type": "text", "text": TAG}]}});
    let helper = json!({"type": "assistant", "parent_tool_use_id": "t1",
        "message": {"content": [{"type": "text", "text": TAG}]}});
    Format {
        agent: &Claude,
        session: |before, words| {
            let mut all = before.to_vec();
            all.push(json!({"type": "result", "is_error": false, "result": words}).to_string());
            all
        },
        elsewhere: vec![
            ("the prompt", lines(&[user(json!(TAG))])),
            ("a tool's answer", lines(&[user(json!([{"type": "tool_result", "content": TAG}]))])),
            (
                "a file",
                lines(&[json!({"type": "user", "message": {"content": [{
                "type": "tool_result", "content": [{"type": "text", "text": TAG}]}]},
                "tool_use_result": {"file": {"content": TAG}}})]),
            ),
            ("an earlier message", lines(&[says])),
            ("a helper's words", lines(&[helper])),
            (
                "a retry",
                lines(&[json!({"type": "system", "subtype": "api_retry", "attempt": 1,
                "error": TAG})]),
            ),
            ("an event that nobody knows", lines(&[json!({"type": "new", "result": TAG})])),
        ],
    }
}

fn codex() -> Format {
    let item = |item: Value| json!({"type": "item.completed", "item": item});
    Format {
        agent: &Codex,
        session: |before, words| {
            let said = json!({"type": "item.completed",
                "item": {"id": "9", "type": "agent_message", "text": words}});
            let mut all = before.to_vec();
            all.extend(lines(&[said, json!({"type": "turn.completed", "usage": {}})]));
            all
        },
        elsewhere: vec![
            (
                "a tool's answer",
                lines(&[item(json!({"id": "1", "type": "command_execution",
                "command": format!("echo '{TAG}'"), "aggregated_output": TAG, "exit_code": 0}))]),
            ),
            ("its thoughts", lines(&[item(json!({"id": "2", "type": "reasoning", "text": TAG}))])),
            (
                "an earlier message",
                lines(&[item(json!({"id": "3", "type": "agent_message", "text": TAG}))]),
            ),
            (
                "a retry",
                lines(&[json!({"type": "error",
                "message": format!("Reconnecting... 1/5 ({TAG})")})]),
            ),
            ("a warning", lines(&[item(json!({"id": "4", "type": "error", "message": TAG}))])),
        ],
    }
}

fn opencode() -> Format {
    Format {
        agent: &OpenCode,
        session: |before, words| {
            let mut all = lines(&[json!({"type": "step_start", "part": {}})]);
            all.extend_from_slice(before);
            all.extend(lines(&[
                json!({"type": "step_finish", "part": {"reason": "tool-calls"}}),
                json!({"type": "step_start", "part": {}}),
                json!({"type": "text", "part": {"text": words}}),
                json!({"type": "step_finish", "part": {"reason": "stop"}}),
            ]));
            all
        },
        elsewhere: vec![
            (
                "a tool's answer",
                lines(&[json!({"type": "tool_use", "part": {"tool": "bash",
                "state": {"status": "completed", "input": {"command": TAG}, "output": TAG}}})]),
            ),
            (
                "a file",
                lines(&[json!({"type": "tool_use", "part": {"tool": "read",
                "state": {"status": "completed", "output": format!("<file>\n{TAG}\n</file>")}}})]),
            ),
            ("its thoughts", lines(&[json!({"type": "reasoning", "part": {"text": TAG}})])),
            ("an earlier message", lines(&[json!({"type": "text", "part": {"text": TAG}})])),
            (
                "the program's own words",
                lines(&[json!({"type": "text", "part": {"text": TAG, "synthetic": true}})]),
            ),
            (
                "an error that it got over",
                lines(&[json!({"type": "error",
                "error": {"name": "APIError", "data": {"message": TAG}}})]),
            ),
        ],
    }
}

fn gemini() -> Format {
    let tool = json!({"type": "tool_use", "tool_name": "read_file", "parameters": {}});
    let answer = json!({"type": "tool_result", "status": "success", "output": TAG});
    let says = |role: &str| json!({"type": "message", "role": role, "content": TAG, "delta": true});
    Format {
        agent: &Gemini,
        session: |before, words| {
            let mut all = before.to_vec();
            all.extend(lines(&[
                json!({"type": "message", "role": "assistant", "content": words, "delta": true}),
                json!({"type": "result", "status": "success", "stats": {}}),
            ]));
            all
        },
        elsewhere: vec![
            ("the prompt", lines(&[says("user")])),
            ("a tool's answer", lines(&[tool.clone(), answer])),
            (
                "an earlier message",
                lines(&[
                    says("assistant"),
                    tool.clone(),
                    json!({"type": "tool_result", "status": "success", "output": "x"}),
                ]),
            ),
            (
                "a warning",
                lines(&[json!({"type": "error", "severity": "warning", "message": TAG})]),
            ),
        ],
    }
}

fn aider() -> Format {
    let answer = |words: &str| format!("{words}\n\nTokens: 1 sent, 2 received.");
    Format {
        agent: &Aider,
        session: |before, words| {
            let mut all = vec!["Aider v0.86.2".to_owned(), "\n".to_owned()];
            all.extend_from_slice(before);
            all.push(format!("{words}\n\nTokens: 1 sent, 2 received."));
            all
        },
        elsewhere: vec![
            ("an earlier answer", vec![answer(TAG)]),
            ("what the tests said", vec![answer("Hm."), format!("{TAG}\nwas expected")]),
            (
                "a retry",
                vec![
                    format!("litellm.InternalServerError: {TAG}"),
                    "Retrying in 0.2 seconds...".to_owned(),
                ],
            ),
        ],
    }
}

#[test]
fn a_promise_that_is_not_the_agents_last_word_never_claims() {
    for format in [claude(), codex(), opencode(), gemini(), aider()] {
        let name = format.agent.name();
        let session =
            |before: &[String], words: &str| claims(format.agent, &(format.session)(before, words));
        assert!(session(&[], TAG), "{name} can claim");
        assert!(session(&[], &format!("All is done.\n{TAG}")), "{name} can claim");
        for (place, lines) in &format.elsewhere {
            assert!(!session(lines, "I go on tomorrow."), "{name} claims in {place}");
            assert!(session(lines, TAG), "{name} cannot claim after {place}");
        }
        for words in [
            format!("```\n{TAG}\n```"),
            format!("I am to say {TAG} when I am done.\nI am not."),
            format!("> {TAG}\nNot yet."),
        ] {
            assert!(!session(&[], &words), "{name} claims with {words}");
        }
    }
}
