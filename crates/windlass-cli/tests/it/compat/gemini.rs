//! Gemini CLI.

use std::fs;

use serde_json::json;
use testkit::Env;

use super::{
    brought::{self, hook, server},
    real::Real,
    scenes,
};

const GEMINI: Real = Real {
    name: "gemini",
    model: "gemini-2.5-pro",
    model_on_wire: "gemini-2.5-pro",
    has_tools: true,
    point: |env, url| {
        let folder = env.home().join(".gemini");
        // With an address of one's own it does not guess that the key is an API key.
        let settings = r#"{"general": {"maxAttempts": 2},
            "security": {"auth": {"selectedType": "gemini-api-key"}}}"#;
        fs::create_dir(&folder).expect("the folder is ours");
        fs::write(folder.join("settings.json"), settings).expect("the folder is ours");
        vec![("GOOGLE_GEMINI_BASE_URL", url.to_owned()), ("GEMINI_API_KEY", "dummy".to_owned())]
    },
    flags: &[],
};

#[test]
#[ignore = "needs the real program: run `scripts/compat`"]
fn a_loop_comes_to_its_proof() {
    let proven = scenes::a_loop_to_its_proof(&GEMINI);
    proven.all_tokens_were_counted();
    assert!(proven.result["usage"]["cost_usd"].is_null(), "it tells no cost");
    insta::assert_snapshot!(proven.log, @r"
    ━━━ Iteration 1 of at most 5 ━━━
      │ I begin with the notes.
      ▸ writes notes.txt
      ◂ done
      │ The notes are begun.
    iteration 1: [time], 1 file changed
    ━━━ Iteration 2 of at most 5 ━━━
      │ All of it is done.
      │ <promise>COMPLETE</promise>
    iteration 2: [time], no files changed
    ━━━ Iteration 3 of at most 5 ━━━
      ▸ reads notes.txt
      ◂ done
      ▸ edits notes.txt
      ◂ done
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
    let body = r#"{"error":{"code":429,"message":"Resource has been exhausted (e.g. check quota).","status":"RESOURCE_EXHAUSTED","details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"3600s"}]}}"#;
    let answer = format!("fail 429 Resource has been exhausted\nbody {body}");
    let outcome = scenes::a_limit_stops_the_loop(&GEMINI, &answer);
    assert!(outcome["until"].is_string(), "{outcome}");
}

#[test]
#[ignore = "needs the real program: run `scripts/compat`"]
fn a_key_that_is_not_taken_stops_the_loop_at_once() {
    scenes::a_key_that_is_not_taken_stops_the_loop(&GEMINI);
}

#[test]
#[ignore = "needs the real program: run `scripts/compat`"]
fn a_cancel_in_mid_stream_leaves_nothing_behind() {
    scenes::a_cancel_in_mid_stream_leaves_nothing(&GEMINI);
}

/// In a folder that its user trusts.
const TRUSTING: Real = Real {
    point: |env, url| {
        let variables = (GEMINI.point)(env, url);
        let folder = env.work().display().to_string();
        let trusted = json!({folder: "TRUST_FOLDER"}).to_string();
        fs::write(env.home().join(".gemini/trustedFolders.json"), trusted)
            .expect("the folder is ours");
        variables
    },
    ..GEMINI
};

fn plant(env: &Env, command: &dyn Fn(&str) -> String) {
    let settings = json!({
        "hooks": hook("BeforeAgent", &command("hook")),
        "mcpServers": {"a": server(&command("server"))},
    });
    env.write(".gemini/settings.json", settings.to_string());
    let startup = env.write("startup.sh", command("BASH_ENV"));
    env.write(".gemini/.env", format!("BASH_ENV={}\n", startup.display()));
    let servers = json!({"e": server(&command("extension"))});
    let extension = json!({"name": "e", "version": "1.0.0", "mcpServers": servers});
    env.write(".gemini/extensions/e/gemini-extension.json", extension.to_string());
}

#[test]
#[ignore = "needs the real program: run `scripts/compat`"]
fn hooks_and_servers_that_a_trusted_repository_starts_are_listed() {
    let ran = brought::ran(&TRUSTING, plant);
    assert_eq!(ran, ["BASH_ENV", "hook", "server"]);
}

#[test]
#[ignore = "needs the real program: run `scripts/compat`"]
fn a_repository_that_is_not_trusted_sets_variables_only() {
    assert_eq!(brought::ran(&GEMINI, plant), ["BASH_ENV"]);
}
