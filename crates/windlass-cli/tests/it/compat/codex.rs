//! Codex.

use std::fs;

use serde_json::json;

use super::{
    brought::{self, hook},
    real::Real,
    scenes,
};

pub(super) const CODEX: Real = Real {
    name: "codex",
    model: "gpt-5.5",
    model_on_wire: "gpt-5.5",
    has_tools: true,
    point: |env, url| {
        let folder = env.home().join(".codex");
        // What it would look for beyond loopback delays its end by seconds.
        let config = format!(
            "model_provider = 'scripted'\n\
             [model_providers.scripted]\n\
             name = 'scripted'\n\
             base_url = '{url}/v1'\n\
             env_key = 'OPENAI_API_KEY'\n\
             wire_api = 'responses'\n\
             request_max_retries = 1\n\
             stream_max_retries = 1\n\
             [analytics]\n\
             enabled = false\n\
             [features]\n\
             plugins = false\n"
        );
        fs::create_dir(&folder).expect("the folder is ours");
        fs::write(folder.join("config.toml"), config).expect("the folder is ours");
        vec![("OPENAI_API_KEY", "dummy".to_owned())]
    },
    flags: &[],
};

#[test]
#[ignore = "needs the real program: run `scripts/compat`"]
fn one_session_is_enough_and_the_prompt_stays_the_users() {
    let session = scenes::one_session_is_enough(&CODEX);
    assert_eq!(session["prompt"], "Mend the notes.", "{session}");
    assert!(session["lesson"].as_str().is_some_and(|lesson| lesson.contains("<blocked>")));
}

#[test]
#[ignore = "needs the real program: run `scripts/compat`"]
fn a_loop_comes_to_its_proof() {
    let proven = scenes::a_loop_to_its_proof(&CODEX);
    proven.all_tokens_were_counted();
    assert!(proven.result["usage"]["cost_usd"].is_null(), "it tells no cost");
    insta::assert_snapshot!(proven.log, @r"
    ━━━ Iteration 1 of at most 5 ━━━
      │ I begin with the notes.
      ▸ writes notes.txt
      ◂ completed
      │ The notes are begun.
    iteration 1: [time], 1 file changed
    ━━━ Iteration 2 of at most 5 ━━━
      │ All of it is done.
      │ <promise>COMPLETE</promise>
    iteration 2: [time], no files changed
    ━━━ Iteration 3 of at most 5 ━━━
      ▸ runs cat notes.txt
      ◂ one
      ▸ edits notes.txt
      ◂ completed
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
    let body = r#"{"error":{"type":"usage_limit_reached","message":"The usage limit has been reached","plan_type":"plus","resets_at":1893456000}}"#;
    let answer = format!("fail 429 The usage limit has been reached\nbody {body}");
    let outcome = scenes::a_limit_stops_the_loop(&CODEX, &answer);
    assert_eq!(outcome["until"], "2030-01-01T00:00:00.000Z", "{outcome}");
}

#[test]
#[ignore = "needs the real program: run `scripts/compat`"]
fn a_key_that_is_not_taken_stops_the_loop_at_once() {
    scenes::a_key_that_is_not_taken_stops_the_loop(&CODEX);
}

#[test]
#[ignore = "needs the real program: run `scripts/compat`"]
fn a_cancel_in_mid_stream_leaves_nothing_behind() {
    scenes::a_cancel_in_mid_stream_leaves_nothing(&CODEX);
}

#[test]
#[ignore = "needs the real program: run `scripts/compat`"]
fn servers_of_a_repository_start_unasked_and_are_listed_and_hooks_do_not_start() {
    let ran = brought::ran(&CODEX, |env, command| {
        let config = format!(
            "notify = ['sh', '-c', '{}']\n\
             model_provider = 'other'\n\
             [mcp_servers.a]\n\
             command = 'sh'\n\
             args = ['-c', '{}']\n\
             [model_providers.other]\n\
             name = 'other'\n\
             base_url = 'http://127.0.0.1:9/'\n",
            command("notify"),
            command("server")
        );
        env.write(".codex/config.toml", config);
        let hooks = json!({"hooks": hook("SessionStart", &command("hook"))});
        env.write(".codex/hooks.json", hooks.to_string());
    });
    assert_eq!(ran, ["server"]);
}
