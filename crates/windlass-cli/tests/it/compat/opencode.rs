//! OpenCode.

use serde_json::json;

use super::{brought, real::Real, scenes};

const OPENCODE: Real = Real {
    name: "opencode",
    model: "scripted/scripted-model",
    model_on_wire: "scripted-model",
    has_tools: true,
    point: |_, url| {
        let config = json!({
            "autoupdate": false,
            "provider": {"scripted": {
                "npm": "@ai-sdk/openai-compatible",
                "name": "scripted",
                "options": {"baseURL": format!("{url}/v1"), "apiKey": "dummy"},
                "models": {"scripted-model": {"name": "scripted-model"}},
            }},
        });
        vec![
            ("OPENCODE_CONFIG_CONTENT", config.to_string()),
            ("OPENCODE_DISABLE_MODELS_FETCH", "1".to_owned()),
        ]
    },
    flags: &[],
};

#[test]
#[ignore = "needs the real program: run `scripts/compat`"]
fn a_loop_comes_to_its_proof() {
    let proven = scenes::a_loop_to_its_proof(&OPENCODE);
    proven.all_tokens_were_counted();
    insta::assert_snapshot!(proven.log, @r"
    ━━━ Iteration 1 of at most 5 ━━━
      │ I begin with the notes.
      ▸ writes notes.txt
      ◂ Wrote file successfully.
      │ The notes are begun.
    iteration 1: [time], 1 file changed
    ━━━ Iteration 2 of at most 5 ━━━
      │ All of it is done.
      │ <promise>COMPLETE</promise>
    iteration 2: [time], no files changed
    ━━━ Iteration 3 of at most 5 ━━━
      ▸ reads notes.txt
      ◂ <path>/tmp/windlass-XXXXXX/work/notes.txt</path>
      ▸ edits notes.txt
      ◂ Edit applied successfully.
      ▸ runs wc -l notes.txt
      ◂ 2 notes.txt
      │ Now it is mended.
      │ <promise>COMPLETE</promise>
    iteration 3: [time], 1 file changed
    ");
}

#[test]
#[ignore = "needs the real program: run `scripts/compat`"]
fn a_limit_of_the_provider_stops_the_loop_and_tells_its_end() {
    // It waits for so long itself, five times, before it gives up.
    let answer = "fail 429 Rate limit reached\nheader retry-after: 1";
    let outcome = scenes::a_limit_stops_the_loop(&OPENCODE, answer);
    assert!(outcome["until"].is_string(), "{outcome}");
}

#[test]
#[ignore = "needs the real program: run `scripts/compat`"]
fn a_key_that_is_not_taken_stops_the_loop_at_once() {
    scenes::a_key_that_is_not_taken_stops_the_loop(&OPENCODE);
}

#[test]
#[ignore = "needs the real program: run `scripts/compat`"]
fn a_cancel_in_mid_stream_leaves_nothing_behind() {
    scenes::a_cancel_in_mid_stream_leaves_nothing(&OPENCODE);
}

#[test]
#[ignore = "needs the real program: run `scripts/compat`"]
fn plugins_tools_and_servers_that_a_repository_starts_are_listed() {
    let ran = brought::ran(&OPENCODE, |env, command| {
        let local = json!({"type": "local", "command": ["sh", "-c", command("server")]});
        let config = json!({"mcp": {"a": local}, "plugin": ["./named.ts"]});
        env.write("opencode.json", config.to_string());
        let code = |name: &str, rest: &str| {
            let command = command(name);
            format!(
                "import {{ execSync }} from \"child_process\"\nexecSync(\"{command}\")\n{rest}\n"
            )
        };
        let plugin = "export const P = async () => ({})";
        env.write("named.ts", code("named.ts", plugin));
        env.write(".opencode/plugin/one.ts", code("one.ts", plugin));
        env.write(".opencode/plugins/two.js", code("two.js", plugin));
        env.write(".opencode/plugins/three.mjs", code("three.mjs", plugin));
        let tool = "export default { description: 'x', args: {}, async execute() { return 'x' } }";
        env.write(".opencode/tool/four.ts", code("four.ts", tool));
    });
    assert_eq!(ran, ["four.ts", "named.ts", "one.ts", "server", "two.js"]);
}
