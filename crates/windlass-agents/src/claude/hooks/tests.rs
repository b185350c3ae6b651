//! What Claude Code is given, and what the user's file may say.

use std::{
    io::Write,
    path::Path,
    process::{Command, Stdio},
};

use serde_json::{Value, json};
use windlass_core::options::{Claiming, Protocol};

use super::*;
use crate::{Agent, Claude, Wishes};

fn with_ask<T>(protocol: Protocol, args: &[&str], then: impl FnOnce(&Ask<'_>) -> T) -> T {
    let args = args.iter().map(|&arg| arg.to_owned()).collect();
    then(&Ask {
        role: "agent",
        iteration: 3,
        prompt: "Mend the notes; it's theirs.",
        directory: Path::new("/w"),
        env: &[].into(),
        claiming: &Claiming { protocol, ..Claiming::default() },
        wishes: &Wishes { extra_args: args, ..Wishes::default() },
        is_root: false,
        prompt_file: Path::new("/run/1.prompt"),
        hooks_file: Some(Path::new("/run/1.hooks.json")),
    })
}

fn settings(protocol: Protocol, args: &[&str], own: Option<&str>) -> Value {
    let text = with_ask(protocol, args, |ask| ClaudeHooks.text(ask, own)).expect("there are some");
    serde_json::from_str(&text).unwrap()
}

/// What a hook of the default set prints in a shell, given this on its standard input.
#[expect(clippy::disallowed_methods, reason = "a hook is run by the agent, not by windlass")]
fn play(shell: &str, event: &str, input: &str) -> String {
    let settings = settings(Protocol::Status, &[], None);
    let script = settings["hooks"][event][0]["hooks"][0]["command"].as_str().unwrap();
    // Without a path: nothing but what the shell has built in.
    let mut words = shell.split(' ');
    let mut child = Command::new(words.next().unwrap())
        .args(words)
        .args(["-c", script])
        .env_clear()
        .env("PATH", "/nonexistent")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    // A hook that does not read to the end is no failure.
    drop(child.stdin.take().unwrap().write_all(input.as_bytes()));
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap()
}

fn is_held_back(shell: &str, message: &str) -> bool {
    let input = json!({"cwd": "/w", "stop_hook_active": false, "last_assistant_message": message,
                       "background_tasks": []});
    let said = play(shell, "Stop", &input.to_string());
    if said.is_empty() {
        return false;
    }
    let answer: Value = serde_json::from_str(&said).unwrap();
    assert_eq!(answer["decision"], "block");
    true
}

const BLOCK: &str = "---LOOP_STATUS---\nSTATUS: COMPLETE\nEXIT_SIGNAL: true\n---END_LOOP_STATUS---";

#[test]
fn the_agent_is_held_back_where_its_last_message_has_no_status_block() {
    let is_there = |shell: &&str| Path::new(shell.split(' ').next().unwrap()).exists();
    for shell in ["/bin/sh", "/bin/bash", "/bin/busybox sh"].into_iter().filter(is_there) {
        assert!(is_held_back(shell, "All done."));
        assert!(is_held_back(shell, ""));
        assert!(!is_held_back(shell, &format!("All \"done\" \\ it's.\n\n{BLOCK}")));
        assert!(!is_held_back(shell, &format!("{BLOCK}\n")));
        assert!(is_held_back(shell, &BLOCK.replace("---END", "END")), "it is not whole");
        assert!(is_held_back(shell, "---LOOP_STATUS---\n---END_LOOP_STATUS---"), "it says nothing");
        assert!(is_held_back(shell, &format!("Done.\n```\n{BLOCK}\n```")), "it is code");
        let quoted = "the hook says \"stop_hook_active\":true";
        assert!(is_held_back(shell, quoted), "only the program itself says so");
        let long = "words and words\n".repeat(20_000);
        assert!(is_held_back(shell, &long) && !is_held_back(shell, &format!("{long}{BLOCK}")));
    }
}

#[test]
fn nobody_is_held_back_twice_or_where_it_cannot_be_told() {
    let again = json!({"stop_hook_active": true, "last_assistant_message": "All done."});
    for input in [&again.to_string(), "", "{}", "[1", r#"{"stop_hook_active":false}"#] {
        assert_eq!(play("/bin/sh", "Stop", input), "", "{input}");
    }
}

#[test]
fn the_words_that_hold_it_back_say_what_is_missing() {
    let input = json!({"stop_hook_active": false, "last_assistant_message": "All done."});
    let said = play("/bin/sh", "Stop", &input.to_string());
    let answer: Value = serde_json::from_str(&said).unwrap();
    insta::assert_snapshot!(answer["reason"].as_str().unwrap(), @"
    Your last message has no status block that can be read: there is none, it is not whole, or it stands in a code block. Nothing else is asked of you. Say in a line or two how the work stands, and close with the block.

    End your last message with a status block, exactly in this form, not in a code block, one value on each line:
    ---LOOP_STATUS---
    STATUS: IN_PROGRESS | COMPLETE | BLOCKED
    TASKS_COMPLETED_THIS_LOOP: <number>
    FILES_MODIFIED: <number>
    TESTS_STATUS: PASSING | FAILING | NOT_RUN
    WORK_TYPE: IMPLEMENTATION | TESTING | DOCUMENTATION | REFACTORING
    EXIT_SIGNAL: true | false
    RECOMMENDATION: <one line: what to do next, or what blocks you>
    ---END_LOOP_STATUS---
    Say EXIT_SIGNAL: true only when all of the work is done: that is your claim. Say STATUS: BLOCKED when only a person can help.
    ");
}

#[test]
fn after_compaction_the_agent_is_told_its_job_and_how_to_end() {
    insta::assert_snapshot!(play("/bin/sh", "SessionStart", "{}"), @"
    Your context was compacted. This still holds:
    You work on iteration 3 of a loop that windlass runs. Nobody reads along or answers questions. What is done stands in the files and in the git history.
    End your last message with a status block, exactly in this form, not in a code block, one value on each line:
    ---LOOP_STATUS---
    STATUS: IN_PROGRESS | COMPLETE | BLOCKED
    TASKS_COMPLETED_THIS_LOOP: <number>
    FILES_MODIFIED: <number>
    TESTS_STATUS: PASSING | FAILING | NOT_RUN
    WORK_TYPE: IMPLEMENTATION | TESTING | DOCUMENTATION | REFACTORING
    EXIT_SIGNAL: true | false
    RECOMMENDATION: <one line: what to do next, or what blocks you>
    ---END_LOOP_STATUS---
    Say EXIT_SIGNAL: true only when all of the work is done: that is your claim. Say STATUS: BLOCKED when only a person can help.
    Your prompt follows, word for word; all of it stands in the file /run/1.prompt, which you can read. It says what to do and how to answer.

    Mend the notes; it's theirs.
    ");
}

#[test]
fn without_the_status_protocol_nobody_is_held_back() {
    let settings = settings(Protocol::Promise, &[], None);
    let events: Vec<_> = settings["hooks"].as_object().unwrap().keys().collect();
    assert_eq!(events, ["SessionStart"]);
    assert_eq!(settings["hooks"]["SessionStart"][0]["matcher"], "compact");
}

#[test]
fn only_who_claims_is_asked_for_a_status_block() {
    let text = with_ask(Protocol::Status, &[], |ask| {
        ClaudeHooks.text(&Ask { role: "reviewer", ..*ask }, None).unwrap()
    });
    assert!(!text.contains("LOOP_STATUS"), "{text}");
}

#[test]
fn a_long_prompt_is_told_by_its_beginning() {
    let prompt = "ä".repeat(10_000);
    let text = with_ask(Protocol::Promise, &[], |ask| {
        ClaudeHooks.text(&Ask { prompt: &prompt, ..*ask }, None).unwrap()
    });
    assert!(text.len() < 8_000, "{}", text.len());
    assert!(text.contains("the rest is in /run/1.prompt"), "{text}");
}

#[test]
fn a_file_of_the_users_takes_the_place_of_the_default_set() {
    let own = r#"{"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "x", "timeout": 5}]}]}}"#;
    let own_value: Value = serde_json::from_str(own).unwrap();
    assert_eq!(settings(Protocol::Status, &[], Some(own)), own_value);
    let none =
        with_ask(Protocol::Status, &[], |ask| ClaudeHooks.text(ask, Some(r#"{"hooks":{}}"#)));
    assert_eq!(none, None);
}

#[test]
fn settings_that_the_user_gives_by_an_argument_stay_and_the_hooks_are_added() {
    let given = r#"{"model":"haiku","hooks":{"SessionStart":[{"hooks":[]}],"Stop":[1]}}"#;
    for args in [&["--settings", given][..], &["--settings", "{}", "--settings", given]] {
        let settings = settings(Protocol::Status, args, None);
        assert_eq!(settings["model"], "haiku");
        let count = |event: &str| settings["hooks"][event].as_array().unwrap().len();
        assert_eq!((count("SessionStart"), count("Stop")), (2, 2));
    }
    let spec = with_ask(Protocol::Status, &["--settings={}", "--max-turns", "3"], |ask| {
        Claude.command(ask)
    });
    let args: Vec<_> = spec.args.iter().map(|arg| arg.to_str().unwrap()).collect();
    assert!(args.ends_with(&["--settings", "/run/1.hooks.json", "--max-turns", "3"]), "{args:?}");
    let odd = with_ask(Protocol::Status, &["--settings", r#"{"hooks":[]}"#], |ask| {
        ClaudeHooks.text(ask, None)
    });
    assert_eq!(odd, None, "the agent will say what is wrong with them");
}

#[test]
fn a_settings_file_among_the_arguments_is_taken_in_by_its_text() {
    let read = |path: &Path| match path.to_str() {
        Some("good.json") => Ok("{ \"model\": \"haiku\" }\n".to_owned()),
        Some("list.json") => Ok("[]".to_owned()),
        _ => Err("it is not there".to_owned()),
    };
    let take_in = |args: &[&str]| {
        let mut args: Vec<String> = args.iter().map(|&arg| arg.to_owned()).collect();
        match ClaudeHooks.take_in(&mut args, &read) {
            Ok(()) => args.join(" "),
            Err(error) => error.to_string(),
        }
    };
    let told = [
        take_in(&["--verbose"]),
        take_in(&["--settings", "good.json", "-x"]),
        take_in(&["--settings=good.json"]),
        take_in(&["--settings", " {\"a\": 1}"]),
        take_in(&["--settings", "missing.json"]),
        take_in(&["--settings", "list.json"]),
        take_in(&["--settings", "{secret"]),
        take_in(&["--settings"]),
    ];
    insta::assert_snapshot!(told.join("\n"), @r#"
    --verbose
    --settings {"model":"haiku"} -x
    --settings={"model":"haiku"}
    --settings {"a":1}
    the agent's argument `--settings missing.json` cannot be used: it is not there
    the agent's argument `--settings list.json` cannot be used: it is no JSON object: invalid type: sequence, expected a map at line 1 column 0
    the agent's argument `--settings` cannot be used: it is no JSON object: key must be a string at line 1 column 2
    --settings
    "#);
}

#[test]
fn mistakes_in_a_file_are_told_with_their_place() {
    let told = |text: &str| match ClaudeHooks.check(text) {
        Ok(()) => "fits".to_owned(),
        Err(error) => error.to_string(),
    };
    let hook =
        |inner: &str| format!("{{\"hooks\":\n {{\"Stop\": [{{\"hooks\": [{{{inner}}}]}}]}}}}");
    let lines = [
        told(&hook(r#""type": "command", "command": "true", "timeout": 2.5"#)),
        told(&hook(r#""type": "command", "command": "true", "timeout": 0"#)),
        told(&hook(r#""type": "command", "command": " ""#)),
        told(&hook(r#""type": "command""#)),
        told(&hook(r#""type": "http", "url": "x""#)),
        told(&hook(r#""type": "command", "comand": "x""#)),
        told("{\"hooks\": {\n  \"Stopp\": []}}"),
        told("{\"hooks\": {\"Stop\": {}}}"),
        told("{\"hooks\": {}, \"model\": \"x\"}"),
        told("{\n  \"hooks\": {,}\n}"),
        told("{\"hooks\": {\"Stop\": [[null, []]]}}"),
        told("{}"),
        told("[{}]"),
        told(""),
    ];
    insta::assert_snapshot!(lines.join("\n"), @"
    fits
    line 2, column 74: a timeout is more than 0 seconds
    line 2, column 57: the command is empty
    line 2, column 41: missing field `command`
    line 2, column 37: unknown variant `http`, expected `command`
    line 2, column 50: unknown field `comand`, expected one of `type`, `command`, `timeout`, `args`, `if`, `shell`, `statusMessage`, `once`, `async`
    line 2, column 3: there is no event `Stopp`
    line 1, column 19: invalid type: map, expected a sequence
    line 1, column 21: unknown field `model`, expected `hooks`
    line 2, column 13: key must be a string
    line 1, column 12: the hooks of `Stop` are no objects
    line 1, column 2: missing field `hooks`
    line 1, column 0: invalid type: sequence, expected a map
    line 1, column 0: EOF while parsing a value
    ");
}
