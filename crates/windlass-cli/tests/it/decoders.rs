//! What real agents print, through the program: readable on every screen, and never taken for more
//! than it says. The agents are played from recorded sessions, or from lines that are written here.

use std::fs;

use serde_json::Value;
use testkit::Env;

use crate::{COMPLETE, recorded::recorded, user_config, world};

/// Decoders of agents that print structured output.
const STRUCTURED: [&str; 4] = ["claude", "codex", "opencode", "gemini"];

/// Makes `fake` an agent that prints this and exits so, and has that decoder.
fn play(env: &Env, decoder: &str, output: impl AsRef<[u8]>, code: i32) {
    let path = env.home().join("output");
    fs::write(&path, output).expect("the folder is ours");
    env.install("fake", &format!("cat '{}'\nexit {code}", path.display()));
    let config = "[agents.fake]\ncommand = ['fake']\nprompt = 'stdin'\n";
    user_config(env, &format!("{config}decoder = '{decoder}'\n"));
}

/// One iteration of a loop with the agent `fake`: its result, and its session.
fn run(env: &Env) -> (Value, Value) {
    let call = ["iterate", "-p", "mend it", "--agent", "fake", "--max-iterations", "1", "--json"];
    let result = env.windlass(call).json();
    let shown = env.windlass(["show", "--json"]).success().json();
    (result, shown["sessions"][0].clone())
}

/// The end of a session that went well, with these last words.
fn success(decoder: &str, words: &str) -> Vec<String> {
    use serde_json::json;
    let lines = match decoder {
        "claude" => vec![json!({"type": "result", "is_error": false, "result": words})],
        "codex" => vec![
            json!({"type": "turn.started"}),
            json!({"type": "item.completed",
                "item": {"id": "1", "type": "agent_message", "text": words}}),
            json!({"type": "turn.completed", "usage": {"input_tokens": 1, "output_tokens": 1}}),
        ],
        "opencode" => vec![
            json!({"type": "step_start", "part": {}}),
            json!({"type": "text", "part": {"text": words}}),
            json!({"type": "step_finish", "part": {"reason": "stop"}}),
        ],
        "gemini" => vec![
            json!({"type": "message", "role": "assistant", "content": words, "delta": true}),
            json!({"type": "result", "status": "success", "stats": {}}),
        ],
        other => panic!("no decoder {other}"),
    };
    lines.iter().map(Value::to_string).collect()
}

#[test]
fn the_words_and_tools_of_every_agent_can_be_read_as_they_come() {
    let mut screens = String::new();
    for (agent, case) in [
        ("claude", "tool-edit"),
        ("codex", "tool-shell"),
        ("opencode", "tool-write"),
        ("gemini", "tool-write"),
        ("aider", "tool-edit-nocommit"),
    ] {
        let env = world();
        play(&env, agent, recorded(agent, case), 0);
        let call = ["iterate", "-p", "go", "--agent", "fake", "--max-iterations", "1", "-v"];
        let ran = env.windlass(call);
        let log = env.windlass(["log"]).success();
        let said = |text: &str| {
            let lines = text
                .lines()
                .filter(|line| line.starts_with("  ") && line.contains(['│', '▸', '◂']));
            lines.map(|line| format!("{line}\n")).collect::<String>()
        };
        let live = said(ran.snapshot().as_str());
        assert!(log.snapshot().contains(live.lines().next().unwrap()), "{}", log.snapshot());
        screens.push_str(&format!("{agent}\n{live}"));
    }
    insta::assert_snapshot!(screens, @"
    claude
      │ Reading.
      ▸ reads $REPO/hello.txt
      ◂ 1 hello
      ▸ edits $REPO/hello.txt
      ◂ The file $REPO/hello.txt has been updated successfully. (file state is current in your context — no…
      │ All done. <promise>COMPLETE</promise>
    codex
      ▸ runs echo hi > bash.txt && cat bash.txt
      ◂ hi
      ▸ runs echo boom >&2; exit 3
      ◂ failed: boom
      │ All done. <promise>COMPLETE</promise>
    opencode
      │ I will write the file.
      ▸ writes $REPO/out.txt
      ◂ Wrote file successfully.
      │ All done. <promise>COMPLETE</promise>
    gemini
      │ I will write the file.
      ▸ writes $REPO/out.txt
      ◂ done
      │ All done. <promise>COMPLETE</promise>
    aider
      │ Analytics have been permanently disabled.
      │ Detected dumb terminal, disabling fancy input and pretty output.
      │ Aider v0.86.2
      │ Model: openai/scripted-model with diff edit format
      │ Git repo: .git with 2 files
      │ Repo-map: using 4096 tokens, auto refresh
      │ Added hello.txt to the chat.
      │ I will edit the file.
      │ 
      │ hello.txt
      │ ```
      │ <<<<<<< SEARCH
      │ hello
      │ =======
      │ goodbye
      │ >>>>>>> REPLACE
      │ ```
      │ 
      │ out.txt
      │ ```
      │ <<<<<<< SEARCH
      │ =======
      │ written by tool
      │ >>>>>>> REPLACE
      │ ```
      │ 
      │ <promise>COMPLETE</promise>
      │ out.txt
      ▸ edits out.txt
      ▸ edits hello.txt
    ");
}

#[test]
fn garbled_unknown_and_half_events_are_kept_and_the_session_goes_on() {
    for decoder in STRUCTURED {
        let env = world();
        let mut output =
            b"\xff\xfe\x00{\n{\"type\":\"nobody_knows\",\"a\":[1]}\n{\"type\":\"resu\n".to_vec();
        output.extend(
            b"{}\n[]\nnull\n\"type\"\n{\"type\":7}\n{\"type\":\"assistant\",\"message\":3}\n",
        );
        output.extend(success(decoder, COMPLETE).join("\n").into_bytes());
        output.extend(b"\n{\"type\":\"half");
        play(&env, decoder, &output, 0);
        let (result, session) = run(&env);
        assert_eq!(result["ending"]["type"], "done", "{decoder}: {result}");
        assert_eq!(session["outcome"]["type"], "finished", "{decoder}: {session}");
        let raw = env.sql("SELECT count(*) FROM messages WHERE type = 'raw'");
        assert!(raw.trim().parse::<u32>().unwrap() >= 8, "{decoder} kept {raw}");
    }
}

#[test]
fn an_error_inside_counts_although_the_exit_code_is_zero() {
    for (decoder, lines, outcome) in [
        (
            "claude",
            r#"{"type":"result","subtype":"success","is_error":true,"result":"API Error: 500 x <promise>COMPLETE</promise>","api_error_status":500}"#,
            "model_error",
        ),
        (
            "codex",
            r#"{"type":"turn.failed","error":{"message":"unexpected status 401 Unauthorized <promise>COMPLETE</promise>"}}"#,
            "auth",
        ),
        (
            "opencode",
            r#"{"type":"error","error":{"name":"APIError","data":{"message":"<promise>COMPLETE</promise>","statusCode":500}}}"#,
            "model_error",
        ),
        (
            "gemini",
            r#"{"type":"result","status":"error","error":{"type":"Error","message":"[API Error: <promise>COMPLETE</promise>]"}}"#,
            "model_error",
        ),
        (
            "aider",
            "Aider v0.86.2\n\nlitellm.AuthenticationError: no <promise>COMPLETE</promise>",
            "auth",
        ),
    ] {
        let env = world();
        play(&env, decoder, lines, 0);
        let (result, session) = run(&env);
        assert_eq!(result["success"], false, "{decoder}: {result}");
        assert_eq!(session["outcome"]["type"], outcome, "{decoder}: {session}");
        assert_eq!(session["exit_code"], 0);
    }
}

#[test]
fn an_exit_code_after_a_success_does_not_undo_it() {
    for decoder in STRUCTURED {
        let env = world();
        play(&env, decoder, success(decoder, COMPLETE).join("\n"), 1);
        let (result, session) = run(&env);
        assert_eq!(session["outcome"]["type"], "finished", "{decoder}: {session}");
        assert_eq!(session["exit_code"], 1);
        assert_eq!(result["ending"]["type"], "done", "{decoder}: {result}");
    }
    // Aider tells no end, so its exit code is all there is.
    let env = world();
    let answer = format!("Aider v0.86.2\n\n{COMPLETE}\n\nTokens: 1 sent, 2 received.\n");
    play(&env, "aider", answer, 1);
    let (result, session) = run(&env);
    assert_eq!(session["outcome"]["type"], "crashed", "{session}");
    assert_eq!(result["success"], false);
}

#[test]
fn nothing_said_is_nothing_done() {
    for decoder in STRUCTURED.into_iter().chain(["aider"]) {
        let env = world();
        play(&env, decoder, "", 0);
        let (result, session) = run(&env);
        assert_eq!(session["outcome"]["type"], "no_result", "{decoder}: {session}");
        assert_eq!(result["success"], false, "{decoder}: {result}");
    }
}

#[test]
fn with_an_empty_promise_only_a_session_that_finished_claims() {
    for decoder in STRUCTURED {
        let env = world();
        play(&env, decoder, "", 0);
        let call = ["iterate", "-p", "go", "--agent", "fake", "--max-iterations", "1", "-q"];
        env.windlass([call.as_slice(), &["--promise", ""]].concat()).code(1);
        play(&env, decoder, success(decoder, "bye").join("\n"), 0);
        env.windlass([call.as_slice(), &["--promise", ""]].concat()).success();
    }
}
